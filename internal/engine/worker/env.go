package worker

import (
	"slices"
	"strings"
	"sync"

	"ralph/internal/agent"
	"ralph/internal/agent/registry"
	"ralph/internal/loop"
)

// Environment of the program that started the loop, as KEY=value.
type Environment []string

// quiet keeps children from asking, paging, editing and from their own
// locales; git in particular cannot prompt.
func quiet() []string {
	return []string{
		"LC_ALL=C.UTF-8", "GIT_TERMINAL_PROMPT=0", "GIT_EDITOR=true", "GIT_SEQUENCE_EDITOR=true",
		"EDITOR=true", "VISUAL=true", "PAGER=cat", "GIT_PAGER=cat", "DEBIAN_FRONTEND=noninteractive",
	}
}

// Agent is the environment of an agent: the person's own, so that its login
// works, without what an enclosing agent session, ralph or git put there.
func (e Environment) Agent(extra ...string) []string {
	kept := slices.DeleteFunc(slices.Clone([]string(e)), func(kv string) bool {
		return foreign(key(kv))
	})
	return overlay(kept, quiet(), extra)
}

// Gate is the environment of a gate: an allow-list, so that a check sees
// neither provider keys nor settings the agent could have planted.
func (e Environment) Gate(g loop.Gate, extra ...string) []string {
	kept := slices.DeleteFunc(slices.Clone([]string(e)), func(kv string) bool {
		return !allowed(key(kv))
	})
	own := make([]string, 0, len(g.Env))
	for k, v := range g.Env {
		own = append(own, k+"="+v)
	}
	slices.Sort(own)
	return overlay(kept, quiet(), extra, own)
}

func key(kv string) string {
	k, _, _ := strings.Cut(kv, "=")
	return k
}

// foreign variables belong to an enclosing session and would leak into a run
// that is to be fresh.
func foreign(k string) bool {
	begins := func(prefix string) bool { return strings.HasPrefix(k, prefix) }
	return slices.ContainsFunc(foreignPrefixes(), begins) && !slices.ContainsFunc(loginPrefixes(), begins)
}

var (
	foreignPrefixes = sync.OnceValue(func() []string {
		return append(
			registry.Collect(func(f agent.Footprint) []string { return f.Nested }),
			"RALPH_", "GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_OBJECT_DIRECTORY", "GIT_ALTERNATE_OBJECT_DIRECTORIES", "GIT_COMMON_DIR", "GIT_PREFIX", "GIT_CONFIG",
		)
	})
	loginPrefixes = sync.OnceValue(func() []string {
		return registry.Collect(func(f agent.Footprint) []string { return f.Login })
	})
)

// SessionMarks returns the variables that a command finds which an agent, or
// ralph for an agent, has started.
func SessionMarks() []string {
	return append([]string{"RALPH_LOOP_ID", "RALPH_SESSION"}, registry.Marks()...)
}

// SessionIDs returns the variables in which a command that an agent runs finds the id of
// the agent's session, the same that its hooks get.
func SessionIDs() []string {
	return append([]string{"RALPH_SESSION"}, registry.SessionIDs()...)
}

// allowed reports whether a gate may see a variable: those that find tools,
// caches and certificates, and none whose name marks a secret.
func allowed(k string) bool {
	upper := strings.ToUpper(k)
	if secret(k) {
		return false
	}
	if slices.Contains([]string{
		"PATH", "HOME", "USER", "LOGNAME", "SHELL", "TMPDIR", "TMP", "TEMP", "LANG", "TZ", "TERM", "CI", "VIRTUAL_ENV",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
		"SYSTEMROOT", "COMSPEC", "PATHEXT", "APPDATA", "LOCALAPPDATA", "USERPROFILE",
	}, k) {
		return true
	}
	for _, p := range []string{
		"GO", "CGO_", "CC", "CXX", "CFLAGS", "LDFLAGS", "PKG_CONFIG", "CARGO", "RUST", "NODE_", "NPM_CONFIG_", "PNPM_", "YARN_", "NVM_",
		"COREPACK_", "PYTHON", "PYENV", "PIP_", "UV_", "POETRY_", "CONDA", "JAVA_", "JDK_", "MAVEN_", "M2_", "GRADLE_", "RUBY", "GEM_",
		"BUNDLE_", "RBENV", "DOTNET_", "NUGET_", "PHP", "COMPOSER_", "MIX_", "HEX_", "XDG_", "SSL_CERT_", "NIX_", "LD_LIBRARY_PATH",
	} {
		if strings.HasPrefix(upper, p) {
			return true
		}
	}
	return false
}

// overlay joins lists of KEY=value; later ones win.
func overlay(lists ...[]string) []string {
	at := map[string]int{}
	var out []string
	for _, list := range lists {
		for _, kv := range list {
			if i, ok := at[key(kv)]; ok {
				out[i] = kv
				continue
			}
			at[key(kv)] = len(out)
			out = append(out, kv)
		}
	}
	return out
}
