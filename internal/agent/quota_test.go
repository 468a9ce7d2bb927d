package agent_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/agent"
	"ralph/internal/agent/registry"
	"ralph/internal/loop"
)

func quotaOf(a loop.Agent, env []string) agent.Quota {
	return agent.QuotaOf(registry.Drivers()[a.Use], a, env)
}

func TestQuotas(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write := func(name, text string) {
		path := filepath.Join(home, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(".claude.json", `{"oauthAccount":{"accountUuid":"u-1"},"other":[1]}`)
	write("second/.claude.json", `{"oauthAccount":{"accountUuid":"u-1"}}`)
	write("third/.claude.json", `{"oauthAccount":{"accountUuid":"u-2"}}`)
	write(".codex/auth.json", `{"tokens":{"account_id":"c-1","access_token":"secret"}}`)
	write("torn/.codex/auth.json", `{"tokens":`)
	env := func(more ...string) []string { return append([]string{"HOME=" + home}, more...) }
	key := func(a loop.Agent, e []string) string { return quotaOf(a, e).Key }
	claude, codex := loop.Agent{Name: "claude", Use: "claude"}, loop.Agent{Name: "codex", Use: "codex"}
	fast := loop.Agent{Name: "fast", Use: "claude", Model: "haiku"}
	api := env("ANTHROPIC_API_KEY=sk-1")
	for name, pair := range map[string]struct {
		a, b string
		same bool
	}{
		"one login, two models":            {key(claude, env()), key(fast, env()), true},
		"one login in two folders":         {key(claude, env()), key(claude, env("CLAUDE_CONFIG_DIR="+home+"/second")), true},
		"two logins":                       {key(claude, env()), key(claude, env("CLAUDE_CONFIG_DIR="+home+"/third")), false},
		"a login and a key":                {key(claude, env()), key(claude, api), false},
		"two keys":                         {key(claude, api), key(claude, env("ANTHROPIC_API_KEY=sk-2")), false},
		"one key, two programs":            {key(claude, api), key(loop.Agent{Use: "opencode", Model: "anthropic/x"}, api), true},
		"one key, two addresses":           {key(claude, api), key(claude, append(api, "ANTHROPIC_BASE_URL=http://other")), false},
		"a key in the agent's environment": {key(loop.Agent{Use: "claude", Env: map[string]string{"ANTHROPIC_API_KEY": "sk-1"}}, env()), key(claude, api), true},
		"two programs":                     {key(claude, env()), key(codex, env()), false},
		"a torn file is told by its place": {key(codex, []string{"HOME=" + home + "/torn"}), key(codex, []string{"HOME=" + home + "/torn", "OPENAI_API_KEY="}), true},
		"a name of a person's own":         {key(loop.Agent{Use: "claude", Account: "team"}, env()), key(loop.Agent{Use: "command", Argv: []string{"x"}, Account: "team"}, env()), true},
		"two commands":                     {key(loop.Agent{Use: "command", Argv: []string{"a"}}, env()), key(loop.Agent{Use: "command", Argv: []string{"b"}}, env()), false},
	} {
		if (pair.a == pair.b) != pair.same {
			t.Errorf("%s: same account is %t", name, !pair.same)
		}
	}
}

// TestQuotasHoldNoSecret: nothing of a key or of an id stands in one.
func TestQuotasHoldNoSecret(t *testing.T) {
	t.Parallel()
	a := quotaOf(loop.Agent{Name: "claude", Use: "claude"}, []string{"ANTHROPIC_API_KEY=sk-very-secret", "HOME=/nowhere"})
	if strings.Contains(a.Key+a.Label, "secret") || len(a.Key) != 32 {
		t.Errorf("%+v", a)
	}
}
