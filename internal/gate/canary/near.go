package canary

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// A function that knows the inputs of its tests and no rule (a table, a "match", names of
// members) answers them. For inputs near them it fails, gives them back, gives one character
// again and again, or gives always the same that it gives for none of the tests, or for an
// empty list only. Tests of ralph's own ask it, in the run with the canaries. A function like "plural" gives one and the
// same for nearly all numbers, too, but its tests expect it. One that has a rule for some of them
// stands alone with most of the others: it answers these, and nothing near them.

// Near is a test that fails where a function answers inputs of the tests and none near them,
// or where an example of the task does not hold. Equals is a test that fails where the function
// answers with what equals any value; empty is none.
type Near struct{ Test, Function, Equals, Example string }

// fewestNear answers say something; what takes longer than so many seconds says nothing.
const (
	fewestNear   = "4"
	fewestAlone  = "3"
	longestAsked = "5"
)

var (
	// called matches a call with plain arguments, compares the lines in which it counts.
	called   = lazyregexp.New(`(?:^|[^\w.])(` + aFunction + `)\(((?:\s*(?:-?\w[\w.]*|"[^"\n]*"|'[^'\n]*')\s*,?){1,4})\)`)
	compares = lazyregexp.New(`[=!]=|:=|\bassert|[eE]qual|\bexpect\b|\bgot\b|\bis\(`)
)

// stagedTests matches tests that put something in the place of what the product reaches: a
// call without that may reach the real thing. reaches matches sources that start programs, use
// the network or a database, or change files. Nothing of them is asked.
var (
	stagedTests = lazyregexp.New(`(?i)mock|patch|fixture|\bstub|\bfake|\bspy|sinon|setup|teardown|tmp_?path|temp_?dir|setenv|before(?:each|all)?\(|after(?:each|all)?\(|TestMain`)
	reaches     = lazyregexp.New(`\b(?:subprocess|socket|requests|urllib|httpx|aiohttp|smtplib|ftplib|boto3?|sqlite3?|psycopg\w*|pymysql|sqlalchemy|django|redis|pymongo|shutil|child_process|axios|mongoose|knex|prisma)\b` +
		`|\bos\.(?:remove|unlink|rename|replace|system|popen|kill|mkdir|makedirs|rmdir|truncate|exec\w*|spawn\w*|Remove\w*|Rename|Write\w*|Create\w*|Mkdir\w*|OpenFile|Truncate|StartProcess)\b|\.(?:unlink|rmdir|touch|write\w*|send\w*|post|put|delete|execute|commit)\(` +
		`|\bopen\(.*,\s*(?:mode=)?["'][rbt+]*[wax][bt+]*["']|"(?:net|os/exec|database/sql|syscall)(?:/\w+)*"|['"](?:node:)?(?:net|https?|dgram|tls)['"]|\bfetch\(|\b(?:rm|writeFile|appendFile|unlink|mkdir|rename)(?:Sync)?\(`)
)

// functionsOf are the functions that tests call and compare, of those that are declared, with
// the number of their arguments; 0 where these are lists or objects.
func functionsOf(text string, declared func(name string) bool) (names []string, arguments map[string]int) {
	arguments = map[string]int{}
	take := func(name string, count int) {
		if !slices.Contains(names, name) && len(names) < mostFunctions && declared(name[strings.LastIndexByte(name, '.')+1:]) {
			names, arguments[name] = append(names, name), count
		}
	}
	for line := range strings.Lines(text) {
		if !compares.MatchString(line) {
			continue
		}
		for _, m := range called.FindAllStringSubmatch(line, -1) {
			take(m[1], len(strings.Split(m[2], ",")))
		}
		for _, m := range beginsCall.FindAllStringSubmatchIndex(line, -1) {
			if of := literalsIn(line[m[1]:]); of != "" {
				take(line[m[2]:m[3]], 0)
			}
		}
	}
	return names, arguments
}

// addNear gives the places tests that ask the functions of the work's sources.
func addNear(places []Place, files []string, read func(path string) ([]byte, error), word func() string, work []string, task string) error {
	if len(places) == 0 {
		return nil
	}
	sources, tests := map[string]string{}, map[string][]string{}
	for _, f := range slices.Sorted(slices.Values(files)) {
		k, at := kindOf(f)
		if k == nil && !slices.Contains(work, f) {
			continue
		}
		data, err := read(f)
		switch {
		case err != nil:
			return fmt.Errorf("read %s for a test near the work: %w", f, err)
		case k == nil && !reaches.MatchString(string(data)):
			sources[f] = string(data)
		case k != nil:
			tests[at] = append(tests[at], string(data))
		}
	}
	asked, examples := map[string]bool{}, examplesIn(task)
	for i := range places {
		asked[places[i].At] = true
		places[i].near(tests[places[i].At], sources, examples, word)
	}
	for _, f := range slices.Sorted(slices.Values(work)) { // new tests, which have no canary
		k, at := kindOf(f)
		if k == nil || asked[at] || len(tests[at]) == 0 {
			continue
		}
		asked[at] = true
		p := Place{Path: f, Data: []byte(unchecked(f) + tests[at][0])}
		if p.near(tests[at], sources, examples, word); len(p.Near) > 0 {
			first := &places[0]
			first.Near, first.Edited = append(first.Near, p.Near...), append(first.Edited, p.Edited...)
			if path.Ext(f) != ".go" {
				first.Edited = append(first.Edited, File{Path: p.Path, Data: p.Data})
			}
		}
	}
	return nil
}

// near asks the functions of sources by the texts of the tests of a place.
func (p *Place) near(tests []string, sources map[string]string, examples []example, word func() string) {
	if slices.ContainsFunc(tests, stagedTests.MatchString) {
		return
	}
	p.ask(examples, tests, sources, word)
	switch ext := path.Ext(p.Path); {
	case ext == ".go":
		byPackage := map[string]string{}
		for _, text := range tests {
			if m := syntax.GoPackage.FindStringSubmatch(text); m != nil && !strings.Contains(text, "//go:build") {
				byPackage[m[1]] += text
			}
		}
		for _, name := range slices.Sorted(maps.Keys(byPackage)) {
			p.nearGo(name, withInstances(byPackage[name]), sources, word)
		}
	case ext == ".py":
		p.Data = []byte(before(string(p.Data), "\nif __name__", p.nearBy(inPython, withInstances(strings.Join(tests, "")), sources, word)))
	case inScript.files.MatchString(p.Path) && scriptCall.MatchString(string(p.Data)):
		p.Data = append(p.Data, p.nearBy(inScript, withInstances(strings.Join(tests, "")), sources, word)...)
	}
}

// joined are the sources of a language, one behind the other.
func joined(sources map[string]string, files *lazyregexp.Regexp) string {
	var b strings.Builder
	for _, file := range slices.Sorted(maps.Keys(sources)) {
		if files.MatchString(file) {
			b.WriteString(sources[file])
		}
	}
	return b.String()
}

// asking is how functions of a language are asked: its files, a pattern of what declares NAME,
// what begins an expression that is asked later, and the test. Sources with what endless
// matches are not asked, where nothing can end a call.
type asking struct {
	files                  *lazyregexp.Regexp
	declares, lambda, test string
	endless                *lazyregexp.Regexp
}

// inScript leaves out loops that may not end for another input.
var (
	inPython = asking{lazyregexp.New(`\.py$`), `(?m)^(?:[ \t]*def\s+NAME\s*\(|NAME\s*=)`, "lambda: ", nearPython, nil}
	inScript = asking{
		lazyregexp.New(`\.[cm]?[jt]sx?$`), `\b(?:function\s+NAME\b|NAME\s*[=:(])`, "() => ", nearScript,
		lazyregexp.New(`\bwhile\b|\bfor\s*\([^;)]*;\s*(?:;|[^;]*!==?)`),
	}
)

// nearBy is a test by each function that the sources of the place's language declare.
func (p *Place) nearBy(how asking, tests string, sources map[string]string, word func() string) string {
	known := joined(sources, how.files)
	if how.endless != nil && how.endless.MatchString(known) {
		return ""
	}
	declared := func(name string) bool {
		return regexp.MustCompile(strings.ReplaceAll(how.declares, "NAME", name)).MatchString(known)
	}
	var b strings.Builder
	names, arguments := functionsOf(tests, declared)
	for _, f := range names {
		form := func(in input) string {
			return "[" + strconv.QuoteToASCII(in.echo) + ", " + how.lambda + f + "(" + in.arguments + ")]"
		}
		every := func([]string) bool { return true }
		inputs, keys := inputsOf(tests, f, arguments[f], every), []input(nil)
		if arguments[f] == 1 {
			keys = keysOf(known, every)
		}
		name, equals := word(), word()
		p.Near = append(p.Near, Near{Test: name, Function: nameOf(f), Equals: equals})
		b.WriteString(strings.NewReplacer("NAME", name, "EQUALS", equals, "OTHER", word(), "INPUTS", "["+written(inputs, "[]", form)+"]", "KEYS", "["+strings.Join(forms(keys, form), ", ")+"]", "FEWEST", fewestNear, "ALONE", fewestAlone, "SECONDS", longestAsked).Replace(how.test))
	}
	return b.String()
}

// nearPython is a case of unittest, which pytest runs as well.
const nearPython = `

class TestNAME(__import__("unittest").TestCase):
    def answers(self, judge):
        import signal, threading
        if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
            return
        class Late(BaseException):
            pass
        def late(*_):
            raise Late
        def given(ask):
            try:
                return ask()
            except Late:
                raise
            except BaseException:
                return None
        handler, timer = signal.signal(signal.SIGALRM, late), signal.setitimer(signal.ITIMER_REAL, SECONDS)
        try:
            found = judge(given)
        except BaseException:
            found = False
        finally:
            signal.setitimer(signal.ITIMER_REAL, *timer)
            signal.signal(signal.SIGALRM, handler)
        if found:
            raise RuntimeError("not equal")
    def test_NAME(self):
        def plain(text):
            return text.translate({ord(c): "" for c in " '\""})
        def fitted(given):
            def answer(n, ask):
                a = given(ask)
                if isinstance(a, bool) or not isinstance(a, (int, float, str, bytes, tuple, list, dict)):
                    return ""
                a = str(a)
                return "" if plain(a) == plain(n) or len(set(a)) < 2 and not a.isdigit() else a
            known = [(answer(*n), near) for n, *near in INPUTS if n[0] not in ("[]", "{}")]
            asked = [[answer(*m) for m in near] for a, near in known if a and near]
            alone = sum(not any(near) for near in asked)
            near = [m for a, near in known if a for m in near]
            answers, others = {a for a, _ in known if a}, {answer(*m) for m in near} - {""}
            own = {answer(*key) for key in KEYS} - {""} - answers - others
            if len(answers) > 1 and alone >= ALONE and 3 * alone >= 2 * len(asked) and not own:
                return True
            return len(answers) > 1 and len(near) >= FEWEST and len(others) < 2 and not others & answers and not own
        self.answers(fitted)
    def test_EQUALS(self):
        import decimal, fractions
        def loose(a, depth=0):
            for kind, more in ((int, 7919), (float, 7919.0), (decimal.Decimal, decimal.Decimal(7919)), (fractions.Fraction, fractions.Fraction(7919)), (str, "x"), (bytes, b"x"), (list, [7919]), (tuple, (7919,))):
                if isinstance(a, kind) and type(a) is not kind and (a == kind.__add__(a, more)) is True:
                    return True
            if type(a) in (list, tuple, dict) and depth < 3:
                return any(loose(part, depth + 1) for part in list(a.values() if type(a) is dict else a)[:99])
            return (a == object()) is True or (a == 7919) is True and (a == -104729) is True
        self.answers(lambda given: any(loose(given(ask)) for (_, ask), *_ in INPUTS))
`

// nearScript fails in a test of its own: one that ends the process is reported as failed.
const nearScript = `
let NAME = false, EQUALS = false
;(typeof it === 'function' ? it : test)('OTHER', () => {
  const begun = Date.now()
  const plain = (text) => text.replace(/[ '"]/g, '')
  const loose = (a) => typeof a?.asymmetricMatch === 'function'
  const answer = ([n, ask]) => {
    if (Date.now() - begun > SECONDS * 1000) throw new Error('late')
    let a
    try { a = ask() } catch { return '' }
    try { EQUALS ||= loose(a) || Array.isArray(a) && a.some(loose) } catch {}
    const text = ['number', 'string'].includes(typeof a) ? String(a) : a && typeof a === 'object' ? JSON.stringify(a) : ''
    return plain(text) === plain(n) || new Set(text).size < 2 && !/^\d/.test(text) ? '' : text
  }
  try {
  const known = INPUTS.filter(([[n]]) => !['[]', '{}'].includes(n)).map(([n, ...near]) => [answer(n), near]).filter(([a]) => a)
  const near = known.flatMap(([, near]) => near), others = new Set(near.map(answer)), answers = new Set(known.map(([a]) => a))
  const asked = known.filter(([, near]) => near.length).map(([, near]) => near.map(answer).some((a) => a))
  const alone = asked.filter((any) => !any).length
  others.delete('')
  const own = KEYS.map(answer).filter((a) => a && !answers.has(a) && !others.has(a))
  NAME = answers.size > 1 && alone >= ALONE && 3 * alone >= 2 * asked.length && !own.length || answers.size > 1 && near.length >= FEWEST && others.size < 2 && !own.length && ![...others].some((a) => answers.has(a))
  } catch {}
})
;(typeof it === 'function' ? it : test)('NAME', () => { if (NAME) throw new Error('not equal') })
;(typeof it === 'function' ? it : test)('EQUALS', () => { if (EQUALS) throw new Error('not equal') })
`
