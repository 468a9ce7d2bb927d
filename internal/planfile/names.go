package planfile

import (
	"fmt"
	"hash/fnv"
	"strconv"
	"strings"
)

// names makes ids from titles, for formats whose tasks have none. An id depends on
// the title alone, so that a task keeps it when others are added before it; equal
// titles are numbered. The value is the highest number in use.
type names map[string]int

// longest is the number of bytes of a title that an id keeps.
const longest = 30

func (n names) of(title string) string {
	base := slug(title)
	n[base]++
	if n[base] == 1 {
		return base
	}
	for {
		id := base + "-" + strconv.Itoa(n[base])
		if n[id] == 0 {
			n[id] = 1
			return id
		}
		n[base]++
	}
}

// slug keeps letters and digits. If it drops anything else, it appends a digest,
// so that long titles with the same beginning differ.
func slug(title string) string {
	var b strings.Builder
	lost := false
	for _, r := range strings.ToLower(title) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case r > '\x7f':
			lost = true
			fallthrough
		default:
			if b.Len() > 0 && !strings.HasSuffix(b.String(), "-") {
				b.WriteByte('-')
			}
		}
	}
	s := strings.Trim(b.String(), "-")
	if len(s) > longest {
		s, lost = strings.TrimRight(s[:longest], "-"), true
	}
	switch {
	case !lost && s != "":
		return s
	case s == "":
		s = "task"
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(title))
	return fmt.Sprintf("%s-%06x", s, h.Sum32()&0xffffff)
}

// quote quotes text of the file in a message, cut to fit in a line.
func quote(s string) string {
	if r := []rune(s); len(r) > 40 {
		s = string(r[:39]) + "…"
	}
	return strconv.Quote(s)
}
