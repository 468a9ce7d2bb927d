package gemini

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// Driver runs Gemini CLI.
type Driver struct{}

var _ agent.Native = Driver{}

// Program is gemini.
func (Driver) Program() string { return "gemini" }

// Tested: the one version that was measured.
func (Driver) Tested() agent.Versions { return agent.Versions{From: "0.61", To: "0.61"} }

// Capabilities: no cost.
func (Driver) Capabilities() agent.Capabilities {
	return agent.Capabilities{Usage: true, Limits: true, Denials: true, Resume: true}
}

// CommandLine of a fresh session.
func (Driver) CommandLine(a loop.Agent) []string { return argv(a, "--session-id", "SESSION") }

func argv(a loop.Agent, session ...string) []string {
	out := append(agent.ProgramOf(a, "gemini"), "--output-format", "stream-json", "--skip-trust")
	out = append(out, session...)
	if a.Model != "" {
		out = append(out, "--model", a.Model)
	}
	switch a.Permissions {
	case loop.PermissionsSkip:
		out = append(out, "--approval-mode", "yolo")
	case loop.PermissionsRead:
		out = append(out, "--approval-mode", "default") // no user can be asked
	default:
		out = append(out, "--approval-mode", "auto_edit", "--allowed-tools=run_shell_command")
	}
	return append(out, a.Args...)
}

// Quiet are the variables that it is run with, in each of its modes.
func Quiet() []string {
	return []string{"GEMINI_CLI_NO_RELAUNCH=true", "GEMINI_CLI_TRUST_WORKSPACE=true", "GEMINI_TELEMETRY_ENABLED=false"}
}

// Run runs Gemini CLI once.
func (d Driver) Run(ctx context.Context, job agent.Job) (loop.Outcome, error) {
	session, flag := agent.NewSession(), "--session-id"
	if job.Resume != nil {
		session, flag = job.Resume.Session, "--resume"
	}
	return stream.Run(ctx, job, stream.Launch{
		Argv: argv(job.Agent, flag, session), Env: Quiet(), Session: session,
		Tested: d.Tested(), Ask: agent.ProgramOf(job.Agent, "gemini"), TempDir: true,
	}, &dialect{})
}

// The kinds of login that the program knows, in its own words.
const (
	byGoogle = "oauth-personal"
	byKey    = "gemini-api-key"
	byVertex = "vertex-ai"
	byADC    = "compute-default-credentials"
)

// Account is of the kind that the settings select, or else of the kind that the
// environment suggests: the order of version 0.61.0.
func (Driver) Account(_ loop.Agent, env []string) agent.Account {
	dir := agent.Folder(env, "", ".gemini")
	if home := agent.Variable(env, "GEMINI_CLI_HOME"); filepath.IsAbs(home) {
		dir = filepath.Join(home, ".gemini")
	}
	env = append(dotenv(filepath.Join(dir, ".env")), env...)
	file := filepath.Join(dir, "settings.json")
	var settings struct {
		Security struct {
			Auth struct {
				Selected string `json:"selectedType"`
			} `json:"auth"`
		} `json:"security"`
	}
	agent.ReadObject(file, &settings)
	if kind := settings.Security.Auth.Selected; kind != "" {
		return login(kind, file, dir, env)
	}
	for _, suggests := range [][2]string{
		{"GOOGLE_GENAI_USE_GCA", byGoogle}, {"GOOGLE_GENAI_USE_VERTEXAI", byVertex}, {"GEMINI_API_KEY", byKey}, {"CLOUD_SHELL", byADC},
	} {
		if v := agent.Variable(env, suggests[0]); v == "true" || v != "" && suggests[1] == byKey {
			return login(suggests[1], suggests[0], dir, env)
		}
	}
	return agent.Account{Login: agent.LoggedOut, Fix: "start gemini once and log in, or set GEMINI_API_KEY"}
}

func login(kind, from, dir string, env []string) agent.Account {
	out := agent.Account{Login: agent.LoggedIn, From: from}
	// Newer versions keep all logins in one file that only they can read.
	_, sealed := os.Stat(filepath.Join(dir, "gemini-credentials.json"))
	switch kind {
	case byGoogle:
		out.Billing, out.What = agent.BilledSubscription, "a Google account's quota"
		if _, err := os.Stat(filepath.Join(dir, "oauth_creds.json")); err != nil && sealed != nil {
			out.Login, out.Fix = agent.LoggedOut, "start gemini once and log in with Google"
		}
	case byKey:
		out.Billing, out.What = agent.BilledKey, "the account of an API key"
		if agent.Variable(env, "GEMINI_API_KEY") != "" {
			out.From = "GEMINI_API_KEY"
			break
		}
		out.Login, out.Fix = agent.LoggedOut, "set GEMINI_API_KEY"
		if sealed == nil {
			out.Login = agent.LoginUnknown
		}
	case byVertex, byADC:
		out.Billing, out.What = agent.BilledCloud, "your account at Google Cloud"
	default:
		out.Login, out.Billing, out.What = agent.LoginUnknown, agent.BilledOther, "a login of the kind "+kind
	}
	return out
}

// dotenv are the variables that the program reads from a file of its own; those
// of the environment go before.
func dotenv(path string) (env []string) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	for line := range strings.Lines(string(text)) {
		name, value, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(line), "export "), "=")
		if ok && !strings.HasPrefix(name, "#") {
			env = append(env, strings.TrimSpace(name)+"="+strings.Trim(strings.TrimSpace(value), `"'`))
		}
	}
	return env
}
