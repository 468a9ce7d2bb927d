package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
)

// errorLines is how many error-looking lines describe a failure that named no
// tests.
const errorLines = 40

// Failure is one failed test: its id and its first error line with the values
// that belong to it. Unnamed: the id is that of a package or a file that does not
// build or load, and only its line tells one such failure from another.
type Failure struct {
	ID, Line string
	Unnamed  bool
}

// Facts identify a failure.
type Facts struct {
	// Gate and End (exit code, signal or "timeout") identify the failure when
	// there is nothing else.
	Gate, End string
	// Roots are the names of the tree's root, as given and without symlinks.
	Roots []string
	// Temp are the names of the command's folder for temporary files.
	Temp []string
	// Failures of parsed tests, if any.
	Failures []Failure
	// Lines are the error-looking lines, else the last lines of the output.
	Lines []string
}

// Fingerprint is 8 hex digits over the sorted set of failed tests by name; without
// failed tests over the last 40 lines; without any output over the gate and how it
// ended. What a test prints does not count: a test that ranges over a map prints
// something else each time.
func Fingerprint(f Facts) string {
	var set []string
	for _, x := range f.Failures {
		part := "test\x00" + f.normalise(x.ID)
		if x.Unnamed {
			part += "\x00" + f.normalise(x.Line)
		}
		set = append(set, part)
	}
	if len(set) == 0 {
		set = lineSet(f)
	}
	return digest(set)
}

// Detail is 8 hex digits over what the failed tests print, and "" where the
// fingerprint is over lines itself. It tells two failures of the same tests apart.
func Detail(f Facts) string {
	var set []string
	for _, x := range f.Failures {
		set = append(set, f.normalise(x.ID)+"\x00"+f.normalise(x.Line))
	}
	if len(set) == 0 {
		return ""
	}
	return digest(set)
}

func digest(set []string) string {
	slices.Sort(set)
	sum := sha256.Sum256([]byte(strings.Join(slices.Compact(set), "\n")))
	return hex.EncodeToString(sum[:4])
}

func lineSet(f Facts) []string {
	lines := f.Lines[max(0, len(f.Lines)-errorLines):]
	set := []string{"end\x00" + f.End}
	for _, l := range lines {
		if n := f.normalise(l); n != "" {
			set = append(set, "line\x00"+n)
		}
	}
	if len(set) == 1 {
		set = append(set, "gate\x00"+f.Gate)
	}
	return set
}
