package codex

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/pelletier/go-toml/v2"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// Driver runs Codex.
type Driver struct{}

var _ agent.Native = Driver{}

// Program is codex.
func (Driver) Program() string { return "codex" }

// Tested: the one version that was measured.
func (Driver) Tested() agent.Versions { return agent.Versions{From: "0.169", To: "0.169"} }

// Capabilities: no cost; refused writes of its sandbox are not reported.
func (Driver) Capabilities() agent.Capabilities {
	return agent.Capabilities{Usage: true, Limits: true, Windows: true, Denials: true, Resume: true}
}

// CommandLine of a fresh thread.
func (Driver) CommandLine(a loop.Agent) []string { return argv(a, "", false) }

// argv: options that a resumed thread does not take as a flag are given as a
// setting. Where held is set, ralph's sandbox holds it alone.
func argv(a loop.Agent, resume string, held bool) []string {
	out := append(agent.ProgramOf(a, "codex"), "exec")
	if resume != "" {
		out = append(out, "resume")
	}
	out = append(out, "--json", "--skip-git-repo-check",
		"-c", "check_for_update_on_startup=false", "-c", "analytics.enabled=false")
	if a.Model != "" {
		out = append(out, "--model", a.Model)
	}
	switch {
	case a.Permissions == loop.PermissionsSkip:
		out = append(out, "--dangerously-bypass-approvals-and-sandbox")
	case held:
		out = append(out, "-c", `sandbox_mode="danger-full-access"`, "-c", `approval_policy="never"`)
	case a.Permissions == loop.PermissionsRead:
		out = append(out, "-c", `sandbox_mode="read-only"`, "-c", `approval_policy="never"`)
	default:
		out = append(out, "-c", `sandbox_mode="workspace-write"`, "-c", `approval_policy="never"`)
	}
	out = append(out, a.Args...)
	if resume != "" {
		out = append(out, resume)
	}
	return append(out, "-")
}

// maxPrompt is how many characters it reads.
const maxPrompt = 1 << 20

// Run runs Codex once.
func (d Driver) Run(ctx context.Context, job agent.Job) (loop.Outcome, error) {
	if n, err := characters(job.Prompt); err != nil {
		return loop.Outcome{}, fmt.Errorf("read the prompt: %w", err)
	} else if n > maxPrompt {
		return loop.Outcome{End: loop.EndPermanent, Message: fmt.Sprintf("the prompt has %d characters; Codex takes %d", n, maxPrompt)}, nil
	}
	resume, used := "", loop.Usage{}
	if job.Resume != nil {
		resume, used = job.Resume.Session, job.Resume.Used
	}
	alone := heldByLandlock(job)
	out, err := stream.Run(ctx, job, stream.Launch{
		Argv: argv(job.Agent, resume, alone), Tested: d.Tested(), Ask: agent.ProgramOf(job.Agent, "codex"),
	}, &dialect{model: job.Agent.Model, before: used, now: job.Time})
	out.OwnSandboxOff = alone && err == nil
	if err == nil {
		out.Windows = windows(job.Env, out.Session)
	}
	return out, err
}

// heldByLandlock reports whether Landlock rules of ralph's hold the run. Codex's own
// sandbox cannot start inside of them: every command and every edit would fail.
func heldByLandlock(job agent.Job) bool {
	return job.Agent.Permissions != loop.PermissionsSkip && job.Sandbox != nil && job.Sandbox.Landlock != nil
}

// characters counts those of a file; one that is short enough in bytes is not
// read.
func characters(path string) (int, error) {
	info, err := os.Stat(path)
	if err != nil || info.Size() <= maxPrompt {
		return 0, err
	}
	text, err := os.ReadFile(path)
	return utf8.RuneCount(text), err
}

// settings are the keys of config.toml that choose the provider.
type settings struct {
	Provider  string `toml:"model_provider"`
	Store     string `toml:"cli_auth_credentials_store"`
	Providers map[string]struct {
		Key string `toml:"env_key"`
		URL string `toml:"base_url"`
	} `toml:"model_providers"`
}

// Account is that of another provider where config.toml names one, else of a key
// in the environment (codex exec alone takes that), else of the stored login.
func (Driver) Account(_ loop.Agent, env []string) agent.Account {
	dir := agent.Folder(env, "CODEX_HOME", ".codex")
	var set settings
	if text, err := os.ReadFile(filepath.Join(dir, "config.toml")); err == nil {
		_ = toml.Unmarshal(text, &set) // errors in it are the program's to report
	}
	if set.Provider != "" && set.Provider != "openai" {
		return provider(set, env, filepath.Join(dir, "config.toml"))
	}
	var found agent.Logins
	if agent.Variable(env, "CODEX_API_KEY") != "" {
		found.Add(agent.BilledKey, "the account of an API key, by the token", "CODEX_API_KEY")
	}
	stored(&found, filepath.Join(dir, "auth.json"))
	if set.Store == "keyring" || set.Store == "auto" {
		return found.First(agent.Account{Login: agent.LoginUnknown, What: "a login may be in the system's keyring", Fix: "codex login status"})
	}
	return found.First(agent.Account{Login: agent.LoggedOut, Fix: "codex login, or set CODEX_API_KEY"})
}

// provider returns the account of a provider that the user has configured.
func provider(set settings, env []string, file string) agent.Account {
	p := set.Providers[set.Provider]
	out := agent.Account{Login: agent.LoggedIn, Billing: agent.BilledOther, What: "the provider " + set.Provider, From: file}
	switch {
	case p.Key == "":
		out.Login = agent.LoginUnknown // a local one needs no key
	case agent.Variable(env, p.Key) == "":
		out.Login, out.Fix = agent.LoggedOut, "set "+p.Key
	default:
		out.From = p.Key
	}
	return out
}

// stored is the login of codex login.
func stored(found *agent.Logins, path string) {
	var file struct {
		Key    string `json:"OPENAI_API_KEY"`
		Tokens *struct {
			ID     string `json:"id_token"`
			Access string `json:"access_token"`
		} `json:"tokens"`
	}
	if !agent.ReadObject(path, &file) {
		return
	}
	if file.Tokens != nil && file.Tokens.Access != "" {
		found.Add(agent.BilledSubscription, "a ChatGPT subscription"+plan(file.Tokens.ID), path)
	}
	if file.Key != "" {
		found.Add(agent.BilledKey, "the account of an API key, by the token", path)
	}
}

// plan returns the plan named in the login's own token, in parentheses.
func plan(token string) string {
	parts := strings.Split(token, ".")
	if len(parts) != 3 {
		return ""
	}
	text, err := base64.RawURLEncoding.DecodeString(parts[1])
	var claims struct {
		Auth struct {
			Plan string `json:"chatgpt_plan_type"`
		} `json:"https://api.openai.com/auth"`
	}
	if err != nil || json.Unmarshal(text, &claims) != nil || claims.Auth.Plan == "" {
		return ""
	}
	return " (" + claims.Auth.Plan + ")"
}
