package opencode

import (
	"encoding/json"
	"maps"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// contentVariable holds settings that opencode lays over those of its files.
const contentVariable = "OPENCODE_CONFIG_CONTENT"

// Configure returns the variables that configure opencode for a job, and removes
// from the job the settings that they contain. They do nothing to other
// programs.
func Configure(job *agent.Job) []string {
	env := []string{"OPENCODE_DISABLE_AUTOUPDATE=1", "OPENCODE_DISABLE_LSP_DOWNLOAD=1"}
	if settings := settings(*job); settings != "" {
		env = append(env, contentVariable+"="+settings)
	}
	job.Agent.Env = maps.Clone(job.Agent.Env)
	delete(job.Agent.Env, contentVariable) // it is in the settings
	return env
}

// settings returns ralph's settings, below those that the user has put into the
// variable; a value that cannot be parsed is left as it is. A job that may only
// read runs an agent of ralph's, whose rules override those for all agents.
func settings(job agent.Job) string {
	theirs := job.Agent.Env[contentVariable]
	if theirs == "" {
		theirs = agent.Variable(job.Env, contentVariable)
	}
	all := map[string]any{"autoupdate": false, "share": "disabled"}
	reads := job.Agent.Permissions == loop.PermissionsRead
	if job.Agent.Permissions != loop.PermissionsSkip {
		all["permission"] = map[string]any{"external_directory": "deny"}
	}
	if theirs != "" {
		var over map[string]any
		err := json.Unmarshal([]byte(theirs), &over)
		if err != nil && !reads {
			return ""
		}
		lay(all, over)
	}
	if reads {
		lay(all, map[string]any{"agent": map[string]any{Reader: looking()}})
	}
	text, err := json.Marshal(all)
	if err != nil {
		return ""
	}
	return string(text)
}

// Reader is the name of an agent that may only read. The name is ours, so that
// no user's settings have given it rights.
const Reader = "ralph-reader"

// looking is that agent: unnamed tools are denied. The last rule that fits
// decides, and JSON sorts them with the stars first.
func looking() map[string]any {
	return map[string]any{"mode": "primary", "permission": map[string]any{
		"*": "deny", "glob": "allow", "grep": "allow", "list": "allow",
		// As its built-in rules have it, but for asking, which would end the run.
		"read": map[string]any{"*": "allow", "*.env": "deny", "*.env.*": "deny", "*.env.example": "allow"},
	}}
}

// lay puts over on top, group by group.
func lay(under, over map[string]any) {
	for name, value := range over {
		below, isGroup := under[name].(map[string]any)
		above, isToo := value.(map[string]any)
		if isGroup && isToo {
			above = maps.Clone(above)
			lay(below, above)
			continue
		}
		under[name] = value
	}
}
