package suspect

import (
	"path"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// A test that the work adds can look like one and judge nothing: the value that it expects
// stands where a message goes, or it reads the source of the product in place of running it.

// What such lines do.
const (
	expectsNothing = "does not compare the result: no matcher, a tuple, or the expected value in the place of the message"
	readsSource    = "reads the source of the product instead of running it"
	notAwaited     = "is not awaited: the test ends before the assertion"
)

const oneArgument = `(?:[^(),\n]|\([^()\n]*\))+`

var (
	// misplacedPython and misplacedScript match an assertion that takes the expected value for a message, one of a
	// tuple, which is always true, and an expect without a matcher.
	misplacedPython = lazyregexp.New(`\bself\.assert(?:True|_)\(` + oneArgument + `,\s*(?:-?\d[\d._]*|True|False|None|\[[^\]\n]*\])\s*\)|^\s*assert \(` + oneArgument + `,\s*[rf]?["'][^"'\n]*["']\s*\)\s*$`)
	misplacedScript = lazyregexp.New(`(?:^|[^.\w])assert(?:\.ok)?\(` + oneArgument + `,\s*(?:-?\d[\d._]*|true|false|null|\[[^\]\n]*\])\s*\)|^\s*(?:await\s+)?expect\(` + oneArgument + `\);?\s*$`)
	// leavesPromise matches a line that begins with an assertion which judges later.
	leavesPromise = lazyregexp.New(`^\s*(?:(?:assert|t|strict)(?:\.strict)?\.(?:rejects|doesNotReject|notThrowsAsync|throwsAsync)\(|expect\(.*\)\.(?:rejects|resolves)\.\w)|^\s*[A-Za-z_$][\w$.]*\([^)\n]*\)\.then\([^\n]*\b(?:assert|expect)\b`)
	// readsText matches the reading of a file.
	readsText = lazyregexp.New(`\b(?:read_text|open|read_bytes|readFileSync|readFile)\b`)
)

// misplacedIn are such new lines of a file of tests. Those of Go read sources to see that
// generated ones are new.
func misplacedIn(file, lang, text string, old map[string]bool, after map[string]proof.File) (out []Finding) {
	pattern := map[string]*lazyregexp.Regexp{"python": misplacedPython, "js": misplacedScript}[lang]
	lines := strings.Split(text, "\n")
	if lang == "go" {
		out = leftBehind(file, text, old)
	}
	for n, line := range newCode(lang, text, old) {
		switch {
		case pattern != nil && pattern.MatchString(line):
			out = append(out, Finding{Path: file, Line: n, What: expectsNothing})
		case lang == "js" && leavesPromise.MatchString(line) && !giveBack(lines, n-1):
			out = append(out, Finding{Path: file, Line: n, What: notAwaited})
		case pattern != nil && readsText.MatchString(line) && joinsSource(file, line, after):
			out = append(out, Finding{Path: file, Line: n, What: readsSource})
		}
	}
	return out
}

// promised matches the end of a line after which one gives its value to the code before.
var promised = lazyregexp.New(`(?:=>|\breturn|\bawait|[(,=\[])\s*$`)

// giveBack reports whether what a line begins is a value of the code before it.
func giveBack(lines []string, n int) bool { return n > 0 && promised.MatchString(lines[n-1]) }

var (
	// goroutine matches the beginning of a goroutine with a function of its own, failsGoTest what fails a test.
	goroutine   = lazyregexp.New(`(?m)^[ \t]*go func\([^()\n]*\)[ \t]*(\{)`)
	failsGoTest = lazyregexp.New(`\bt\.(?:Error|Fatal|Fail)|\b(?:assert|require)\.`)
	// waitsInGo matches what may wait for a goroutine.
	waitsInGo = lazyregexp.New(`\.Wait\b|<-|\brange\b|\bsynctest\.`)
	// ofServers matches what tests look at in goroutines that serve them.
	ofServers = lazyregexp.New(`(?i)err\b|NoError`)
)

// leftBehind are the new goroutines of a test of Go that assert, where nothing outside of them in
// the function waits.
func leftBehind(file, text string, old map[string]bool) (out []Finding) {
	for _, at := range goroutine.FindAllStringSubmatchIndex(text, -1) {
		inside, _ := syntax.InBrackets(text[at[3]:])
		from, to := strings.LastIndex(text[:at[0]], "\nfunc "), strings.Index(text[at[3]:], "\n}\n")
		if from < 0 || to < len(inside) || old[strings.TrimSpace(text[at[0]:at[3]])] || !failsGoTest.MatchString(inside) || ofServers.MatchString(inside) {
			continue
		}
		if !waitsInGo.MatchString(text[from:at[0]] + text[at[3]+len(inside):at[3]+to]) {
			out = append(out, Finding{Path: file, Line: lineOf(text, at[2]), What: notAwaited})
		}
	}
	return out
}

// joinsSource reports whether a line names a source of the product, by its path or from the
// folder of the file.
func joinsSource(file, line string, files map[string]proof.File) bool {
	parts := ""
	for _, m := range wordsOfPath.FindAllStringSubmatch(line, -1) {
		parts = path.Join(parts, m[1])
		for _, p := range []string{parts, path.Join(proof.DirOf(file), parts)} {
			f, is := files[p]
			if _, test := proof.IsTest(p); is && !test && proof.LanguageOf(p) != "" && proof.IsFile(f) {
				return true
			}
		}
	}
	return false
}
