package scope

import "unicode/utf8"

// folders are the parts of a path. Below a folder everything belongs to it.
func folders(glob string) []string {
	var parts []string
	from := 0
	for i := 0; i < len(glob); i++ {
		switch glob[i] {
		case '\\':
			i++
		case '[':
			i = endOfClass(glob, i)
		case '/':
			parts = append(parts, glob[from:i])
			from = i + 1
		}
	}
	parts = append(parts, glob[min(from, len(glob)):])
	if isFile(glob) {
		return parts
	}
	return append(parts, "**")
}

// foldersMeet: meet[i][j] reports whether the rest of a from i and the rest of b
// from j have a path in common; ** stands for any number of parts.
func foldersMeet(a, b []string) bool {
	same := map[string]bool{}
	part := func(x, y string) bool {
		key := x + "\x00" + y
		met, known := same[key]
		if !known {
			met = partsMeet(tokens(x), tokens(y))
			same[key] = met
		}
		return met
	}
	return meets(len(a), len(b),
		func(i int) bool { return a[i] == "**" }, func(j int) bool { return b[j] == "**" },
		func(i, j int) bool { return part(a[i], b[j]) })
}

// meets is the common part of both levels: sequences of steps, of which some
// stand for any number of the other's.
func meets(n, m int, anyA, anyB func(int) bool, step func(i, j int) bool) bool {
	next := make([]bool, m+1) // row i+1
	for i := n; i >= 0; i-- {
		row := make([]bool, m+1)
		for j := m; j >= 0; j-- {
			switch {
			case i == n && j == m:
				row[j] = true
			case i < n && anyA(i) && (next[j] || j < m && row[j+1]):
				row[j] = true
			case j < m && anyB(j) && (row[j+1] || i < n && next[j]):
				row[j] = true
			case i < n && j < m && !anyA(i) && !anyB(j):
				row[j] = next[j+1] && step(i, j)
			}
		}
		next = row
	}
	return next[0]
}

// token is a step of a name: one character, a class of them, or any number.
type token struct {
	star, any bool
	char      rune
}

// tokens reads one part of a path. A class counts as any character.
func tokens(part string) []token {
	var out []token
	for i := 0; i < len(part); {
		switch c := part[i]; {
		case c == '*':
			out = append(out, token{star: true})
			i++
			continue
		case c == '?':
			out = append(out, token{any: true})
			i++
			continue
		case c == '[' && endOfClass(part, i) > i:
			out = append(out, token{any: true})
			i = endOfClass(part, i) + 1
			continue
		case c == '\\' && i+1 < len(part):
			i++
		}
		r, size := utf8.DecodeRuneInString(part[i:])
		out = append(out, token{char: r})
		i += size
	}
	return out
}

func partsMeet(a, b []token) bool {
	return meets(len(a), len(b),
		func(i int) bool { return a[i].star }, func(j int) bool { return b[j].star },
		func(i, j int) bool { return a[i].any || b[j].any || a[i].char == b[j].char })
}

// Pair is a glob of each of two scopes that may match the same file.
type Pair struct {
	Mine   string `json:"mine"`
	Theirs string `json:"theirs"`
}

// Overlaps lists the pairs of globs that overlap.
func Overlaps(mine, theirs []string) []Pair {
	var out []Pair
	for _, a := range mine {
		for _, b := range theirs {
			if overlap(a, b) {
				out = append(out, Pair{a, b})
			}
		}
	}
	return out
}

// overlap reports whether some file may be in both scopes. It is never false when
// there is one; where it is not sure, as with two different classes of
// characters, it is true.
func overlap(a, b string) bool {
	as, sure := alternatives(clean(a))
	bs, sure2 := alternatives(clean(b))
	if !sure || !sure2 {
		return true
	}
	for _, x := range as {
		for _, y := range bs {
			if foldersMeet(folders(x), folders(y)) {
				return true
			}
		}
	}
	return false
}
