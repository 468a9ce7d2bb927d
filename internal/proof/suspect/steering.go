package suspect

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// A new test can steer the others: as its file is loaded, or where its runner asks it
// before they run. The loop that adds it leaves it out of the second evaluation; in later
// loops it is a judge of the base.

var (
	// testModule matches the name of a module of tests.
	testModule = lazyregexp.New(`(?:^|\.)(?:test_\w+|\w+_tests?|tests|conftest)(?:\.|$)`)
	// runsTestsModule matches libraries that run tests.
	runsTestsModule = lazyregexp.New(`^(?:unittest|_?pytest|nose2?|doctest)(?:\.|$)`)
	// steersAtImport matches what a module of Python must not do as it is loaded.
	steersAtImport = lazyregexp.New(`\bos\.(?:_exit|abort|kill)\(|\bsys\.(?:exit|settrace|setprofile)\(|\batexit\.register\(|\bsys\.(?:meta_path|path_hooks)\b|\bsys\.modules\[[^\]\n]*\]\s*=[^=]|\bbuiltins\.\w+\s*=[^=]|\b(?:setattr|delattr)\(|\bimportlib\.machinery\.(?:\w+\.)*\w+\s*=[^=]`)
	// changesFunction matches what gives a function other code, wherever a test does it.
	changesFunction = lazyregexp.New(`\.__(?:code|globals|defaults|kwdefaults|closure)__\s*=[^=]`)
	// startsPatch matches a patch that lasts until it is stopped.
	startsPatch = lazyregexp.New(`\bpatch(?:\.\w+)*\(.*\)\.start\(\)`)
	// patcher matches a name for a patch, stopsPatch what ends patches, entersPatch one that ends with its test.
	patcher     = lazyregexp.New(`(?m)\b(\w+)\s*=\s*(?:\w+\.)*patch(?:\.\w+)*\(`)
	stopsPatch  = lazyregexp.New(`\bstop(?:all)?\b`)
	entersPatch = lazyregexp.New(`\b(?:enter_context|enterModuleContext)\(\s*(?:\w+\.)*patch\b`)
	// pytestHook matches hooks of pytest that see or change all tests.
	pytestHook = lazyregexp.New(`^[ \t]*(?:async )?def pytest_(?:collection\w*|itemcollected|pycollect\w*|collect_\w+|ignore_collect|runtest\w*|pyfunc_call|sessionfinish|report_\w+|fixture_setup|make_\w+|load_\w+)\(|^collect_ignore`)
	// asksForRequest matches a file that gets at pytest's view of a test.
	asksForRequest = lazyregexp.New(`\b(?:request|session|item|items|pytestconfig)\b`)
	// replacesItem matches what gives a test that pytest or unittest has collected other code, and
	// reachesItems what gets at all of them from within one.
	replacesItem = lazyregexp.New(`\b(?:item|node|func|test|case)\w*\.(?:obj|_obj|runtest|_testMethodName|__class__)\s*=[^=]|\.runtest\s*=[^=]|\bsetattr\([^)\n]*["'](?:obj|_obj|runtest)["']|\bsession\.items(?:\[[^\]\n]*\])?\s*=[^=]|\bsession\.items\.(?:clear|remove|pop|sort)\b`)
	reachesItems = lazyregexp.New(`\bsession\.items\b|\b(?:config|session)\.(?:pluginmanager|hook)\b|\bgc\.get_objects\(`)
	// loadTests matches the protocol of unittest by which a module chooses its tests, and
	// addsTests what only adds some.
	loadTests = lazyregexp.New(`^def load_tests\(\s*\w+,\s*(\w+)`)
	addsTests = lazyregexp.New(`^\s*(?:\w+\.addTests?\(.*|return (\w+)|#.*|"""[^"]*"""|for \w+ in .*:|(?:import|from) .*|)$`)
	// pythonBlock matches the head of a function, class or main part, calledFirst a call at the margin.
	pythonBlock = lazyregexp.New(`^([ \t]*)(?:async )?(?:def (\w+)|class \w|if __name__\b)`)
	calledFirst = lazyregexp.New(`(?m)^(?:[\w, ]+=[ \t]*)?(\w+)\(`)
)

// steeringIn are the new lines of a file of tests that can steer other tests.
func steeringIn(file, lang, text string, old map[string]bool) (out []Finding) {
	var lines []int
	switch lang {
	case "python":
		lines = steeringPython(text)
	case "go":
		lines = steeringGo(text)
	case "js":
		lines = steeringScript(text)
	}
	lines = append(lines, steeringByName(lang, text)...)
	source := strings.Split(text, "\n")
	if lang == "python" && asksForRequest.MatchString(text) {
		for n, code := range syntax.CodeLines(lang, source) {
			switch {
			case old[strings.TrimSpace(source[n])]:
			case replacesItem.MatchString(code):
				out = append(out, Finding{Path: file, Line: n + 1, What: replacesRunner})
			case reachesItems.MatchString(code):
				lines = append(lines, n)
			}
		}
	}
	for _, n := range lines {
		if !old[strings.TrimSpace(source[n])] {
			out = append(out, Finding{Path: file, Line: n + 1, What: steersTests})
		}
	}
	return out
}

// lastingPatches returns what finds the patches that stay after the test which starts them:
// those that are started as the file is loaded, and all where the file stops none.
func lastingPatches(text string) func(code string, loading bool) bool {
	var names []string
	for _, m := range patcher.FindAllStringSubmatch(text, -1) {
		names = append(names, m[1])
	}
	started, stops := patchOf(`\bNAME\.start\(\)`, names), stopsPatch.MatchString(text)
	return func(code string, loading bool) bool {
		starts := startsPatch.MatchString(code) || started != nil && started.MatchString(code)
		return starts && (loading || !stops) || loading && entersPatch.MatchString(code)
	}
}

func steeringPython(text string) (found []int) {
	var all, judging []string
	for _, b := range syntax.PythonBindings(text) {
		if b.Name == "*" {
			continue
		}
		all = append(all, b.Name)
		if testModule.MatchString(b.Full()) || runsTestsModule.MatchString(b.Module) {
			judging = append(judging, b.Name)
		}
	}
	anywhere, loading := patchOf(pythonPatch, withOtherNames(judging, text)), patchOf(pythonPatch, withOtherNames(all, text))
	patches := lastingPatches(text)
	var first []string
	for _, m := range calledFirst.FindAllStringSubmatch(text, -1) {
		first = append(first, m[1])
	}
	// inside is the indentation of the function whose body the line is in, -1 for none.
	inside, runs, param, openString := -1, true, "", ""
	for n, code := range syntax.CodeLines("python", strings.Split(text, "\n")) {
		if openString != "" || strings.TrimSpace(code) == "" {
			if strings.Count(code, openString)%2 == 1 && openString != "" {
				openString = ""
			}
			continue
		}
		for _, q := range []string{`"""`, "'''"} {
			if strings.Count(code, q)%2 == 1 {
				openString = q
			}
		}
		indent := len(code) - len(strings.TrimLeft(code, " \t"))
		if inside >= 0 && indent <= inside && !strings.HasPrefix(strings.TrimSpace(code), ")") {
			inside, runs, param = -1, true, ""
		}
		if m := pythonBlock.FindStringSubmatch(code); m != nil && inside < 0 && !strings.Contains(m[0], "class ") {
			inside, runs = len(m[1]), m[2] != "" && slices.Contains(first, m[2])
			if l := loadTests.FindStringSubmatch(code); l != nil {
				param = l[1]
				continue
			}
		}
		switch {
		case strings.Contains(code, ".maxDiff") || strings.Contains(code, ".longMessage"):
		case changesFunction.MatchString(code), patches(code, runs), pytestHook.MatchString(code), anywhere != nil && anywhere.MatchString(code),
			runs && (steersAtImport.MatchString(code) || loading != nil && loading.MatchString(code)):
			found = append(found, n)
		case param != "":
			if m := addsTests.FindStringSubmatch(code); m == nil || m[1] != "" && m[1] != param {
				found = append(found, n)
			}
		}
	}
	return found
}

var (
	// goFunction matches the head of a function of Go, its groups the name, and var for one in a variable.
	goFunction = lazyregexp.New(`^(?:func (?:\([^)]*\) )?(\w+)\(|(var) [^=]*=\s*func\()`)
	// goAlways matches what no test of Go needs, goFirst what must not stand where code
	// runs before the tests: an end with success, a function in place of another, a changed
	// package, and a run under a condition.
	goAlways = lazyregexp.New(`//go:linkname|_test\.go["` + "`" + `]|\btesting\.\w+\s*=[^=]|\bos\.Args\s*=[^=]|\bflag\.Set\(\s*"test\.`)
	goFirst  = lazyregexp.New(`\bos\.Exit\(\s*0\s*\)|\b(?:syscall|unix)\.(?:Exit|Kill)\b|\bruntime\.Goexit\b|^\s*\w+(?:\.\w+)*\s*=\s*func\(|^\t{2,}(?:return |os\.Exit\(|\w+\s*:?=\s*)?m\.Run\(\)|\bflag\.Set\(`)
	goPatch  = `^\s*NAME\.[A-Z]\w*\s*=[^=]`
)

func steeringGo(text string) (found []int) {
	var names []string
	for _, b := range syntax.GoBindings(text) {
		if b.Name != "_" && b.Name != "." {
			names = append(names, b.Name)
		}
	}
	patch := patchOf(goPatch, names)
	first := false
	lines := strings.Split(text, "\n")
	code := syntax.CodeLines("go", lines)
	for n, line := range lines {
		if m := goFunction.FindStringSubmatch(line); m != nil {
			first = m[1] == "init" || m[1] == "TestMain" || m[2] != ""
		}
		code := code[n]
		if goAlways.MatchString(code) || first && !strings.Contains(code, "time.Local") && (goFirst.MatchString(code) || patch != nil && patch.MatchString(code)) {
			found = append(found, n)
		}
	}
	return found
}

var (
	// scriptFirst matches what a file of tests must not do as it is loaded; runners give
	// each file a process or globals of its own, mocha does not.
	scriptFirst = lazyregexp.New(`^(?:process\.(?:exit|reallyExit|abort|kill)\(|process\.(?:exitCode|argv|execArgv)\s*=|process\.(?:on|once)\(\s*['"](?:exit|beforeExit)|(?:globalThis|global)\.\w+\s*=[^=]|\w+(?:\.\w+)*\.prototype\.\w+\s*=[^=]|delete require\.cache|require\.cache\[)`)
	// scriptMock matches the functions that runners make in place of others.
	scriptMock = lazyregexp.New(`\b(?:jest|vi|mock|sinon|td)\b`)
)

func steeringScript(text string) (found []int) {
	var names []string
	for _, b := range syntax.ScriptBindings(text) {
		if b.Name != "*" {
			names = append(names, b.Name)
		}
	}
	patch := patchOf(`^NAME(?:\.[\w$]+|\[[^\]\n]+\])+\s*=[^=>]|^(?:Object|Reflect)\.(?:assign|define\w+|set\w*)\(\s*NAME\b`, names)
	for n, code := range syntax.CodeLines("js", strings.Split(text, "\n")) {
		if !scriptMock.MatchString(code) && (scriptFirst.MatchString(code) || patch != nil && patch.MatchString(code)) {
			found = append(found, n)
		}
	}
	return found
}

// steering are the lines of new and changed tests that can steer others. all is false
// where there are more than are searched.
func (h helpers) steering() (found []Finding, all bool, err error) {
	was, err := h.testsWas()
	if err != nil {
		return nil, false, err
	}
	now, err := h.testsNow()
	if err != nil {
		return nil, false, err
	}
	old, carriage, bytes := map[string]bool{}, map[string]bool{}, 0
	for _, t := range was {
		syntax.AddLines(old, string(t.data))
		syntax.AddLines(old, t.text)
		carriage[t.path] = syntax.OnlyCarriage(t.data)
	}
	all = true
	for n, t := range now {
		if bytes += len(t.data); n >= mostSuspectFiles || bytes > mostSearched || len(t.data) > syntax.LongestSource {
			all = false
			continue
		}
		in := slices.Concat(steeringIn(t.path, t.lang, t.text, old), skippingIn(t.path, t.lang, t.text, old), ownAnswers(t.path, t.lang, t.text, old), misplacedIn(t.path, t.lang, t.text, old, h.After))
		if !carriage[t.path] {
			in = append(in, oddEndsIn(t.path, t.lang, t.data, old)...)
		}
		slices.SortStableFunc(in, func(a, b Finding) int { return a.Line - b.Line })
		found = append(found, slices.CompactFunc(in, func(a, b Finding) bool { return a.Line == b.Line })...)
	}
	weak, err := weakTests(was, now, h.Before, h.Content)
	if err != nil {
		return nil, false, err
	}
	patched, err := patchedStubs(now, h.Before, h.After, h.Content)
	return slices.Concat(found, weak, patched), all, err
}
