// Package answer distinguishes an answer that is a product, such as a
// specification or another document, from one that is none: it is empty,
// refuses, reports that there is nothing to do, or breaks off. It runs before
// anything that costs: tests, reviewers, people (seed 002's response
// validation).
//
// It looks at the product itself, never at an agent's report about its work. It
// can only reject: an answer that passes has still to be reviewed.
package answer

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"ralph/internal/lazyregexp"
	"ralph/internal/text"
)

// The bounds of seed 002: fewer than least characters are no answer, and fewer
// than short that mention a failure are none either. A refusal is not long.
const (
	least = 10
	short = 100
	long  = 1200
)

var (
	failing = lazyregexp.New(`(?i)\b(error|failed|cannot|can't|unable to)\b`)
	// refusing matches the beginning of a refusal.
	refusing = lazyregexp.New(`(?i)^\W*(?:(?:i['’]?m|i am|we['’]?re|we are)\s+(?:very\s+|so\s+)?(?:sorry|afraid|unable|not able)|sorry\b|(?:unfortunately,?\s+)?i\s+(?:can['’]?t|can ?not|won['’]?t|will not|must decline)|as an ai\b)`)
	// idle: the whole text reports that there is nothing to do.
	idle = lazyregexp.New(`(?i)^\W*(?:(?:there (?:is|are|was|were) )?(?:no|nothing)\b[^.\n]{0,60}\b(?:change[sd]?|needed|required|necessary|to (?:do|add|change|report))|already (?:done|implemented|complete)|done|ok(?:ay)?|todo|tbd|wip|n/?a|placeholder|coming soon|to be (?:done|written|determined|continued))\W*$`)
	// broken off: the marks that a program puts where it has cut a text.
	cutOff = lazyregexp.New(`(?i)(?:\[(?:output |response |text )?(?:truncated|cut off|continued)[^\]\n]*\]|\((?:truncated|to be continued|continues?)\)|<(?:truncated|continue)/?>)\W*$`)
	fence  = lazyregexp.New("^ {0,3}(`{3,}|~{3,})")
)

// Fault returns why a text is not an answer; empty means that it may be one.
func Fault(answer string) string {
	answer = strings.TrimSpace(strings.TrimPrefix(answer, "\ufeff"))
	n := utf8.RuneCountInString(answer)
	switch {
	case answer == "":
		return "it is empty"
	case !utf8.ValidString(answer), strings.ContainsRune(answer, 0):
		return "it is not text"
	case n < short && idle.MatchString(answer):
		return "it says that there is nothing to do: " + text.Headline(answer, short)
	case n < least:
		return fmt.Sprintf("it has %d characters, fewer than %d", n, least)
	case n < long && refusing.MatchString(answer):
		return "it refuses: " + text.Headline(answer, short)
	case n < short && failing.MatchString(answer):
		return "it tells of a failure, and nothing else: " + text.Headline(answer, short)
	case cutOff.MatchString(answer):
		return "it breaks off: it ends with a mark of its being cut"
	}
	if open := unclosed(answer); open != "" {
		return "it breaks off: the block that begins with " + open + " does not end"
	}
	return ""
}

// unclosed returns the fence of a code block that does not end (CommonMark 4.5);
// empty where all do.
func unclosed(text string) string {
	open := ""
	for l := range strings.Lines(text) {
		m := fence.FindStringSubmatch(l)
		switch {
		case m == nil:
		case open == "" && (m[1][0] == '~' || !strings.Contains(strings.TrimLeft(strings.TrimSpace(l), "`"), "`")):
			open = m[1]
		case open != "" && m[1][0] == open[0] && len(m[1]) >= len(open) && strings.Trim(strings.TrimSpace(l), open[:1]) == "":
			open = ""
		}
	}
	return open
}
