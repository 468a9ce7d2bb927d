package syntax

// InBrackets is what stands in front of the bracket that closes the one before a text; "" where
// none does. Texts in quotes hold no brackets; a quote without an end in its line begins none.
func InBrackets(text string) (inside string, closed bool) {
	depth := 1
	for i := 0; i < len(text); i++ {
		if depth += bracketAt(text, &i); depth == 0 {
			return text[:i], true
		}
	}
	return "", false
}

// Parts are what stands between separators that are in no brackets and in no text in quotes;
// joined again, they are the text.
func Parts(text string, separator byte) (parts []string) {
	depth, begin := 0, 0
	for i := 0; i < len(text); i++ {
		if text[i] == separator && depth == 0 {
			parts, begin = append(parts, text[begin:i]), i+1
			continue
		}
		depth += bracketAt(text, &i)
	}
	return append(parts, text[begin:])
}

// bracketAt is 1 for a bracket that opens and -1 for one that closes. Of a text in quotes, *at
// becomes the place of the last one.
func bracketAt(text string, at *int) int {
	switch c := text[*at]; c {
	case '(', '[', '{':
		return 1
	case ')', ']', '}':
		return -1
	case '"', '\'', '`':
		for i := *at + 1; i < len(text) && (text[i] != '\n' || c == '`'); i++ {
			if text[i] == '\\' {
				i++
			} else if text[i] == c {
				*at = i
				break
			}
		}
	}
	return 0
}
