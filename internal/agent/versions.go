package agent

import (
	"strconv"
	"strings"
)

// Versions is a range of versions, both ends included. Only as many numbers
// are compared as an end has: "2.1" includes 2.1.329.
type Versions struct{ From, To string }

// Include says whether v, such as "2.1.329" or "codex-cli 0.169.0", lies
// within. A text without a version does not.
func (r Versions) Include(v string) bool {
	n := numbers(v)
	return n != nil && compare(n, numbers(r.From)) >= 0 && compare(n, numbers(r.To)) <= 0
}

func (r Versions) String() string {
	if r.From == r.To {
		return r.From
	}
	return r.From + " to " + r.To
}

// VersionIn is the first version in what a program says of itself.
func VersionIn(text string) string {
	for word := range strings.FieldsSeq(text) {
		word = strings.TrimFunc(strings.TrimPrefix(word, "v"), func(r rune) bool { return strings.ContainsRune("(),;", r) })
		if numbers(word) != nil {
			return word
		}
	}
	return ""
}

// numbers of "1.2.3" and "1.2.3-beta"; nil for what is no version.
func numbers(v string) []int {
	v, _, _ = strings.Cut(v, "-")
	v, _, _ = strings.Cut(v, "+")
	parts := strings.Split(v, ".")
	if len(parts) < 2 {
		return nil
	}
	out := make([]int, len(parts))
	for i, p := range parts {
		n, err := strconv.Atoi(p)
		if err != nil || n < 0 {
			return nil
		}
		out[i] = n
	}
	return out
}

// compare looks at as many numbers as end has.
func compare(v, end []int) int {
	for i, e := range end {
		n := 0
		if i < len(v) {
			n = v[i]
		}
		if n != e {
			return n - e
		}
	}
	return 0
}
