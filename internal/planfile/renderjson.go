package planfile

import (
	"cmp"
	"slices"
	"strings"

	"ralph/internal/plan"
)

// idsOf returns the dependencies of a task; never nil.
func idsOf(t plan.Task) []string {
	out := []string{}
	for _, n := range t.Needs {
		out = append(out, n.On)
	}
	return out
}

func some(all []string) []string { return append([]string{}, all...) }

type prdTask struct {
	ID           string      `json:"id"`
	Title        string      `json:"title"`
	Description  string      `json:"description"`
	Agent        string      `json:"agent,omitempty"`
	Status       plan.Status `json:"status"`
	Dependencies []string    `json:"dependencies"`
	Phase        int         `json:"phase"`
	Priority     int         `json:"priority,omitempty"`
	Attempts     int         `json:"attempts"`
	Criteria     []string    `json:"acceptanceCriteria,omitempty"`
	permitted
	Plan     string    `json:"plan,omitempty"`
	Commands []string  `json:"commands,omitempty"`
	Files    []string  `json:"files,omitempty"`
	Labels   []string  `json:"labels,omitempty"`
	Output   string    `json:"output,omitempty"`
	Todos    []prdTodo `json:"todos,omitempty"`
}

type prdTodo struct {
	ID       string          `json:"id"`
	Content  string          `json:"content"`
	Status   plan.TodoStatus `json:"status"`
	Agent    string          `json:"agent,omitempty"`
	Criteria []string        `json:"verificationCriteria,omitempty"`
}

func renderPRD(p plan.Plan) string {
	var out struct {
		Meta struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		} `json:"meta"`
		Tasks []prdTask `json:"tasks"`
	}
	out.Meta.Name, out.Meta.Version = p.Title, "1.0.0"
	for _, t := range p.Tasks {
		task := prdTask{
			ID: t.ID, Title: t.Title, Description: t.Text, Agent: t.Agent, Status: t.Status, Dependencies: idsOf(t), Phase: t.Phase, Priority: t.Priority,
			Attempts: t.Attempts, Criteria: t.Criteria, permitted: permissionOf(t), Plan: t.SubPlan, Commands: t.Commands, Files: t.Files,
			Labels: t.Labels, Output: t.Output,
		}
		for i, d := range t.Todos {
			id := cmp.Or(d.ID, newTodoID(t.ID, i+1))
			task.Todos = append(task.Todos, prdTodo{id, d.Text, d.Status, d.Agent, d.Criteria})
		}
		out.Tasks = append(out.Tasks, task)
	}
	return indented(out)
}

type userStory struct {
	ID          string   `json:"id"`
	Title       string   `json:"title"`
	Description string   `json:"description"`
	Criteria    []string `json:"acceptanceCriteria"`
	Priority    int      `json:"priority"`
	Passes      bool     `json:"passes"`
	Notes       string   `json:"notes"`
	DependsOn   []string `json:"dependsOn"`
	permitted
}

// renderStories numbers the priorities in the order of the file if the plan has
// none.
func renderStories(p plan.Plan) string {
	var out struct {
		Project     string      `json:"project"`
		Description string      `json:"description"`
		UserStories []userStory `json:"userStories"`
	}
	out.Project, out.Description = p.Title, p.Constraints
	given := slices.ContainsFunc(p.Tasks, func(t plan.Task) bool { return t.Priority != 0 })
	for i, t := range p.Tasks {
		s := userStory{ID: t.ID, Title: t.Title, Description: t.Text, Criteria: some(t.Criteria), Priority: i + 1, Passes: t.Status == plan.Done, DependsOn: idsOf(t), permitted: permissionOf(t)}
		if given {
			s.Priority = t.Priority
		}
		out.UserStories = append(out.UserStories, s)
	}
	return indented(out)
}

func renderFeatures(p plan.Plan) string {
	type feature struct {
		Category    string   `json:"category"`
		Description string   `json:"description"`
		Steps       []string `json:"steps"`
		Passes      bool     `json:"passes"`
		permitted
	}
	var out []feature
	for _, t := range p.Tasks {
		out = append(out, feature{cmp.Or(t.Group, "functional"), t.Title, some(t.Criteria), t.Status == plan.Done, permissionOf(t)})
	}
	return indented(out)
}

type taskmasterTask struct {
	ID           int    `json:"id"`
	Title        string `json:"title"`
	Description  string `json:"description"`
	Details      string `json:"details"`
	TestStrategy string `json:"testStrategy"`
	Priority     string `json:"priority"`
	Dependencies []int  `json:"dependencies"`
	Status       string `json:"status"`
	Subtasks     []any  `json:"subtasks"`
	permitted
}

// renderTaskmaster numbers the tasks: ids are numbers in Taskmaster.
func renderTaskmaster(p plan.Plan) string {
	var tag struct {
		Tasks    []taskmasterTask `json:"tasks"`
		Metadata struct {
			Description string `json:"description"`
		} `json:"metadata"`
	}
	tag.Metadata.Description = p.Title
	number := map[string]int{}
	given := slices.ContainsFunc(p.Tasks, func(t plan.Task) bool { return t.Priority != 0 })
	for i, t := range p.Tasks {
		number[t.ID] = i + 1
		out := taskmasterTask{
			ID: i + 1, Title: t.Title, Details: t.Text, TestStrategy: strings.Join(t.Criteria, "\n"), Priority: taskmasterPriority(t.Priority, given),
			Dependencies: []int{}, Status: "cancelled", Subtasks: []any{}, permitted: permissionOf(t),
		}
		if s, ok := taskmasterNames.status(t.Status).(string); ok {
			out.Status = s
		}
		for _, n := range t.Needs {
			out.Dependencies = append(out.Dependencies, number[n.On])
		}
		tag.Tasks = append(tag.Tasks, out)
	}
	return indented(map[string]any{"master": tag})
}

// taskmasterPriority returns the word for a number, or Taskmaster's default where
// the plan has no priorities.
func taskmasterPriority(n int, given bool) string {
	if !given {
		return "medium"
	}
	return []string{"critical", "high", "medium", "low"}[min(max(n, 0), 3)]
}
