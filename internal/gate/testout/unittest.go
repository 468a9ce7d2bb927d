package testout

import (
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	unittestRan   = lazyregexp.New(`^Ran (\d+) tests? in [\d.]+s`)
	unittestEnd   = lazyregexp.New(`^(OK|FAILED|NO TESTS RAN)\b(?: \((.*)\))?$`)
	unittestCount = lazyregexp.New(`(failures|errors|skipped|expected failures|unexpected successes)=(\d+)`)
	unittestNamed = lazyregexp.New(`^(FAIL|ERROR|UNEXPECTED SUCCESS): (\S+)(?: \((.+?)\))?`)
	bar           = lazyregexp.New(`^(={20,}|-{20,})$`)
)

// unittest reads what Python's unittest prints.
type unittest struct {
	seen   bool
	ran    int
	open   bool // "Ran N tests" without the verdict below it
	r      Report
	id     string
	bars   int
	first  firstError
	after  bool // a bar of "=" was just seen
	failed []Failure
}

func (u *unittest) line(s string) {
	if !startsWith(s, "==========", "----------", "FAIL", "ERROR", "UNEXPECTED", "Ran ", "OK", "NO TESTS") {
		u.text(s)
		return
	}
	if bar.MatchString(s) {
		u.onBar(s[0] == '=')
		return
	}
	if m := unittestNamed.FindStringSubmatch(s); m != nil && u.after {
		u.id, u.bars, u.after = unittestID(m[2], m[3]), 0, false
		return
	}
	if m := unittestRan.FindStringSubmatch(s); m != nil {
		u.close()
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

// onBar: "=" opens a failure, the first "-" ends its title, the next it.
func (u *unittest) onBar(opens bool) {
	u.bars++
	u.after = opens
	if opens || u.bars > 1 {
		u.close()
	}
}

func (u *unittest) close() {
	if u.id != "" && len(u.failed) < maxFailures {
		u.failed = append(u.failed, Failure{u.id, u.first.String()})
	}
	u.id, u.first = "", firstError{}
}

func (u *unittest) end(verdict, counts string) {
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
	u.r.Run += max(u.ran-skipped, failed)
	u.r.Failed += failed
	u.r.Skipped += skipped
	for _, f := range u.failed {
		u.r.note(f.ID, f.Line)
	}
	u.failed = nil
}

func (u *unittest) report() (Report, bool) {
	r := u.r
	if u.open {
		r.Incomplete = "the verdict of unittest is missing"
	}
	return r, u.seen
}
