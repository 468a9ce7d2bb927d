package planner

import (
	"fmt"
	"slices"
	"strings"
)

// offer notes which commands the tasks propose when the run begins: what of them
// was accepted are gates, and that one of these goes is not passed over in
// silence.
func (r *run) offer() {
	r.offered = make(map[string][]string, len(r.book.plan.Tasks))
	for _, t := range r.book.plan.Tasks {
		r.offered[t.ID] = t.Commands
	}
}

// moved gives what was offered to the tasks that were numbered anew.
func (r *run) moved(ids map[string]string) {
	if len(ids) == 0 {
		return
	}
	now := make(map[string][]string, len(r.offered))
	for id, all := range r.offered {
		now[renamed(id, ids)] = all
	}
	r.offered = now
}

// regated says which accepted commands of tasks left the plan's file while it
// runs, and which came that nobody has accepted: these do not run.
func (r *run) regated() string {
	var gone, come []string
	for _, t := range r.book.plan.Tasks {
		was := r.offered[t.ID]
		for _, c := range was {
			if _, ok := r.spec.Commands[c]; ok && !slices.Contains(t.Commands, c) {
				gone = append(gone, fmt.Sprintf("task %s has lost its gate %q", t.ID, cut(c, mostCommand)))
			}
		}
		for _, c := range t.Commands {
			if _, ok := r.spec.Commands[c]; !ok && !slices.Contains(was, c) {
				come = append(come, fmt.Sprintf("task %s proposes %q", t.ID, cut(c, mostCommand)))
			}
		}
	}
	var out []string
	if len(gone) > 0 {
		out = append(out, few(gone))
	}
	if len(come) > 0 {
		out = append(out, few(come)+": nobody has accepted it, and it does not run (ralph plan approve "+r.spec.File+", then run again)")
	}
	if len(out) == 0 {
		return ""
	}
	return "the plan's file was changed: " + strings.Join(out, "; ")
}

// mostCommand bytes of a command are told.
const mostCommand = 120

// few are the first of several.
func few(all []string) string {
	const most = 3
	if n := len(all) - most; n > 0 {
		return strings.Join(all[:most], ", ") + fmt.Sprintf(" and %d more", n)
	}
	return strings.Join(all, ", ")
}
