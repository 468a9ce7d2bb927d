package prompt

import (
	"fmt"

	"ralph/internal/loop"
)

// newest are the last n of all.
func newest[T any](all []T, n int) []T { return all[max(0, len(all)-n):] }

// guided is what people have said to the task, the eldest first: to the loop
// before this one, and to this one.
func guided(s *loop.State) []string {
	if in := s.Task.Plan; in != nil && in.Told != "" {
		return append([]string{in.Told}, s.Guidance...)
	}
	return s.Guidance
}

func guidance(q quoter, all []string) []string {
	var out []string
	for _, text := range newest(all, mostSteering) {
		out = append(out, q.whole("guidance from a person", text, q.block))
	}
	return out
}

// answers are the questions that were answered. A question that only told a
// person to do the work says nothing to the next agent.
func answers(q quoter, all []loop.Question) []Answer {
	var out []Answer
	for _, a := range newest(all, mostSteering) {
		if !a.Answered || a.Work {
			continue
		}
		out = append(out, Answer{
			Question: q.whole("question, in the words of an earlier run of the agent", a.Text, q.block),
			Text:     q.whole("answer from a person", a.Answer, q.block),
		})
	}
	return out
}

func context(q quoter, files []File) []string {
	var out []string
	for _, f := range files[:min(len(files), mostContext)] {
		if block := q.head("file "+f.Name, f.Text); block != "" {
			out = append(out, block)
		}
	}
	if n := len(files) - mostContext; n > 0 {
		out = append(out, fmt.Sprintf("[... %d more files ...]", n))
	}
	return out
}
