package mcp

import "context"

// PlanTools are ralph's functions for the plans of a session (seed 003). What a
// person decides is put to the person through AskPerson.
type PlanTools interface {
	PlanRun(ctx context.Context, r PlanRunRequest) Answer
	PlanStatus(ctx context.Context, r PlanRequest) Answer
	PlanAnswer(ctx context.Context, r PlanAnswerRequest) Answer
	PlanAccept(ctx context.Context, r PlanRequest) Answer
}

// PlanRunRequest begins or continues the run of a plan.
type PlanRunRequest struct {
	File string `json:"file" jsonschema:"the plan's file, as a path from the folder this session was started in"`
}

// PlanRequest names a plan.
type PlanRequest struct {
	Plan string `json:"plan" jsonschema:"the plan's file or id"`
}

// PlanAnswerRequest names the question of a plan to put to a person.
type PlanAnswerRequest struct {
	Plan string `json:"plan" jsonschema:"the plan's file or id"`
	Task string `json:"task,omitempty" jsonschema:"of several open questions the one about this task"`
}

// addPlanTools registers the tools for plans.
func (s *Server) addPlanTools() {
	add(s, tool{
		name: "plan_run", title: "Run a plan",
		about: "Begin or continue the run of a plan file in the background: agents of its own do the tasks, each under its gates. Call it when a person asked for it. exit_code 0: it runs; watch it with plan_status. Commands that the plan proposes as gates must have been accepted by a person before.",
	}, s.tools.PlanRun)
	add(s, tool{
		name: "plan_status", title: "Status of a plan", reads: true,
		about: "How a plan stands: tasks, open questions, gaps, what comes next. exit_code 0: passed, 1: ended without passing, 2: under way, 3: it waits for a person (call plan_answer). Not more than once a minute.",
	}, s.tools.PlanStatus)
	add(s, tool{
		name: "plan_answer", title: "Have a person answer",
		about: "Put the open question of a plan to the person at this client, and hand the answer on; the plan continues. You do not answer it. exit_code 0: answered. 3: no answer; tell the person the command in the text.",
	}, s.tools.PlanAnswer)
	add(s, tool{
		name: "plan_accept", title: "Have a person accept", destroys: true,
		about: "Ask the person at this client whether the work of a passed plan is merged into the current branch, and merge it if so. You do not accept it. exit_code 0: merged. 3: not accepted; tell the person the command in the text.",
	}, s.tools.PlanAccept)
}
