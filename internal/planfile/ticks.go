package planfile

import "ralph/internal/plan"

// ticks writes checkboxes, one byte each.
type ticks struct {
	noWriter
	// own are the boxes that make a task done when all are ticked; below are the
	// others under it.
	own, below [][]box
	// mark is the mark of a ticked box in this file: x or X.
	mark byte
	// begun marks a running task; 0 where the format has no such mark.
	begun byte
	// parents are not tasks; they are done when their parts are.
	parents []parent
}

// parent is a box over tasks; parts are the mandatory ones.
type parent struct {
	box   box
	parts []int
}

func newTicks(d document) *ticks {
	t := &ticks{mark: 'x'}
	for _, b := range boxes(d.lines) {
		if b.done() {
			t.mark = b.state
			break
		}
	}
	return t
}

func (t *ticks) add(own, below []box) { t.own, t.below = append(t.own, own), append(t.below, below) }

func (t *ticks) setTask(e *edits, i int, c Change) Change {
	rest := c
	if t.setStatus(e, i, c.Status) {
		rest.Status = ""
	}
	return rest
}

// setStatus reports whether the boxes of a task can express a status.
func (t *ticks) setStatus(e *edits, i int, s plan.Status) bool {
	own := t.own[i]
	switch s {
	case "":
		return true
	case plan.Done:
		if !put(e, own, t.mark) {
			return false
		}
		put(e, t.below[i], t.mark)
		return true
	case plan.Running:
		return t.begun != 0 && put(e, own, t.begun)
	case plan.Pending, plan.Ready:
		return t.reopen(e, own)
	}
	return false
}

// reopen clears the boxes if all are ticked, and the marks of running work.
func (t *ticks) reopen(e *edits, own []box) bool {
	if ticked(own) {
		return put(e, own, ' ')
	}
	for _, b := range own {
		if t.begun != 0 && b.state == t.begun {
			put(e, []box{b}, ' ')
		}
	}
	return len(own) > 0
}

// put writes all boxes, or none if the offset of one is uncertain; it reports
// whether it wrote any. Ticked boxes keep their mark.
func put(e *edits, all []box, state byte) bool {
	for _, b := range all {
		if b.at < 0 {
			return false
		}
	}
	for _, b := range all {
		if tick := state == 'x' || state == 'X'; !tick || !b.done() {
			e.replace(b.at, b.at+1, string(rune(state)))
		}
	}
	return len(all) > 0
}

func (t *ticks) tick(e *edits, i int, c Change) Why {
	var found []box
	for _, all := range [][]box{t.own[i], t.below[i]} {
		for _, b := range all {
			if b.text == c.Text {
				found = append(found, b)
			}
		}
	}
	switch {
	case len(found) == 0:
		return NoSuchText
	case len(found) > 1:
		return Ambiguous
	case !put(e, found, t.mark):
		return NoPlace
	}
	return ""
}

// setDependents ticks parents whose parts are all closed.
func (t *ticks) setDependents(e *edits, now statuses) {
	for _, p := range t.parents {
		if now.over(p.parts) {
			put(e, []box{p.box}, t.mark)
		}
	}
}
