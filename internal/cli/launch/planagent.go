package launch

import (
	"errors"
	"fmt"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/loop"
)

// PlanAgentName is the agent that a task's name stands for, whatever its case: by the table
// plans.agents, else by the agents' own names.
func PlanAgentName(p *project.Project, name string) string {
	for alias, agent := range p.Settings.Settings.Plans.Agents {
		if strings.EqualFold(alias, name) {
			return agent
		}
	}
	for _, g := range p.Settings.Agents() {
		if strings.EqualFold(g.Name, name) {
			return g.Name
		}
	}
	return strings.ToLower(name) // those that ralph knows by itself
}

// UnknownPlanAgent reports whether a name that a task gives its agent is neither configured
// nor known to ralph.
func UnknownPlanAgent(a *project.Opener, p *project.Project, name string) bool {
	_, err := Named(a, p, Flags{Agent: PlanAgentName(p, name), OfPlan: true})
	e, is := errors.AsType[*exit.Error](err)
	return is && e.Code == exit.Usage
}

// PlanAgentHint says how to configure a name that a plan uses: it stands for the agent of the
// run, which is a new one in ralph.yaml where a command line gave it.
func PlanAgentHint(name string, g loop.Agent, known map[string]loop.Agent) string {
	if _, configured := known[g.Name]; !configured && g.Use == "command" && len(g.Argv) == 1 {
		return fmt.Sprintf("configure it in ralph.yaml: agents: {%s: {use: command, run: %s}}", name, yamlWord(g.Argv[0]))
	}
	if g.Name == "" {
		return fmt.Sprintf("say which agent it stands for in ralph.yaml: plans: {agents: {%s: NAME}}", name)
	}
	return fmt.Sprintf("say which agent it stands for in ralph.yaml: plans: {agents: {%s: %s}}", name, g.Name)
}

// yamlWord is a text between single quotes of YAML.
func yamlWord(s string) string { return "'" + strings.ReplaceAll(s, "'", "''") + "'" }
