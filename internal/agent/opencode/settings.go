package opencode

import (
	"encoding/json"
	"maps"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// contentVariable holds settings that opencode lays over those of its files.
const contentVariable = "OPENCODE_CONFIG_CONTENT"

// settings are ours below what a person has put into the variable themself;
// what they have put there and nobody can read is left as it is.
func settings(job agent.Job) string {
	theirs := job.Agent.Env[contentVariable]
	if theirs == "" {
		theirs = agent.Variable(job.Env, contentVariable)
	}
	all := map[string]any{"autoupdate": false, "share": "disabled"}
	if job.Agent.Permissions != loop.PermissionsSkip {
		all["permission"] = map[string]any{"external_directory": "deny"}
	}
	if theirs != "" {
		var over map[string]any
		if json.Unmarshal([]byte(theirs), &over) != nil {
			return ""
		}
		lay(all, over)
	}
	text, err := json.Marshal(all)
	if err != nil {
		return ""
	}
	return string(text)
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
