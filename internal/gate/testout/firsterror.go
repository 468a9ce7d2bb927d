package testout

import (
	"strings"

	"ralph/internal/gate/text"
	"ralph/internal/lazyregexp"
)

// firstError finds, in the lines that belong to one failed test, the first
// that states an error, and joins to it the few that carry its values: many
// runners print "not equal" on one line and the two sides below it.
type firstError struct {
	any    string
	error  string
	values int
	after  int
}

const (
	maxValues = 3
	valueNear = 6 // lines below the error in which its values are looked for
)

var valueLine = lazyregexp.New(`(?i)^\W*(expected|actual|got|want|received|left|right|error|but was|assertion)\b.{0,30}?[:=]|!==|!= | == |^[-+] ?\S|^E\s`)

var emptyPosition = lazyregexp.New(`^\S+?:\d+:?$`)

func (f *firstError) add(line string) {
	line = strings.TrimSpace(line)
	switch {
	case line == "":
	case f.error != "":
		f.after++
		if f.after <= valueNear && f.values < maxValues && valueLine.MatchString(line) {
			f.error += " | " + clip(line)
			f.values++
		}
	case emptyPosition.MatchString(line):
	case text.ErrorLike(line):
		f.error = clip(line)
	case f.any == "":
		f.any = clip(line)
	}
}

func (f *firstError) String() string {
	if f.error != "" {
		return clip(f.error)
	}
	return f.any
}
