package detect

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/loop"
)

// manifest is the part of a package.json that is needed. Foreign files may contain
// anything, so that every value is checked.
type manifest struct {
	Scripts         map[string]any `json:"scripts"`
	PackageManager  any            `json:"packageManager"`
	Workspaces      any            `json:"workspaces"`
	Dependencies    map[string]any `json:"dependencies"`
	DevDependencies map[string]any `json:"devDependencies"`
}

func (s *scanner) node() {
	const file = "package.json"
	if s.first(file) == "" {
		return
	}
	var m manifest
	text := s.read(file)
	if err := json.Unmarshal([]byte(text), &m); err != nil {
		s.remark(s.at(file) + unreadable(text, err))
		return
	}
	pm := s.packageManager(m)
	s.nodeScripts(m, pm)
	s.typescript(pm)
	s.nodeSetup(m, pm)
	s.covered["node"] = s.has(loop.KindTests) && (m.Workspaces != nil || s.exists("pnpm-workspace.yaml"))
}

// unreadable returns where and why a JSON text cannot be used.
func unreadable(text string, err error) string {
	at := func(offset int64) int { return 1 + strings.Count(text[:max(min(int(offset)-1, len(text)), 0)], "\n") }
	if e, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Sprintf(":%d: not valid JSON: %v", at(e.Offset), e)
	}
	if e, ok := errors.AsType[*json.UnmarshalTypeError](err); ok && e.Field != "" {
		return fmt.Sprintf(":%d: %s is not an object but of type %s", at(e.Offset), e.Field, e.Value)
	}
	return ": not a JSON object"
}

// packageManager decides by the manifest, then by the lockfile.
func (s *scanner) packageManager(m manifest) string {
	if word, ok := m.PackageManager.(string); ok {
		name, _, _ := strings.Cut(word, "@")
		if slices.Contains([]string{"npm", "pnpm", "yarn", "bun"}, name) {
			return name
		}
	}
	switch {
	case s.exists("pnpm-lock.yaml"):
		return "pnpm"
	case s.exists("yarn.lock"):
		return "yarn"
	case s.first("bun.lock", "bun.lockb") != "":
		return "bun"
	}
	return "npm"
}

func (s *scanner) nodeScripts(m manifest, pm string) {
	for _, want := range []struct {
		gate  loop.Gate
		names []string
	}{
		// CI makes runners that watch files on a terminal run once.
		{loop.Gate{Kind: loop.KindTests, Env: map[string]string{"CI": "1"}}, []string{"test"}},
		{loop.Gate{Kind: loop.KindTypes}, []string{"typecheck", "type-check", "check-types", "types"}},
		{loop.Gate{Kind: loop.KindLint}, []string{"lint"}},
		{loop.Gate{Kind: loop.KindCoverage, Level: loop.Soft, Baseline: true, Env: map[string]string{"CI": "1"}}, []string{"coverage", "test:coverage"}},
	} {
		name := s.usable(m, want.names)
		if name == "" {
			continue
		}
		want.gate.Run = pm + " run " + name
		if name == "test" && pm != "bun" {
			want.gate.Run = pm + " test"
		}
		s.propose(want.gate, "node", pm, "package.json", fmt.Sprintf("script %q", name))
	}
}

// usable returns the first of the names that is a script worth running.
func (s *scanner) usable(m manifest, names []string) string {
	for _, name := range names {
		text, ok := m.Scripts[name].(string)
		switch {
		case !ok || strings.TrimSpace(text) == "":
		case strings.Contains(text, "no test specified"):
			s.remark(fmt.Sprintf("%s: script %q is the placeholder of npm init", s.at("package.json"), name))
		case watches(text):
			s.remark(fmt.Sprintf("%s: script %q watches files and would not end", s.at("package.json"), name))
		default:
			return name
		}
	}
	return ""
}

func watches(script string) bool {
	return slices.ContainsFunc(strings.Fields(script), func(w string) bool {
		return slices.Contains([]string{"--watch", "--watchAll", "-w", "--watch=true", "--watchAll=true"}, w) || w == "nodemon"
	})
}

// typescript proposes the compiler where no script calls it.
func (s *scanner) typescript(pm string) {
	const file = "tsconfig.json"
	if s.first(file) == "" || s.typed() {
		return
	}
	if strings.Contains(s.read(file), `"references"`) {
		s.remark(s.at(file) + ": it refers to other projects; a script \"typecheck\" in package.json would become a gate")
		return
	}
	run := map[string]string{
		"npm":  "npx --no-install tsc --noEmit",
		"pnpm": "pnpm exec tsc --noEmit",
		"yarn": "yarn run tsc --noEmit",
		"bun":  "bunx --no-install tsc --noEmit",
	}[pm]
	s.propose(loop.Gate{Kind: loop.KindTypes, Run: run}, "node", strings.Fields(run)[0], file, "TypeScript is configured")
}

// typed reports whether package.json already gave a types gate.
func (s *scanner) typed() bool {
	return slices.ContainsFunc(s.out.Gates, func(f Found) bool {
		return f.Gate.Kind == loop.KindTypes && f.Source == s.at("package.json")
	})
}

func (s *scanner) nodeSetup(m manifest, pm string) {
	lock := s.first("package-lock.json", "npm-shrinkwrap.json")
	switch {
	case pm == "pnpm" && s.exists("pnpm-lock.yaml"):
		s.setup("pnpm install --frozen-lockfile", pm, "pnpm-lock.yaml")
	case pm == "yarn" && s.exists("yarn.lock") && s.modernYarn(m):
		s.setup("yarn install --immutable", pm, "yarn.lock")
	case pm == "yarn" && s.exists("yarn.lock"):
		s.setup("yarn install --frozen-lockfile", pm, "yarn.lock")
	case pm == "bun" && s.first("bun.lock", "bun.lockb") != "":
		s.setup("bun install --frozen-lockfile", pm, s.first("bun.lock", "bun.lockb"))
	case pm == "npm" && lock != "":
		s.setup("npm ci", pm, lock)
	case pm == "npm" && len(m.Dependencies)+len(m.DevDependencies) > 0:
		// A lockfile written here would count as the agent's work.
		s.setup("npm install --no-package-lock", pm, "package.json")
	}
}

// modernYarn is version 2 or later, which does not know --frozen-lockfile.
func (s *scanner) modernYarn(m manifest) bool {
	word, _ := m.PackageManager.(string)
	version, given := strings.CutPrefix(word, "yarn@")
	return s.exists(".yarnrc.yml") || given && !strings.HasPrefix(version, "1.")
}
