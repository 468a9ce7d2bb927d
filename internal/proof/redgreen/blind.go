package redgreen

import (
	"fmt"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/proof/judge"
	"ralph/internal/text"
)

// Blind returns the sentences that a user should read before the first paid attempt where a
// hard gate could judge nothing on the base: its runner or its tests do not load, or its
// configuration is wrong. A task may be to add just what is missing, so that the loop continues.
func Blind(s loop.State) (sentences []string) {
	for _, r := range s.BaseResults {
		if r.Level == loop.Soft || r.Hidden || !blind(r) {
			continue
		}
		sentences = append(sentences, fmt.Sprintf("Gate %s cannot judge the base: %s.", r.Gate, strings.TrimRight(firstError(r), ".")))
	}
	if len(sentences) > 0 {
		sentences = append(sentences, "Unless the task adds what is missing there, end the loop and repair it first: each attempt would fail for the same reason.")
	}
	return sentences
}

func blind(r loop.Result) bool {
	ran := r.Tests != nil && (r.Tests.Run > 0 || len(r.Tests.Failing) > 0 && !judge.Broken(r.Excerpt))
	return !ran && !r.TimedOut && r.Signal == "" && (r.Verdict == loop.Error || r.Verdict == loop.Failed && judge.Broken(r.Excerpt))
}

// cause matches the line of a runner that names what is missing or wrong.
var cause = lazyregexp.New(`(?:Error|error|ERROR)\b.*: \S|Cannot find module|error\[E\d+\]|undefined reference`)

// firstError is the first line of a gate's output that tells why it could not judge.
func firstError(r loop.Result) string {
	first := ""
	for line := range strings.Lines(r.Excerpt) {
		line = strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(line), "E "))
		switch {
		case cause.MatchString(line):
			return text.Clip(text.Line(line), 200)
		case first == "" && judge.Broken(line):
			first = line
		}
	}
	if first == "" {
		first = r.Reason
	}
	return text.Clip(text.Line(first), 200)
}
