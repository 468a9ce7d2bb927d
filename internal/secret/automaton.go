package secret

import (
	"slices"
	"strings"
)

// automaton finds many keywords in one pass over a text, whatever their case
// (Aho and Corasick, 1975). Keywords are in lower case, two bytes or longer, and have
// no line break.
type automaton struct {
	next [][256]int32
	fail []int32
	// depth is how many bytes of a keyword a state has seen.
	depth []int
	// found holds what each state's keywords stand for.
	found [][]int
	// begins has a bit for each two bytes that a keyword begins with, in any case. Most
	// bytes of a text begin none, and only this table is asked about them.
	begins [1 << 16 / 64]uint64
}

func newAutomaton() *automaton {
	a := &automaton{}
	a.state()
	return a
}

func (a *automaton) state() int32 {
	a.next, a.fail, a.depth, a.found = append(a.next, [256]int32{}), append(a.fail, 0), append(a.depth, 0), append(a.found, nil)
	return int32(len(a.next) - 1)
}

// add adds a keyword that stands for v. All are added before link.
func (a *automaton) add(keyword string, v int) {
	at := int32(0)
	for i := range len(keyword) {
		c := keyword[i]
		if a.next[at][c] == 0 {
			to := a.state()
			a.next[at][c], a.depth[to] = to, i+1
		}
		at = a.next[at][c]
	}
	a.found[at] = append(a.found[at], v)
	for _, first := range [2]byte{keyword[0], upper(keyword[0])} {
		for _, second := range [2]byte{keyword[1], upper(keyword[1])} {
			pair := uint(first)<<8 | uint(second)
			a.begins[pair>>6] |= 1 << (pair & 63)
		}
	}
}

func upper(c byte) byte {
	if c >= 'a' && c <= 'z' {
		c -= 'a' - 'A'
	}
	return c
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
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
	start, end := 0, -1 // of the line that hits belong to
	note := func(at int, found []int) {
		if at > end {
			if len(hits) > 0 {
				hit(start, end, hits)
			}
			hits, start, end = hits[:0], end+1, len(text)
			start += strings.LastIndexByte(text[start:at], '\n') + 1
			if n := strings.IndexByte(text[at:], '\n'); n >= 0 {
				end = at + n
			}
		}
		for _, v := range found {
			if !slices.Contains(hits, v) {
				hits = append(hits, v)
			}
		}
	}
	for i := 0; i+1 < len(text); {
		pair := uint(text[i])<<8 | uint(text[i+1])
		if a.begins[pair>>6]&(1<<(pair&63)) == 0 {
			i++
			continue
		}
		i = a.follow(text, i, note)
	}
	if len(hits) > 0 {
		hit(start, end, hits)
	}
}

// follow runs from two bytes that begin a keyword until at most one byte may begin
// another, and returns where to continue.
func (a *automaton) follow(text string, from int, note func(at int, found []int)) int {
	state := a.next[0][lower(text[from])]
	for i := from + 1; i < len(text); i++ {
		state = a.next[state][lower(text[i])]
		switch a.depth[state] {
		case 0:
			return i + 1
		case 1:
			return i
		}
		if found := a.found[state]; len(found) > 0 {
			note(i, found)
		}
	}
	return len(text)
}
