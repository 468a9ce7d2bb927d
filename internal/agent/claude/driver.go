package claude

import (
	"context"
	"path/filepath"
	"runtime"
	"strconv"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// Driver runs Claude Code.
type Driver struct{}

var _ agent.Native = Driver{}

// Program is claude.
func (Driver) Program() string { return "claude" }

// Tested: the events are those of 2.1; later ones of that line only added some.
func (Driver) Tested() agent.Versions { return agent.Versions{From: "2.1", To: "2.1"} }

// Capabilities: everything is reported.
func (Driver) Capabilities() agent.Capabilities {
	return agent.Capabilities{Usage: true, Cost: true, Limits: true, Windows: true, Denials: true, Resume: true}
}

// allowed are the tools that need no question by default: they edit files and run
// commands in the tree.
const allowed = "Bash,Edit,Write,Read,Glob,Grep"

// looking are the tools of a read-only agent: no other is offered, whatever the
// user's settings allow, and no MCP server.
const looking = "Read,Glob,Grep"

// CommandLine of a fresh session.
func (Driver) CommandLine(a loop.Agent) []string { return argv(a, "SESSION", false) }

func argv(a loop.Agent, session string, resume bool) []string {
	out := append(agent.ProgramOf(a, "claude"), "-p", "--output-format", "stream-json", "--verbose")
	if resume {
		out = append(out, "--resume", session)
	} else {
		out = append(out, "--session-id", session)
	}
	if a.Model != "" {
		out = append(out, "--model", a.Model)
	}
	if a.MaxTurns > 0 {
		// Its own limit ends the run with a result; ralph's is one turn behind
		// it.
		out = append(out, "--max-turns", strconv.Itoa(a.MaxTurns))
	}
	switch a.Permissions {
	case loop.PermissionsSkip:
		out = append(out, "--dangerously-skip-permissions")
	case loop.PermissionsRead:
		out = append(out, "--tools", looking, "--allowedTools", looking, "--strict-mcp-config", "--permission-mode", "dontAsk")
	default:
		out = append(out, "--allowedTools", allowed, "--permission-mode", "dontAsk")
	}
	return append(out, a.Args...)
}

// environment disables telemetry, updates, and background tasks after the result
// that the gates would not wait for.
func environment() []string {
	return []string{
		"CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC=1", "DISABLE_AUTOUPDATER=1", "DISABLE_TELEMETRY=1",
		"DISABLE_ERROR_REPORTING=1", "CLAUDE_CODE_DISABLE_BACKGROUND_TASKS=1",
	}
}

// Run runs Claude Code once.
func (d Driver) Run(ctx context.Context, job agent.Job) (loop.Outcome, error) {
	if why, fix := d.Refuses(job.Agent, job.Env); why != "" {
		return loop.Outcome{End: loop.EndPermanent, Message: why + "; " + fix}, nil
	}
	session, resume := agent.NewSession(), job.Resume != nil
	if resume {
		session = job.Resume.Session
	}
	return stream.Run(ctx, job, stream.Launch{
		Argv: argv(job.Agent, session, resume), Env: environment(), Session: session, Tested: d.Tested(),
	}, &dialect{resumed: resume})
}

// Account follows the program's own order, as its "auth status" showed for
// version 2.1.329: a cloud, a token, a key, a helper, a subscription's token, and
// last the login of /login.
func (Driver) Account(_ loop.Agent, env []string) agent.Account {
	var found agent.Logins
	dir := agent.Folder(env, "CLAUDE_CONFIG_DIR", ".claude")
	var settings struct {
		Env    map[string]string `json:"env"`
		Helper string            `json:"apiKeyHelper"`
	}
	agent.ReadObject(filepath.Join(dir, "settings.json"), &settings)
	has := func(name string) bool {
		return agent.Variable(env, name) != "" || settings.Env[name] != ""
	}
	for _, cloud := range [][2]string{
		{"CLAUDE_CODE_USE_BEDROCK", "Amazon Bedrock"}, {"CLAUDE_CODE_USE_VERTEX", "Google Vertex AI"}, {"CLAUDE_CODE_USE_FOUNDRY", "Microsoft Foundry"},
	} {
		if has(cloud[0]) {
			found.Add(agent.BilledCloud, "your account at "+cloud[1], cloud[0])
		}
	}
	for _, key := range [][2]string{
		{"ANTHROPIC_AUTH_TOKEN", "the account of a gateway's token"}, {"ANTHROPIC_API_KEY", "the account of an API key, by the token"},
	} {
		if has(key[0]) {
			found.Add(agent.BilledKey, key[1], key[0])
		}
	}
	if settings.Helper != "" {
		found.Add(agent.BilledKey, "the account of the key that apiKeyHelper gives", filepath.Join(dir, "settings.json"))
	}
	if has("CLAUDE_CODE_OAUTH_TOKEN") {
		found.Add(agent.BilledSubscription, "a Claude subscription, by its token", "CLAUDE_CODE_OAUTH_TOKEN")
	}
	stored(&found, dir)
	return found.First(none(runtime.GOOS))
}

// stored is the login of /login.
func stored(found *agent.Logins, dir string) {
	var file struct {
		Login *struct {
			Token string `json:"accessToken"`
			Plan  string `json:"subscriptionType"`
		} `json:"claudeAiOauth"`
	}
	path := filepath.Join(dir, ".credentials.json")
	if !agent.ReadObject(path, &file) || file.Login == nil || file.Login.Token == "" {
		return
	}
	what := "a Claude subscription"
	if file.Login.Plan != "" {
		what += " (" + file.Login.Plan + ")"
	}
	found.Add(agent.BilledSubscription, what, path)
}

// none: on macOS the login is in the keychain, which only the program reads.
func none(system string) agent.Account {
	if system == "darwin" {
		return agent.Account{Login: agent.LoginUnknown, What: "a login may be in the keychain", Fix: "claude auth status"}
	}
	return agent.Account{Login: agent.LoggedOut, Fix: "claude auth login, or set ANTHROPIC_API_KEY"}
}
