package plan

import (
	"slices"
	"strings"

	"ralph/internal/loop"
)

// Codes returns the codes of concerns, each once, with commas between them.
func Codes(concerns []loop.Concern) string {
	var codes []string
	for _, c := range concerns {
		if !slices.Contains(codes, string(c.Code)) {
			codes = append(codes, string(c.Code))
		}
	}
	return strings.Join(codes, ",")
}

// Concerns lists what a person should look at in the work that has landed, each
// with the tasks that it is about.
func (s *State) Concerns() []loop.Concern {
	var out []loop.Concern
	for _, code := range loop.ConcernCodes() {
		if tasks := s.About(code); len(tasks) > 0 {
			out = append(out, loop.Concern{Code: code, What: code.Words() + ": " + strings.Join(tasks, ", ")})
		}
	}
	return out
}

// Whole stands among tasks for the repair of the result of all of them together.
const Whole = "the whole"

// About lists the landed tasks with a concern, and the whole.
func (s *State) About(code loop.ConcernCode) (tasks []string) {
	has := func(codes string) bool { return slices.Contains(strings.Split(codes, ","), string(code)) }
	for _, t := range s.Tasks {
		if t.Landed != "" && has(t.Concerns) {
			tasks = append(tasks, t.ID)
		}
	}
	if has(s.EndConcerns) {
		tasks = append(tasks, Whole)
	}
	return tasks
}

// RepairCodes returns the codes of concerns about a repair, each once. It has no proof of its
// own: it is judged by the gates of the tasks that it puts together.
func RepairCodes(concerns []loop.Concern) string {
	return Codes(slices.DeleteFunc(slices.Clone(concerns), func(c loop.Concern) bool { return c.Code == loop.ConcernUnproved }))
}

// both are the codes of two lists, each once.
func both(a, b string) string {
	codes := strings.Split(a, ",")
	for code := range strings.SplitSeq(b, ",") {
		if !slices.Contains(codes, code) {
			codes = append(codes, code)
		}
	}
	return strings.Join(slices.DeleteFunc(codes, func(c string) bool { return c == "" }), ",")
}
