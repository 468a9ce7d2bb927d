package testout

import (
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	unittestTest  = lazyregexp.New(`^(\w+) \((\w[\w.<>]*)\)(?: \.\.\.(?: (.*))?)?$`)
	unittestSub   = lazyregexp.New(`^  \S.* \(.+\).* \.\.\. (FAIL|ERROR)$`)
	unittestClass = lazyregexp.New(`^\w+(?:\.[\w<>]+)+$`)
	unittestTail  = lazyregexp.New(`^(?: \.\.\.(?: (.*))?)?$`)
	unittestHow   = lazyregexp.New(`(?:^|\.\.\. )(ok|FAIL|ERROR|skipped (?:'.*'|".*")|expected failure|unexpected success)$`)
	unittestRan   = lazyregexp.New(`^Ran (\d+) tests? in [\d.]+s`)
	unittestEnd   = lazyregexp.New(`^(OK|FAILED|NO TESTS RAN)\b(?: \((.*)\))?$`)
	unittestCount = lazyregexp.New(`(failures|errors|skipped|expected failures|unexpected successes)=(\d+)`)
	unittestNamed = lazyregexp.New(`^(FAIL|ERROR|UNEXPECTED SUCCESS): ((\S+)(?: \((.+?)\))?.*)`)
	bar           = lazyregexp.New(`^(={20,}|-{20,})$`)
)

// unittest reads the output of Python's unittest.
type unittest struct {
	counter
	seen   bool
	ran    int
	open   bool // "Ran N tests" without the verdict below it
	r      Report
	id     string
	bars   int
	first  firstError
	after  bool // a bar of "=" was just seen
	failed []Failure

	// With -v: the tests that were listed, the last of them, and whether it is
	// one whose outcome is still to come.
	cases   []Case
	pending string
	subFail bool
}

func (u *unittest) line(s string) {
	u.list(s)
	if !startsWith(s, "==========", "----------", "FAIL", "ERROR", "UNEXPECTED", "Ran ", "OK", "NO TESTS") {
		u.text(s)
		return
	}
	if bar.MatchString(s) {
		u.onBar(s[0] == '=')
		return
	}
	if m := unittestNamed.FindStringSubmatch(s); m != nil && u.after {
		u.hit()
		u.id, u.bars, u.after = unittestID(m[3], m[4]), 0, false
		if id, _, ok := unusualName(m[2]); ok {
			u.id = id
		}
		return
	}
	if m := unittestRan.FindStringSubmatch(s); m != nil {
		u.close()
		u.hit()
		u.seen, u.open, u.ran = true, true, number(m[1])
		return
	}
	if m := unittestEnd.FindStringSubmatch(s); m != nil && u.open {
		u.end(m[1], m[2])
		return
	}
	u.text(s)
}

func (u *unittest) text(s string) {
	if u.id != "" && !strings.HasPrefix(s, " ") {
		u.first.add(s)
	}
}

// unittestID: up to Python 3.10 the text in brackets lacks the method's name.
func unittestID(name, where string) string {
	switch {
	case where == "":
		return name
	case strings.HasSuffix(where, "."+name):
		return where
	}
	return where + "." + name
}

// unusualName reads a test whose name is no identifier, as generated tests may have:
// "test_one half (module.Class.test_one half) ... ok". It returns the id and what follows.
// Up to Python 3.10 the text in brackets lacks the method's name.
func unusualName(s string) (id, tail string, ok bool) {
	const most = 8 // brackets in a name
	for at, n := strings.Index(s, " ("), 0; at >= 0 && n < most; n++ {
		name, where := s[:at], s[at+2:]
		if class, tail, found := strings.Cut(where, "."+name+")"); found && unittestClass.MatchString(class) {
			return class + "." + name, tail, true
		}
		class, tail, found := strings.Cut(where, ")")
		if found && strings.HasPrefix(name, "test") && unittestClass.MatchString(class) && strings.HasPrefix(tail, " ...") {
			return class + "." + name, tail, true
		}
		next := strings.Index(where, " (")
		if next < 0 {
			break
		}
		at += 2 + next
	}
	return "", "", false
}

// onBar: "=" opens a failure, the first "-" ends its title, the next it.
func (u *unittest) onBar(opens bool) {
	u.bars++
	u.after = opens
	if opens || u.bars > 1 {
		u.close()
	}
}

func (u *unittest) close() {
	again := len(u.failed) > 0 && u.failed[len(u.failed)-1].ID == u.id // another of its subtests
	if u.id != "" && !again && len(u.failed) < maxFailures {
		u.failed = append(u.failed, Failure{ID: u.id, Line: u.first.String()})
	}
	u.id, u.first = "", firstError{}
}

func (u *unittest) end(verdict, counts string) {
	u.hit()
	u.open = false
	skipped, failed := 0, 0
	for _, m := range unittestCount.FindAllStringSubmatch(counts, -1) {
		switch m[1] {
		case "skipped", "expected failures":
			skipped += number(m[2])
		default:
			failed += number(m[2])
		}
	}
	if verdict == "FAILED" {
		failed = max(failed, 1)
	}
	for _, f := range u.failed {
		u.r.note(f.ID, f.Line)
	}
	if len(u.cases) == u.ran {
		failed, skipped = u.record()
	} else if len(u.cases) > 0 {
		u.r.Unread = true
	}
	u.r.Run += max(u.ran-skipped, failed)
	u.r.Failed += failed
	u.r.Skipped += skipped
	for _, f := range u.failed {
		if strings.Contains(f.ID, failedModule) {
			u.r.unloaded(f.ID[strings.LastIndexByte(f.ID, '.')+1:])
		}
	}
	u.failed, u.cases, u.pending = nil, nil, ""
}

// failedModule is in the id of the test that stands for a module that cannot be
// imported.
const failedModule = "_FailedTest."

// record counts the tests by their names: in the closing counts each failed
// subtest is one more.
func (u *unittest) record() (failed, skipped int) {
	for _, c := range u.cases {
		if !strings.Contains(c.ID, failedModule) {
			u.r.record(c.ID, c.Outcome)
		}
		switch c.Outcome {
		case Failed:
			failed++
		case Skipped:
			skipped++
		}
	}
	return failed, skipped
}

// list reads the list of tests that -v prints. The outcome of a test stands on
// its line, on that of its description, or after what it printed.
func (u *unittest) list(s string) {
	if u.pending != "" && unittestSub.MatchString(s) {
		u.subFail = true
		return
	}
	if m := unittestTest.FindStringSubmatch(s); m != nil && !u.after {
		u.outcome("")
		u.pending = unittestID(m[1], m[2])
		s = m[3]
	} else if id, tail, ok := unusualName(s); ok && !u.after && unittestTail.MatchString(tail) {
		u.outcome("")
		u.pending = id
		s = unittestTail.FindStringSubmatch(tail)[1]
	}
	if u.pending == "" {
		return
	}
	if bar.MatchString(s) {
		u.outcome("")
	} else if m := unittestHow.FindStringSubmatch(s); m != nil {
		u.outcome(m[1])
	}
}

// outcome closes the pending test. A test with failed subtests has no outcome of
// its own.
func (u *unittest) outcome(how string) {
	o := Failed
	switch {
	case u.pending == "" || how == "" && !u.subFail:
		u.pending = ""
		return
	case u.subFail:
	case how == "ok":
		o = Passed
	case how == "expected failure", strings.HasPrefix(how, "skipped"):
		o = Skipped
	}
	u.hit()
	if len(u.cases) <= maxCases {
		u.cases = append(u.cases, Case{ID: clip(u.pending), Outcome: o})
	}
	u.pending, u.subFail = "", false
}

func (u *unittest) report() (Report, bool) {
	r := u.r
	if u.open {
		r.Incomplete = "the verdict of unittest is missing"
	}
	return r, u.seen
}
