package suspect

import (
	"regexp"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// A test that the work adds and that is skipped, or expected to fail, shows nothing. The
// ratchet knows the tests of the base only.

// skipsTest is what a line of a new test does that counts for nothing.
const skipsTest = "skips a test, or expects it to fail"

// Lines that do so in each run: under a condition a test has a reason.
var (
	skipsPython = lazyregexp.New(`\bpytest\.mark\.(?:skip\b|xfail\b\s*(?:\)|,|\]|$|\(\s*(?:\)|reason|strict|raises|run|["']|$)))|^\s*@(?:unittest\.)?(?:skip\(|expectedFailure\b)|^(?:    |\t)pytest\.(?:skip|xfail)\(|^        self\.skipTest\(`)
	skipsGo     = lazyregexp.New(`^\t\w+\.Skip(?:Now|f)?\(`)
	skipsScript = lazyregexp.New(`\b(?:it|test|describe|suite|context)\.(?:skip|todo|fails?|failing)\b(?:\.each)?\s*\(|^\s*x(?:it|describe|test|context)\(|^\s*(?:it|test|describe)\([^\n]*\{\s*(?:skip|todo)\s*:\s*(?:true|["'])`)
	skipsRust   = lazyregexp.New(`^\s*#\[ignore\b`)
)

func skipsOf(lang string) *lazyregexp.Regexp {
	switch lang {
	case "python":
		return skipsPython
	case "go":
		return skipsGo
	case "js":
		return skipsScript
	case "rust":
		return skipsRust
	}
	return nil
}

// skippingIn are the new lines of a file of tests that skip a test in each run.
func skippingIn(file, lang, text string, old map[string]bool) []Finding {
	pattern := skipsOf(lang)
	if pattern == nil {
		return nil
	}
	return newMatches(file, lang, text, skipsTest, old, pattern)
}

// skippedElsewhere matches by language where a test is skipped for the system that it runs on.
var skippedElsewhere = map[string]*lazyregexp.Regexp{
	"python": lazyregexp.New(`\bskip(?:Unless|If|if)\([^)\n]*\b(?:sys\.platform|platform\.\w+|os\.name)\b`),
	"go":     lazyregexp.New(`\bif\s+runtime\.GO(?:OS|ARCH)\s*[!=]=[^{\n]*\{\s*\w+\.Skip(?:f|Now)?\(`),
	"js":     lazyregexp.New(`\bskip\s*:\s*[^,}\n]*\bprocess\.(?:platform|arch)\b|\b(?:skipIf|runIf)\(\s*process\.(?:platform|arch)\b|\bprocess\.(?:platform|arch)\b[^\n?]*\?\s*(?:test|it|describe)\b`),
}

// SkippedElsewhere is in how many places changed tests are skipped for the system that they run
// on (sys.platform, runtime.GOOS, process.platform), beyond those that tests of the base have.
func SkippedElsewhere(before, after map[string]proof.File, content func(id string) ([]byte, error)) (places int, err error) {
	for _, p := range proof.ChangedTests(after, before) {
		lang := proof.LanguageOf(p)
		pattern := skippedElsewhere[lang]
		if pattern == nil {
			continue
		}
		was, now, err := proof.TwoTexts(before[p], after[p], content)
		if err != nil || max(len(was), len(now)) > syntax.LongestSource {
			return 0, err
		}
		in := func(text string) int {
			return len(pattern.FindAllString(withSystem(syntax.WithoutComments(lang, text)), -1))
		}
		places += max(0, in(now)-in(was))
	}
	return places, nil
}

// isSystem matches a line that gives a name what is true on some systems; its groups are the name
// and what tells the system.
var isSystem = lazyregexp.New(`(?m)^[ \t]*(?:const |let |var )?(\w+)\s*:?=\s*[^\n]*\b(sys\.platform|platform\.\w+|os\.name|runtime\.GOOS|runtime\.GOARCH|process\.platform|process\.arch)\b[^\n]*$`)

// withSystem is a text with what tells the system in the place of the names for it.
func withSystem(text string) string {
	for _, m := range isSystem.FindAllStringSubmatch(text, -1) {
		text = strings.ReplaceAll(text, m[0], "")
		text = regexp.MustCompile(`\b`+m[1]+`\b`).ReplaceAllString(text, m[2])
	}
	return text
}
