package claude

import (
	"cmp"
	"os"
	"path/filepath"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// Footprint returns what Claude Code keeps and sets beside its work.
func (Driver) Footprint() agent.Footprint {
	return agent.Footprint{
		State: []agent.StateDir{{Variable: "CLAUDE_CONFIG_DIR", Usual: ".claude"}},
		Settings: []string{
			"CLAUDE.md", "settings.json", "settings.local.json", "rules", "skills", "agents", "commands", "hooks", "output-styles",
			"plugins/config.json", "plugins/installed_plugins.json",
		},
		Project: []string{"**/CLAUDE.local.md", "**/.mcp.json", "**/.claude-plugin/**"},
		Files:   []string{".claude.json"},
		Clouds: map[string]string{
			"CLAUDE_CODE_USE_BEDROCK": ".aws", "CLAUDE_CODE_USE_VERTEX": ".config/gcloud", "CLAUDE_CODE_USE_FOUNDRY": ".azure",
		},
		Versions:   []string{".local/share/claude/versions", ".claude/local"},
		Mark:       "CLAUDECODE",
		SessionIDs: []string{"CLAUDE_CODE_SESSION_ID"},
		Nested:     []string{"CLAUDECODE", "CLAUDE_CODE_"},
		Login:      []string{"CLAUDE_CODE_OAUTH", "CLAUDE_CODE_USE_"},
	}
}

// Credential returns the login of a run: of a cloud, by a key, or of /login.
func (Driver) Credential(_ loop.Agent, env []string) agent.Credential {
	for _, cloud := range []string{"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"} {
		if agent.Setting(env, cloud) != "" {
			return agent.Credential{Kind: "cloud", Parts: []string{cloud, agent.Setting(env, "AWS_PROFILE"), agent.Setting(env, "ANTHROPIC_VERTEX_PROJECT_ID")}}
		}
	}
	return agent.CredentialPlaces{
		Provider: "anthropic", Address: "ANTHROPIC_BASE_URL",
		Keys: []string{"ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"},
		File: filepath.Join(cmp.Or(agent.Setting(env, "CLAUDE_CONFIG_DIR"), agent.Home(env)), ".claude.json"),
		ID:   []string{"oauthAccount", "accountUuid"},
	}.In(env)
}

// Refuses returns an explanation where Claude Code would not start: it skips
// permissions for root only with IS_SANDBOX. Every run would end with one line
// on its standard error.
func (Driver) Refuses(a loop.Agent, env []string) (why, fix string) {
	if a.Permissions != loop.PermissionsSkip || os.Geteuid() != 0 || a.Env["IS_SANDBOX"] != "" || agent.Variable(env, "IS_SANDBOX") != "" {
		return "", ""
	}
	return "Claude Code does not skip permissions for root", `in a container set env: {IS_SANDBOX: "1"} for this agent`
}
