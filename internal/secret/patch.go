package secret

import (
	"strconv"
	"strings"
)

// patchLine is a line that a patch adds, or else removes.
type patchLine struct {
	added bool
	file  string
	// number is that of the new file, from 1.
	number int
	text   string
}

// walk calls f for each added and removed line of a patch. The numbers in the head
// of a hunk tell where it ends: a line of a file may look like a head of git's.
func walk(patch string, f func(patchLine)) {
	var file string
	var h hunk
	for line := range strings.SplitSeq(patch, "\n") {
		switch {
		case h.open() && strings.HasPrefix(line, `\`): // \ No newline at end of file
		case h.open():
			if l, changed := h.next(line); changed {
				l.file = file
				f(l)
			}
		case strings.HasPrefix(line, "@@"):
			h = newHunk(line)
		case strings.HasPrefix(line, "+++ "):
			file = strings.TrimPrefix(unquoted(strings.TrimPrefix(line, "+++ ")), "b/")
		}
	}
}

// unquoted is a path that git puts in quotes where it has odd characters, as in
// "b/a\033b.py".
func unquoted(path string) string {
	if plain, err := strconv.Unquote(path); err == nil {
		return plain
	}
	return strings.Trim(path, "\"")
}

// hunk is a part of a patch. That of a merge has more than one old file, and a column
// of marks for each.
type hunk struct {
	old    []int // lines left of each old file
	new    int   // lines left of the new one
	number int   // of the next line of the new file
}

// newHunk reads "@@ -a,b +c,d @@", and "@@@ -a,b -a,b +c,d @@@" of a merge.
func newHunk(head string) hunk {
	var h hunk
	for word := range strings.FieldsSeq(strings.TrimLeft(head, "@")) {
		first, count, found := strings.Cut(word[1:], ",")
		n := 1
		if found {
			n, _ = strconv.Atoi(count)
		}
		switch word[0] {
		case '-':
			h.old = append(h.old, n)
		case '+':
			h.number, _ = strconv.Atoi(first)
			h.new = n
			return h
		}
	}
	return h
}

func (h *hunk) open() bool {
	left := h.new
	for _, n := range h.old {
		left += max(n, 0)
	}
	return left > 0
}

// next counts a line, and reports whether no old file has it, or only old ones.
func (h *hunk) next(line string) (patchLine, bool) {
	columns := min(len(h.old), len(line))
	marks, text := line[:columns], line[columns:]
	gone := strings.Contains(marks, "-")
	for i := range h.old {
		mark := byte(' ')
		if i < columns {
			mark = marks[i]
		}
		if gone && mark == '-' || !gone && mark != '+' {
			h.old[i]--
		}
	}
	if gone {
		return patchLine{number: h.number, text: text}, true
	}
	h.new--
	h.number++
	return patchLine{added: true, number: h.number - 1, text: text}, marks != "" && strings.Trim(marks, "+") == ""
}
