package scope

// What is longer, or what braces multiply to more patterns than these, is not
// looked at.
const (
	mostAlternatives = 32
	longest          = 512
)

// alternatives writes braces out. It is not sure of more than can be looked at.
func alternatives(glob string) (all []string, sure bool) {
	if len(glob) > longest {
		return nil, false
	}
	todo := []string{glob}
	for len(todo) > 0 {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		before, options, after, found := brace(at)
		if !found {
			all = append(all, at)
		}
		for _, o := range options {
			todo = append(todo, before+o+after)
		}
		if len(all)+len(todo) > mostAlternatives {
			return nil, false
		}
	}
	return all, true
}

// brace finds the first group of braces and its options.
func brace(s string) (before string, options []string, after string, found bool) {
	open, depth, from := -1, 0, 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '\\':
			i++
		case c == '[':
			i = endOfClass(s, i)
		case c == '{':
			if depth == 0 {
				open, from = i, i+1
			}
			depth++
		case c == ',' && depth == 1:
			options = append(options, s[from:i])
			from = i + 1
		case c == '}' && depth == 1:
			return s[:open], append(options, s[from:i]), s[i+1:], true
		case c == '}' && depth > 1:
			depth--
		}
	}
	return s, nil, "", false
}

// endOfClass is the place of the bracket that closes the one at i, or i itself.
func endOfClass(s string, i int) int {
	for j := i + 1; j < len(s); j++ {
		switch {
		case s[j] == '\\':
			j++
		case s[j] == ']' && j > i+1:
			return j
		}
	}
	return i
}
