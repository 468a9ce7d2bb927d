package view

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// Look lists what a person should look at before the work of a loop is accepted. Every front
// end shows this list, and accept asks about it.
func (i Item) Look() []loop.Concern { return Concerns(i.State.Concerns(i.Facts.Changed...)) }

// Look is the same list of a plan: what of it is left, each concern about a landed task in the
// words of the loops that did it, and the tasks whose evidence is missing or changed. Where the
// caller has not read the loops of a task, the concern names the task without their words,
// and their evidence counts as complete.
func (i PlanItem) Look() []loop.Concern {
	s, landed := i.State, i.landedLoops()
	var out []loop.Concern
	if why := s.PartLanded(); why != "" {
		out = append(out, loop.Concern{Code: loop.ConcernPartial, What: loop.ConcernPartial.Words() + " (" + why + "); what landed of it passed its gates"})
	}
	for _, code := range loop.ConcernCodes() {
		for _, task := range s.About(code) {
			var said []string
			for _, l := range landed[task] {
				for _, c := range l.Look() {
					if c.Code == code {
						said = append(said, c.What)
					}
				}
			}
			out = append(out, loop.Concern{Code: code, What: task + ": " + cmp.Or(strings.Join(said, "; "), code.Words())})
		}
	}
	var changed, gone []string
	for _, task := range slices.Sorted(maps.Keys(landed)) {
		for _, l := range landed[task] {
			switch {
			case l.State.ID == "":
				gone = append(gone, task)
			case len(l.Facts.Changed) > 0:
				changed = append(changed, task)
			}
		}
	}
	evidence := func(what string, tasks []string) {
		if len(tasks) > 0 {
			out = append(out, loop.Concern{Code: loop.ConcernEvidence, What: what + ": " + strings.Join(slices.Compact(tasks), ", ")})
		}
	}
	evidence("evidence is missing or was changed after it was recorded", changed)
	evidence("the loops that proved these tasks were deleted, with their evidence", gone)
	return Concerns(out)
}

// landedLoops returns the loops that did the landed tasks, as far as the caller read them. The zero
// Item is a loop that was deleted.
func (i PlanItem) landedLoops() map[string][]Item {
	i = i.indexed()
	all := map[string][]Item{}
	for task, loops := range i.State.LandedLoops() {
		for _, id := range loops {
			l, read := i.loopOf(id)
			if !read {
				l, read = i.Facts.Landed[id]
			}
			if read || i.Whole {
				all[task] = append(all[task], l)
			}
		}
	}
	return all
}

// asksAbout is the line of a list for work that passed and is not accepted without a look.
func asksAbout(look []loop.Concern) []string {
	if len(look) == 0 {
		return nil
	}
	return []string{"accept asks you to confirm: " + askedCodes(look)}
}

// look lists the concerns in the sheet of a plan. The first lines tell why it is not complete, or, where
// it is, how many of its tasks are unproved. Each of these says so below its name.
func (w *sheet) look(v Plan) {
	if v.Object.Accepted != nil {
		return
	}
	partial, tasks := false, map[loop.ConcernCode][]string{}
	for _, c := range v.Look {
		switch c.Code {
		case loop.ConcernPartial:
			partial = true
		case loop.ConcernUnproved, loop.ConcernUnchecked:
			task, _, _ := strings.Cut(c.What, ": ")
			tasks[c.Code] = append(tasks[c.Code], task)
		default:
			w.text(2, w.p.ask("!")+" look: ", c.What, 4)
		}
	}
	for _, code := range []loop.ConcernCode{loop.ConcernUnproved, loop.ConcernUnchecked} {
		if partial && len(tasks[code]) > 0 {
			w.text(2, w.p.ask("!")+" look: ", string(code)+": "+strings.Join(tasks[code], ", "), 4)
		}
	}
}

// askedCodes are the codes of concerns, each once, joined by commas.
func askedCodes(look []loop.Concern) string {
	codes := make([]loop.ConcernCode, len(look))
	for i, c := range look {
		codes[i] = c.Code
	}
	return strings.Join(loop.CodeNames(slices.Compact(codes)), ", ")
}

// Concerns returns concerns with their text on one line. A file that the work names can have
// line ends in its name, which would forge lines of their own, and characters that hide
// others: they are shown by their symbols.
func Concerns(all []loop.Concern) []loop.Concern {
	all = slices.Clone(all)
	for i := range all {
		all[i].What = text.Name(all[i].What)
	}
	return all
}
