package suspect

import (
	"slices"
	"strings"
	"sync"

	"ralph/internal/lazyregexp"
)

// What a suspect line does.
const (
	endsProcess    = "ends the process, and can end a test run early"
	findsTests     = "looks for tests or their runner: it could act differently in a test"
	findsCaller    = "looks at its caller: it could act differently in a test"
	forgesReport   = "writes what a test runner prints, and could fake results"
	looksAround    = "looks at the clock, the process or its folder: it may work only now or only here"
	changesPath    = "changes where modules are loaded from"
	changesLibrary = "changes a library or global setting that tests may use"
	changesCode    = "changes other code at run time, or hides code"
	runsFile       = "loads code from a file at run time"
	startsSelf     = "finds its own program, and could start itself again"
	replacesHelper = "replaces a test helper that tests import through the product"
	takesPlace     = "is loaded in place of"
	leadsToTests   = "is a link to tests, where the product can read the expected results"
	copiesTests    = "is a copy of test file"
	knowsAnswers   = "compares with an input of a test and returns the expected result"
	steersTests    = "can change how other tests run"
	hidesLines     = "contains line breaks that a diff does not show"
	tooLarge       = "is too large for ralph to search"
	looksBinary    = "contains a NUL byte, so tools treat it as binary data"
	hiddenCode     = "contains code or objects in a form that ralph does not search"
	silencesTool   = "suppresses a linter, type checker or coverage tool"
	equalsAll      = "compares equal to anything"
	replacesRunner = "replaces a part of a test runner"
	writesExpected = "sets an environment variable that makes tests overwrite their expected results"
)

// form is a sort of lines that do something: a name for what they look at or change, and what
// matches them.
type form struct{ finds, pattern string }

// group are the forms in which a line does what. program: usual in files that are programs, where
// they do not count.
type group struct {
	what    string
	program bool
	forms   []form
}

// everywhere are what lines of any language do.
var everywhere = []group{
	{writesExpected, false, []form{
		{"tests overwrite what they expect", `(?:\benviron(?:\.setdefault\(|\[)\s*|\bprocess\.env[.[]|\b(?:[Ss]etenv|set_var|putenv)\(\s*)["']?(?i:\w*(?:UPDATE|REGEN\w*|OVERWRITE|BLESS|RERECORD)_?(?:\w+_)?(?:GOLDENS?|SNAP(?:SHOT)?S?|EXPECT\w*|BASELINES?|FIXTURES?)|(?:\w+_)?(?:GOLDENS?|SNAP(?:SHOT)?S?)_(?:UPDATE|OVERWRITE)|INSTA_UPDATE|INSTA_FORCE_PASS|TRYBUILD)["']?\]?\s*(?:,|(?:\|\||\?\?)?=[^=])`},
	}},
	{findsTests, false, []form{
		{"the variables that ralph and git's callers set for a gate", `\bRALPH_[A-Z]|\bGIT_TERMINAL_PROMPT\b|\bGIT_EDITOR\b|\bPAGER\b[^\n]{0,20}\bcat\b`},
		{"Python's order to write no compiled files, which a gate gets", `\bdont_write_bytecode\b(?:\s*(?:[^=\s]|==)|\s*$)|\bPYTHONDONTWRITEBYTECODE\b`},
	}},
}

// runnerOutput is printed around the results of tests.
var runnerOutput = []form{
	{"the output of go test", `=== RUN|--- PASS|--- FAIL|\\x16[-=PF]|"Action":|\\"Action\\":`},
	{"the output of other runners", `\d+ passed|Ran \d+ tests?|test result: ok|# pass \d|["'](?:not )?ok \d`},
}

// groups are by language. The languages are those in which tests run in the process of the
// product, or in which the product can read them.
var groups = map[string][]group{
	"go": suspectGo, "python": suspectPython, "js": suspectScript, "rust": suspectRust, "ruby": suspectRuby, "php": suspectPHP,
	"jvm": suspectJVM, "c": suspectC, "perl": suspectPerl, "tcl": suspectTcl, "shell": suspectShell,
}

// suspicions are what lines of each language do, those of everywhere first.
var suspicions = sync.OnceValue(func() map[string][]suspicion {
	all := map[string][]suspicion{}
	for lang, own := range groups {
		for _, g := range slices.Concat(everywhere, own) {
			var patterns []string
			for _, f := range g.forms {
				patterns = append(patterns, f.pattern)
			}
			all[lang] = append(all[lang], suspicion{lazyregexp.New(strings.Join(patterns, "|")), g.what, g.program})
		}
	}
	return all
})
