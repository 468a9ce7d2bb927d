package suspect

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/proof"
	"ralph/internal/proof/judge"
	"ralph/internal/proof/syntax"
)

// What the base has and the work takes away fails in no gate that builds, inspects or measures
// what is there.
const (
	leavesGate = "was removed, and no gate runs tests that would notice"
	losesCode  = "no longer has these functions, and no gate would notice: "
	// Where the task asks to take something away, that is for a person.
	takenAway = "is removed, perhaps as the task asks, and no gate runs tests that would notice"
	takesCode = "removes functions, perhaps as the task asks, and no gate would notice: "
)

// takesAway matches the text of a task that asks for less.
var takesAway = lazyregexp.New(`(?i)\b(?:remov|delet|drop|prun|dead|unused|obsolete|clean|strip|mov|renam|split|merg|extract|replac|rewrit|refactor|deduplicat|simplif|migrat|convert|port\b)`)

// gone are the sources that the work removes, or moves to where tools do not look, and those that
// lose functions, where it has fewer of them than the base.
func (e evasions) gone(gates []loop.Gate, duties judge.Duties) (out []Finding, err error) {
	tested := runsTests(gates, duties)
	counts := duties.Measures || builds.MatchString(duties.Texts) && !tested
	gone, loses := leavesGate, losesCode
	if takesAway.MatchString(duties.Task) {
		gone, loses = takenAway, takesCode
	}
	was, now := map[string]string{}, map[string]string{}
	for _, p := range e.was {
		if !isProduct(p) {
			continue
		}
		if _, still := e.after[p]; !still && (!tested || e.untested(p, duties)) && !e.movedInSight(p) {
			out = append(out, Finding{Path: p, What: gone})
		} else if counts {
			err = e.functions(p, e.before[p], was)
		}
		if err != nil {
			return nil, err
		}
	}
	for _, p := range e.now {
		if !counts || !isProduct(p) {
			continue
		}
		if err := e.functions(p, e.after[p], now); err != nil {
			return nil, err
		}
	}
	lost := map[string][]string{}
	fewer := len(was) > len(now)
	for name, p := range was {
		if _, still := now[name]; !still && fewer {
			lost[p] = append(lost[p], name)
		}
	}
	for _, p := range e.was {
		if names := lost[p]; len(names) > 0 {
			slices.Sort(names)
			out = append(out, Finding{Path: p, What: loses + strings.Join(names[:min(len(names), 3)], ", ")})
		}
	}
	return out, nil
}

var (
	// builds matches commands that build the product, tests those that run tests.
	builds = lazyregexp.New(`\bgo\s+(?:build|install|vet)\b|\bcargo\s+(?:b|build|c|check|clippy)\b|\bmvnw?\b|\bgradlew?\b|\b(?:dotnet|swift|zig|npm run|yarn|pnpm)\s+build\b|(?m:^|[;&|]\s*)make\b|\bcmake\s+--build|\bpy_compile\b|\bcompileall\b|\btsc\b|\bjavac\b|\b(?:gcc|cc|clang|g\+\+)\s`)
	tests  = lazyregexp.New(`(?i)\b(?:go|cargo|npm|yarn|pnpm|bun|deno|dotnet|mix|swift|node|zig|make|just|task)\s+(?:run\s+)?(?:-\S+\s+)*(?:--)?(?:[\w:-]*test|check|spec)|pytest|unittest|gotestsum|nextest|\bjest|vitest|mocha|\bava\b|rspec|phpunit|\bpest\b|\b(?:mvnw?|gradlew?)\s[^\n]*(?:test|verify|check|package|install|build)|\b(?:tox|nox|ctest|prove|bats|rake)\b|\b[\w-]*(?:tests?|specs?|check)[\w-]*\.(?:sh|py|js|rb|pl|mjs|cjs)\b`)
)

// runsTests reports whether a gate runs tests, or programs that may be some.
func runsTests(gates []loop.Gate, duties judge.Duties) bool {
	return tests.MatchString(duties.Texts) || slices.ContainsFunc(gates, func(g loop.Gate) bool { return g.Kind == loop.KindTests })
}

// compilesAll matches commands of Go that compile packages without tests, too.
var compilesAll = lazyregexp.New(`\bgo\s+(?:test|vet|build)\b[^\n]*\./\.\.\.`)

// untested reports whether a source of Go is in a folder without tests, which a gate compiles.
func (e evasions) untested(p string, duties judge.Duties) bool {
	if proof.LanguageOf(p) != "go" || !compilesAll.MatchString(duties.Texts) {
		return false
	}
	for q := range e.before {
		if strings.HasSuffix(q, "_test.go") && proof.DirOf(q) == proof.DirOf(p) {
			return false
		}
	}
	return true
}

// isProduct reports whether a path is a source, and neither a test nor configuration.
func isProduct(p string) bool {
	_, test := proof.IsTest(p)
	return proof.LanguageOf(p) != "" && !test && !proof.IsConfig(p)
}

// functions adds the functions of a source by their names.
func (e evasions) functions(p string, f proof.File, to map[string]string) error {
	how, known := functionsIn(proof.LanguageOf(p))
	if !known {
		return nil
	}
	text, err := e.content(f.ID)
	if err != nil || len(text) > syntax.LongestSource {
		return err
	}
	for _, f := range how.Functions(string(text)) {
		if f.Name != "" {
			to[f.Name] = p
		}
	}
	return nil
}

// outOfSight are folders in which tools do not look.
var outOfSight = []string{"testdata", "vendor", "node_modules", "build", "dist", "target"}

// movedInSight reports whether a source that the work removes stands elsewhere below its topmost
// folder, where the tools that see it now look.
func (e evasions) movedInSight(p string) bool {
	top, _, folder := strings.Cut(p, "/")
	for q, f := range e.after {
		first, _, _ := strings.Cut(q, "/")
		if _, had := e.before[q]; had || path.Ext(q) != path.Ext(p) || !proof.IsFile(f) || folder && first != top {
			continue
		}
		hidden := slices.ContainsFunc(strings.Split(q, "/"), func(name string) bool {
			return name[0] == '.' || name[0] == '_' && !strings.HasPrefix(name, "__") || slices.Contains(outOfSight, name)
		})
		if !hidden && ofSystem(q) == ofSystem(p) && (f.ID == e.before[p].ID || path.Base(q) == path.Base(p)) {
			return true
		}
	}
	return false
}

// ofSystem is the system or architecture for which a source of Go is, by its name.
func ofSystem(p string) string {
	stem, is := strings.CutSuffix(p, ".go")
	if at := strings.LastIndexByte(stem, '_'); is && at >= 0 && slices.Contains(goSystems, stem[at+1:]) {
		return stem[at+1:]
	}
	return ""
}
