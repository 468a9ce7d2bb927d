package judge

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/testing/prooftest"
)

func TestDuties(t *testing.T) {
	t.Parallel()
	measured, inspected, typed := Duties{Inspects: true, Measures: true}, Duties{Inspects: true, Lints: true}, Duties{Inspects: true, Lints: true, ChecksTypes: true}
	scripts := func(s string) prooftest.Tree { return prooftest.Tree{"package.json": `{"scripts": {` + s + `}}`} }
	for what, c := range map[string]struct {
		gate  loop.Gate
		files prooftest.Tree
		want  Duties
	}{
		"tests":                                 {loop.Gate{Run: "go test ./..."}, nil, Duties{}},
		"a linter":                              {loop.Gate{Run: "ruff check ."}, nil, inspected},
		"a tool of coverage":                    {loop.Gate{Run: "pytest --cov"}, nil, measured},
		"a type checker":                        {loop.Gate{Run: "npx tsc -p ."}, nil, typed},
		"by its kind":                           {loop.Gate{Kind: loop.KindTypes, Run: "sh types.sh"}, nil, typed},
		"coverage by its kind":                  {loop.Gate{Kind: loop.KindCoverage, Run: "sh a.sh"}, nil, measured},
		"no command":                            {loop.Gate{Kind: loop.KindReview}, nil, Duties{}},
		"tests of a package":                    {loop.Gate{Kind: loop.KindTests, Run: "npm test"}, scripts(`"test": "node --test", "lint": "eslint .", "cover": "c8 npm test"`), Duties{}},
		"a script of a package":                 {loop.Gate{Kind: loop.KindTests, Run: "npm test"}, scripts(`"test": "c8 --check-coverage --lines 90 node --test"`), measured},
		"a script with a colon in its name":     {loop.Gate{Run: "npm run test:unit"}, scripts(`"test:unit": "c8 node --test"`), measured},
		"a script behind a script":              {loop.Gate{Run: "yarn check"}, scripts(`"check": "npm run types && npm run unit", "types": "tsc --noEmit", "unit": "nyc mocha"`), Duties{Inspects: true, Lints: true, Measures: true, ChecksTypes: true}},
		"a script before it":                    {loop.Gate{Run: "npm test"}, scripts(`"pretest": "eslint .", "test": "node --test"`), inspected},
		"a script of a package in a folder":     {loop.Gate{Run: "npm test", Dir: "web"}, prooftest.Tree{"web/package.json": `{"scripts": {"test": "nyc mocha"}}`, "api/package.json": `{"scripts": {"test": "tsc"}}`}, measured},
		"a goal of make":                        {loop.Gate{Run: "make check"}, prooftest.Tree{"Makefile": "check: unit\n\ntypes:\n\tmypy .\n\nunit:\n\tpytest --cov=shop --cov-fail-under=90\n"}, measured},
		"another goal of make":                  {loop.Gate{Run: "make check"}, prooftest.Tree{"Makefile": "check:\n\tpytest\n\nlint:\n\truff check\n"}, Duties{}},
		"a package behind a goal of make":       {loop.Gate{Run: "make check"}, prooftest.Tree{"Makefile": "check:\n\t@npm run unit\n", "package.json": `{"scripts": {"unit": "c8 node --test"}}`}, measured},
		"a script behind a package of make":     {loop.Gate{Run: "make check"}, prooftest.Tree{"Makefile": "check:\n\t@npm run unit\n", "package.json": `{"scripts": {"unit": "sh ci/unit.sh"}}`, "ci/unit.sh": "c8 node --test\n", "a.js": ""}, measured},
		"make behind a package":                 {loop.Gate{Run: "npm test"}, prooftest.Tree{"Makefile": "unit:\n\tc8 node --test\n", "package.json": `{"scripts": {"test": "make unit"}}`}, measured},
		"a word that is no script":              {loop.Gate{Run: "make check"}, prooftest.Tree{"Makefile": "check:\n\ttest -f a.js\n\tnode --test\n", "package.json": `{"scripts": {"test": "c8 node --test"}}`}, Duties{}},
		"a script of a shell":                   {loop.Gate{Run: "sh ci/test.sh"}, prooftest.Tree{"ci/test.sh": "go test -coverprofile=c.out ./...\ngo tool cover -func=c.out | awk '/total/ { exit $3 < 90 }'\n", "a.go": ""}, measured},
		"a script that a script runs":           {loop.Gate{Run: "sh ci/all.sh"}, prooftest.Tree{"ci/all.sh": "set -e\n. ci/lib.sh\n", "ci/lib.sh": "npx tsc\n", "a.go": ""}, typed},
		"a recipe of just":                      {loop.Gate{Run: "just check"}, prooftest.Tree{"justfile": "check: unit\n\nunit:\n    c8 node --test\n\ntypes:\n    tsc\n"}, measured},
		"a recipe beside a long one":            {loop.Gate{Run: "just check"}, prooftest.Tree{"justfile": "check:\n    c8 node --test\n", ".justfile": strings.Repeat("x:\n    y\n", longestScript/8+1)}, measured},
		"another recipe of just":                {loop.Gate{Run: "just unit"}, prooftest.Tree{"justfile": "lint:\n    eslint .\n\nunit:\n    node --test\n"}, Duties{}},
		"tox":                                   {loop.Gate{Run: "tox -q"}, prooftest.Tree{"tox.ini": "[testenv]\ncommands = pytest --cov\n"}, measured},
		"settings of pytest":                    {loop.Gate{Run: "python3 -m pytest"}, prooftest.Tree{"pyproject.toml": "[tool.pytest.ini_options]\naddopts = \"-q --cov=shop\"\n"}, measured},
		"settings of pytest without coverage":   {loop.Gate{Run: "pytest"}, prooftest.Tree{"pyproject.toml": "[tool.coverage.report]\nfail_under = 90\n"}, Duties{}},
		"settings of jest":                      {loop.Gate{Run: "npm test"}, prooftest.Tree{"package.json": `{"scripts": {"test": "jest"}, "jest": {"collectCoverage": true}}`}, measured},
		"a script that runs failed tests again": {loop.Gate{Run: "./test.sh"}, prooftest.Tree{"test.sh": "exec:pytest -q || pytest -q --lf\n", "a.py": ""}, Duties{Repeats: true}},
		"warnings as errors":                    {loop.Gate{Run: "python3 -W error -m unittest"}, nil, Duties{Warns: true}},
		"warnings as errors by settings":        {loop.Gate{Run: "pytest"}, prooftest.Tree{"pyproject.toml": "[tool.pytest.ini_options]\nfilterwarnings = [\n  \"error\",\n]\n"}, Duties{Warns: true}},
		"settings that ignore warnings":         {loop.Gate{Run: "pytest"}, prooftest.Tree{"pytest.ini": "[pytest]\nfilterwarnings = ignore\n"}, Duties{}},
		"a checker that knows comments":         {loop.Gate{Run: "python3 tools/check.py"}, prooftest.Tree{"tools/check.py": "bad = [l for l in lines if '# allow-print' not in l]\nprint('#')\n", "a.py": ""}, Duties{Marks: "# allow-print"}},
		"a goal that does":                      {loop.Gate{Run: "make check"}, prooftest.Tree{"Makefile": "check:\n\tfor i in 1 2 3; do pytest && exit 0; done; exit 1\n"}, Duties{Repeats: true}},
		"a script that reads a list":            {loop.Gate{Run: "./test.sh"}, prooftest.Tree{"test.sh": "exec:while read -r p; do\n\tpytest $p\ndone < all.txt\nwhile read -r p; do pytest $p; done < all.txt\n", "a.py": ""}, Duties{}},
		"settings of a runner that is unused":   {loop.Gate{Run: "node --test"}, prooftest.Tree{"jest.config.js": "module.exports = { collectCoverage: true };\n"}, Duties{}},
	} {
		s := prooftest.Store{}
		got, err := DutiesOf(c.gate, s.Add(c.files), s.Read)
		if !strings.Contains(got.Texts, c.gate.Run) {
			t.Errorf("%s: the texts are %q", what, got.Texts)
		}
		if want, listed := map[string]string{"a goal of make": "Makefile", "a script that runs a script": "ci/all.sh\nci/lib.sh", "a checker that knows comments": "tools/check.py"}[what]; listed && strings.Join(got.Scripts, "\n") != want {
			t.Errorf("%s: the scripts are %q", what, got.Scripts)
		}
		if got.Texts, got.Scripts = "", nil; !cmp.Equal(got, c.want) || err != nil {
			t.Errorf("%s: %+v, want %+v: %v", what, got, c.want, err)
		}
	}
	if got := inspected.And(Duties{Measures: true}); !cmp.Equal(got, Duties{Inspects: true, Lints: true, Measures: true}) {
		t.Errorf("together: %+v", got)
	}
}

func TestLacksOnlyCoverage(t *testing.T) {
	t.Parallel()
	exit := func(code int) *int { return &code }
	of := func(excerpt string) loop.Result {
		return loop.Result{Verdict: loop.Failed, ExitCode: exit(1), Tests: &loop.Tests{Run: 3}, Excerpt: "TAP version 13\n" + excerpt + "\n"}
	}
	for _, line := range []string{
		"ERROR: Coverage for lines (88.88%) does not meet global threshold (90%)", `Jest: "global" coverage threshold for lines (90%) not met: 80%`,
		"Error: 88.89% line coverage does not meet threshold of 90%.", "FAIL Required test coverage of 90% not reached. Total coverage: 80.00%",
		"ERROR: Coverage failure: total of 80 is less than fail-under=90", "Line coverage (80.00%) is below the expected minimum coverage (90.00%).",
		"Error: \"Coverage is below the failure threshold 80.00% < 90.00%\"", "Rule violated for bundle shop: lines covered ratio is 0.80, but expected minimum is 0.90",
		"coverage 81.2% is below 90%", "coverage: 80.0% < 90%", "coverage too low: 80",
	} {
		if !LacksOnlyCoverage(of(line), nil) {
			t.Errorf("not seen: %s", line)
		}
	}
	for _, line := range []string{
		"coverage: 80.0% of statements", "> c8 --check-coverage --lines 90 node --test", "coverage report --fail-under=90", "make: *** [Makefile:2: coverage] Error 1",
		`if [ "$total" -lt 90 ]; then echo "coverage is below 90"; exit 1; fi`, "+ test 80 -lt 90", "a.js:1 error: use ===", "",
	} {
		if LacksOnlyCoverage(of(line), nil) {
			t.Errorf("taken for a lack of coverage: %s", line)
		}
	}
	const ran = "=== RUN   TestA\n    a_test.go:3: note\n--- PASS: TestA (0.00s)\nPASS\ncoverage: 40.0% of statements\nok  \texample.org/a\t0.1s\tcoverage: 40.0% of statements\n?   \texample.org/b\t[no test files]\n"
	for what, c := range map[string]struct {
		excerpt string
		want    bool
	}{
		"of go test alone":     {ran, true},
		"with its functions":   {ran + "example.org/a/a.go:6:\tOf\t40.0%\ntotal:\t(statements)\t40.0%\n", true},
		"behind make":          {"go test -cover ./... | tee out\n" + ran + "make: *** [Makefile:2: cover] Error 1\n", true},
		"with another message": {ran + "a.go:3:2: declared and not used\n", false},
		"with vet":             {"# example.org/a\n" + ran, false},
		"without coverage":     {"=== RUN   TestA\n--- PASS: TestA (0.00s)\nPASS\nok  \texample.org/a\t0.1s\n", false},
		"no statements":        {"ok  \texample.org/a\t0.1s\tcoverage: [no statements]\n", false},
	} {
		r := of("")
		if r.Excerpt = c.excerpt; LacksOnlyCoverage(r, nil) != c.want {
			t.Errorf("go test %s: want %v", what, c.want)
		}
	}
	low := "coverage 81.2% is below 90%"
	for what, change := range map[string]func(r *loop.Result){
		"passed":           func(r *loop.Result) { r.Verdict = loop.Passed },
		"an error":         func(r *loop.Result) { r.Verdict = loop.Error },
		"no exit":          func(r *loop.Result) { r.ExitCode = nil },
		"exit 0":           func(r *loop.Result) { r.ExitCode = exit(0) },
		"timed out":        func(r *loop.Result) { r.TimedOut = true },
		"a signal":         func(r *loop.Result) { r.Signal = "killed" },
		"no tests":         func(r *loop.Result) { r.Tests = nil },
		"none ran":         func(r *loop.Result) { r.Tests.Run = 0 },
		"one failed":       func(r *loop.Result) { r.Tests.Failed = 1 },
		"one named failed": func(r *loop.Result) { r.Tests.Failing = []string{"a"} },
	} {
		r := of(low)
		if change(&r); LacksOnlyCoverage(r, nil) {
			t.Errorf("%s counts as a lack of coverage", what)
		}
	}
	for ran, want := range map[loop.Count]bool{2: true, 3: true, 4: false} {
		if LacksOnlyCoverage(of(low), &loop.Result{Tests: &loop.Tests{Run: ran}}) != want {
			t.Errorf("%d tests ran on the base, 3 now: %v", ran, !want)
		}
	}
	unknown := of(low)
	unknown.Tests.Run = loop.Unknown
	if !LacksOnlyCoverage(unknown, &loop.Result{Tests: &loop.Tests{Run: loop.Unknown}}) {
		t.Error("a runner that does not count its tests")
	}
}
