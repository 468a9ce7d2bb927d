package suspect

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/syntax"
)

// A gate's command can build the product with a build tag, a feature or a macro that no other
// command sets (go test -tags prod, cargo test --features x, cc -DTEST). Code behind such a
// switch runs for the gate, and for no user of the product.

// gateOnly is what lines do that are compiled by a switch of the gate alone.
const gateOnly = "is compiled only with a build switch that only a gate's command sets"

// leftOut is what lines do that the build of another program has not, with a switch that no gate
// sets: what stands in their place there, nothing has looked at.
const leftOut = "is not compiled with a build switch that no gate sets"

var (
	// leavesOutTag and leavesOutFeature match a switch without which code is compiled, the group the name.
	leavesOutTag     = lazyregexp.New(`^//go:build\b.*!\s*(\w+)`)
	leavesOutFeature = lazyregexp.New(`\bcfg!?\(\s*not\(\s*(?:any\(\s*|all\(\s*)?feature\s*=\s*"([\w-]+)"`)
)

// Tags of Go: of the systems and architectures that go/build knows, which the name of a file can
// have, too; of compilers and ways to build; and by habit, for what is built only now and then.
var (
	goSystems = []string{
		"aix", "android", "darwin", "dragonfly", "freebsd", "hurd", "illumos", "ios", "js", "linux", "nacl", "netbsd",
		"openbsd", "plan9", "solaris", "wasip1", "windows", "zos", "386", "amd64", "amd64p32", "arm", "arm64", "arm64be",
		"armbe", "loong64", "mips", "mips64", "mips64le", "mips64p32", "mips64p32le", "mipsle", "ppc", "ppc64", "ppc64le",
		"riscv", "riscv64", "s390", "s390x", "sparc", "sparc64", "wasm",
	}
	goBuilds = []string{
		"unix", "cgo", "gc", "gccgo", "race", "msan", "asan", "purego", "tools", "tinygo", "appengine",
	}
	goHabits = []string{
		"ignore", "tool", "generate", "wireinject", "faketime", "go1", "boringcrypto", "goexperiment", "integration", "e2e",
		"bench", "fuzz", "gofuzz",
	}
)

func isUsualTag(tag string) bool {
	return slices.Contains(goSystems, tag) || slices.Contains(goBuilds, tag)
}

// leftOutIn are the new lines of a file that are left out so. gates are the commands of the
// gates and what these run.
func leftOutIn(file, lang, text, gates string, old map[string]bool) (out []Finding) {
	pattern := map[string]*lazyregexp.Regexp{"go": leavesOutTag, "rust": leavesOutFeature}[lang]
	if pattern == nil || !strings.Contains(text, "go:build") && !strings.Contains(text, "feature") {
		return nil
	}
	for n, line := range strings.Split(text, "\n") {
		m := pattern.FindStringSubmatch(line)
		if m != nil && !old[strings.TrimSpace(line)] && !isUsualTag(m[1]) && !slices.Contains(goHabits, m[1]) && !slices.Contains(syntax.Identifier.FindAllString(gates, -1), m[1]) {
			out = append(out, Finding{Path: file, Line: n + 1, What: leftOut})
		}
	}
	return out
}

// switched returns what matches lines of a language that one of these switches compiles;
// nil where none can.
func switched(lang, switches string) *lazyregexp.Regexp {
	var names []string
	for s := range strings.FieldsSeq(switches) {
		if of, name, _ := strings.Cut(s, ":"); of == lang && s != judge.AllFeatures {
			names = append(names, name)
		}
	}
	pattern := ""
	switch {
	case lang == "rust" && slices.Contains(strings.Fields(switches), judge.AllFeatures):
		pattern = `\bcfg!\([^)\n]*\bfeature\b|\bnot\(\s*(?:any\(\s*)?feature\b`
		if len(names) > 0 {
			pattern += `|\bfeature\s*=\s*"NAME"`
		}
	case len(names) == 0:
		return nil
	case lang == "go":
		pattern = `^//(?:go:build| \+build)\b.*\bNAME\b`
	case lang == "rust":
		pattern = `\bfeature\s*=\s*"NAME"`
	case lang == "c":
		pattern = `^\s*#\s*(?:if|ifdef|ifndef|elif|elifdef|elifndef)\b.*\bNAME\b`
	}
	return lazyregexp.New(named(pattern, names))
}

// switchedIn are the new lines of a file that are compiled by a switch of the gate alone.
func switchedIn(file, lang, text, switches string, old map[string]bool) (out []Finding) {
	pattern := switched(lang, switches)
	if pattern == nil {
		return nil
	}
	for n, line := range strings.Split(text, "\n") {
		if !old[strings.TrimSpace(line)] && pattern.MatchString(line) {
			out = append(out, Finding{Path: file, Line: n + 1, What: gateOnly})
		}
	}
	return out
}
