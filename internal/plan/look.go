package plan

import (
	"slices"
	"strings"

	"ralph/internal/loop"
)

// Look returns the codes of concerns, each once, with commas between them.
func Look(concerns []loop.Concern) string {
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

// About lists the landed tasks with a concern.
func (s *State) About(code loop.ConcernCode) (tasks []string) {
	for _, t := range s.Tasks {
		if t.Landed != "" && slices.Contains(strings.Split(t.Look, ","), string(code)) {
			tasks = append(tasks, t.ID)
		}
	}
	return tasks
}
