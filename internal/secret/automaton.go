package secret

import "slices"

// automaton finds many keywords in one pass over a text, whatever their case
// (Aho and Corasick, 1975). Keywords are in lower case.
type automaton struct {
	next [][256]int32
	fail []int32
	// found holds what each state's keywords stand for.
	found [][]int
}

func newAutomaton() *automaton {
	a := &automaton{}
	a.state()
	return a
}

func (a *automaton) state() int32 {
	a.next, a.fail, a.found = append(a.next, [256]int32{}), append(a.fail, 0), append(a.found, nil)
	return int32(len(a.next) - 1)
}

// add adds a keyword that stands for v. All are added before link.
func (a *automaton) add(keyword string, v int) {
	at := int32(0)
	for i := range len(keyword) {
		c := keyword[i]
		if a.next[at][c] == 0 {
			to := a.state()
			a.next[at][c] = to
		}
		at = a.next[at][c]
	}
	a.found[at] = append(a.found[at], v)
}

// link completes the transitions of every state.
func (a *automaton) link() {
	var queue []int32
	for c := range 256 {
		if to := a.next[0][c]; to != 0 {
			queue = append(queue, to)
		}
	}
	for len(queue) > 0 {
		at := queue[0]
		queue = queue[1:]
		a.found[at] = append(a.found[at], a.found[a.fail[at]]...)
		for c := range 256 {
			if to := a.next[at][c]; to != 0 {
				a.fail[to] = a.next[a.fail[at]][c]
				queue = append(queue, to)
			} else {
				a.next[at][c] = a.next[a.fail[at]][c]
			}
		}
	}
}

// lines calls hit for each line that has keywords, with what they stand for, each
// once.
func (a *automaton) lines(text string, hit func(start, end int, hits []int)) {
	var hits []int
	start, at := 0, int32(0)
	for i := range len(text) {
		c := text[i]
		if c == '\n' {
			if len(hits) > 0 {
				hit(start, i, hits)
			}
			hits, start, at = hits[:0], i+1, 0
			continue
		}
		if c >= 'A' && c <= 'Z' {
			c += 'a' - 'A'
		}
		at = a.next[at][c]
		for _, v := range a.found[at] {
			if !slices.Contains(hits, v) {
				hits = append(hits, v)
			}
		}
	}
	if len(hits) > 0 {
		hit(start, len(text), hits)
	}
}
