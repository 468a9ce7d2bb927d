package addition

import (
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
)

// caseTable is a literal of the base in brackets, over which tests loop.
type caseTable struct {
	lang string
	// text and code are the source, as it is and masked; open and end where its brackets are.
	text, code string
	open, end  int
}

var (
	loopHead = lazyregexp.New(`(?s)^\s*(?:async\s+)?for\b(.*?)\b(?:in|of|range)\s+(?:&?(?:mut\s+)?(?:vec!)?|(?:Object\.entries|enumerate)\(|(?:\[[\d.]*\]|map\[).*)$`)
	callHead = lazyregexp.New(`\bparametrize\(\s*(?:(?:[(\[]["\s,]*[)\]]|"+)\s*,\s*)?(?:argvalues\s*=\s*)?$|(?:\bexpand|\.each)\(\s*$|\.each\(Object\.entries\($|^\s*Object\.entries\($|\bparams\s*=\s*$`)
	callTail = lazyregexp.New(`^[\])}]\)?(?:\.iter\(\)|\.into_iter\(\))?\.(?:forEach|for_each)\(`)
	namedAs  = lazyregexp.New(`(?s)^[ \t]*(?:(?:pub(?:\(crate\))? )?(?:const|let|var|static)\s+(?:mut\s+)?)?((?:self\.)?[A-Za-z_$][\w$]*)\s*(?::[^=]*)?:?=\s*(?:\[[\d.]*\].*|map\[.*|&(?:mut )?|vec!)?$`)
	// wholeTable matches what may be behind a table: nothing that takes a part of it.
	wholeTable = lazyregexp.New(`^(?:\.(?:items|iter|into_iter|entries)\(\))*(?: as const)?[ \t]*(?:\.(?:forEach|for_each)\(|[,:;){]|\n\s*(?:[^\s.\[]|$)|$)`)
	// onlyArgument matches the beginning of a line in which nothing is before a table.
	onlyArgument = lazyregexp.New(`^\s*(?:(?:argvalues|params)=|"+,\s*)?$`)
	// settings are names of tables that say what tests leave out or let pass.
	settings = lazyregexp.New(`(?i)skip|ignor|exclu|xfail|expected_?fail|known|flak|quarant|disab|allow|toler|broken|suppress|unsupported|pending|todo`)

	loopBefore  = lazyregexp.New(`\bfor\b([^;\n]*?)\b(?:in|of|range)\s+(?:&(?:mut\s+)?)?(?:(?:enumerate|sorted|list|reversed|iter|Object\.entries)\()*(?:self\.|cls\.|this\.)?$`)
	loopAfter   = lazyregexp.New(`^(?:\.(?:items|values|keys|iter|into_iter|entries|enumerate)\(\))*\)*\s*(?:[:{)\]]|if\b|$)`)
	otherWords  = lazyregexp.New(`\b(?:in|of|if|not|and|or|else)\b`)
	fieldName   = lazyregexp.New(`\w+\s*:`)
	givenBefore = lazyregexp.New(`(?:(?:\b(?:parametrize|expand)|\.each)\((?:[^()]|\((?:[^()]|\(\))*\))*[,=]\s*|(?:\bexpand|\.each)\(\s*)\*?(?:(?:list|Object\.entries)\()?(?:self\.|cls\.)?$|\bparams\s*=\s*$`)
	givenAfter  = lazyregexp.New(`^(?:\.(?:items|values|keys)\(\))?\)*\s*[,)]`)
	listBefore  = lazyregexp.New(`\bObject\.entries\($`)
	listAfter   = lazyregexp.New(`^\)?(?:\.iter\(\)|\.into_iter\(\))?\.(?:forEach|for_each)\(`)
	sizeBefore  = lazyregexp.New(`\blen\((?:self\.|cls\.)?$`)
	sizeAfter   = lazyregexp.New(`^\.(?:length\b|len\(\))`)
	elementOf   = lazyregexp.New(`^\[[A-Za-z_]\w*\]`)
)

// tableAt is the table whose entries stand at a place of the base; false if tests do not
// loop over it, or use it in any other way: it may be a list of settings, or a value.
func tableAt(s *source, at int) (caseTable, bool) {
	code := s.code
	t := caseTable{lang: s.lang, text: s.text, code: code, open: openerBefore(code, at)}
	if t.open < 0 {
		return t, false
	}
	if t.end = closerAfter(code, t.open); t.end < 0 {
		return t, false
	}
	if t.lang == "python" && code[t.open] == '(' && len(listed(code[t.open+1:t.end])) < 2 {
		return t, false // a value in brackets
	}
	start := statementStart(code, t.open)
	head := code[start:t.open]
	if !wholeTable.MatchString(code[t.end+1:]) || strings.Count(head, "{") != strings.Count(head, "}") || strings.Count(head, "[") != strings.Count(head, "]") {
		return t, false // a part of it, or a part of another value
	}
	outer := openerBefore(code, start)
	argument := onlyArgument.MatchString(head) && outer >= 0 && code[outer] == '('
	if name := namedAs.FindStringSubmatch(head); name != nil && !argument {
		name := strings.TrimPrefix(name[1], "self.")
		return t, !settings.MatchString(name) && loopsOver(t.scope(start), name, t.isMap())
	}
	if loop := loopHead.FindStringSubmatch(head); loop != nil && onlyVariables(loop[1]) {
		return t, true
	}
	if strings.TrimSpace(head) == "" && code[t.open] == '[' && callTail.MatchString(code[t.end:]) {
		return t, true
	}
	if call := openerBefore(code, t.open); call >= 0 && strings.HasSuffix(code[:call], "parametrize") && !strings.ContainsAny(code[call:t.open], ",=") {
		return t, false // the names of the parameters
	}
	if argument {
		head = code[statementStart(code, outer):outer+1] + head
	}
	return t, callHead.MatchString(head)
}

// isMap reports whether an entry of a table has a key.
func (t caseTable) isMap() bool {
	depth := 0
	for i := t.open + 1; i < t.end; i++ {
		if depth += bracketStep(t.code[i]); depth == 0 && t.code[i] == ':' {
			return true
		}
	}
	return false
}

// openerBefore is where the bracket is that is open at a place of code; -1 is none.
func openerBefore(code string, at int) int {
	depth := 0
	for i := at - 1; i >= 0; i-- {
		if depth -= bracketStep(code[i]); depth < 0 {
			return i
		}
	}
	return -1
}

// closerAfter is where a bracket is closed; -1 where it is not.
func closerAfter(code string, open int) int {
	depth := 0
	for i := open; i < len(code); i++ {
		if depth += bracketStep(code[i]); depth == 0 {
			return i
		}
	}
	return -1
}

// statementStart is where the line begins in which what stands before a place begins.
func statementStart(code string, at int) int {
	depth := 0
	for i := at - 1; i >= 0; i-- {
		if depth = max(0, depth-bracketStep(code[i])); depth == 0 && code[i] == '\n' {
			return i + 1
		}
	}
	return 0
}

// scope is the code in which a name can be used that a statement defines: for a name of the
// file all of it, else what follows in its block.
func (t caseTable) scope(start int) string {
	indent, outer := leading(t.code[start:]), openerBefore(t.code, start)
	if indent == 0 || t.lang == "go" && outer >= 0 && t.code[outer] == '(' {
		return t.code
	}
	end := t.end
	for line := range strings.Lines(t.code[t.end:]) {
		trimmed := strings.TrimLeft(line, " \t")
		if end > t.end && strings.TrimSpace(line) != "" && trimmed[0] != '"' && len(line)-len(trimmed) < indent {
			break
		}
		end += len(line)
	}
	return t.code[start:end]
}

// onlyVariables reports whether what is between "for" and "in" is nothing but variables.
func onlyVariables(between string) bool {
	return strings.HasSuffix(strings.TrimSpace(between), ":=") || !otherWords.MatchString(fieldName.ReplaceAllString(between, ""))
}

// loopsOver reports whether code loops over a table, and does nothing else with it but to
// count its entries, and, where it is no map, to take the one of a variable.
func loopsOver(code, name string, isMap bool) bool {
	loops, defined := 0, 0
	for at := 0; ; {
		i := strings.Index(code[at:], name)
		if i < 0 {
			return loops > 0 && defined == 1
		}
		start, end := at+i, at+i+len(name)
		at = end
		if start > 0 && wordByte(code[start-1]) || end < len(code) && wordByte(code[end]) {
			continue
		}
		before, after := code[max(0, start-400):start], code[end:]
		after, _, _ = strings.Cut(after[:min(len(after), 200)], "\n")
		line := before[strings.LastIndex(before, "\n")+1:]
		switch m := loopBefore.FindStringSubmatch(line); {
		case m != nil && onlyVariables(m[1]) && loopAfter.MatchString(after),
			givenBefore.MatchString(before) && givenAfter.MatchString(after),
			(!isMap || listBefore.MatchString(line)) && listAfter.MatchString(after):
			loops++
		case defined == 0 && namedAs.MatchString(untilBracket(line+name+after)):
			defined++
		case sizeBefore.MatchString(line), sizeAfter.MatchString(after), !isMap && elementOf.MatchString(after):
		case strings.HasSuffix(line, ".") && !strings.HasSuffix(line, "self.") && !strings.HasSuffix(line, "cls.") && !strings.HasPrefix(after, "["):
			// the field of something else
		default:
			return false
		}
	}
}

// untilBracket is the beginning of a definition up to its "=" and what is behind it, without
// the value.
func untilBracket(line string) string {
	before, _, found := strings.Cut(line, "=")
	if !found {
		return line
	}
	return before + "="
}

func wordByte(b byte) bool {
	return b == '_' || b == '$' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || b >= 0x80
}

// keys are the keys of a map, as plainKey has them; false where one is no literal.
func (t caseTable) keys() (keys map[string]bool, ok bool) {
	keys = map[string]bool{}
	depth, begin := 0, t.open+1
	for i := t.open + 1; i <= t.end; i++ {
		switch c := t.code[i]; {
		case c == ',' && depth == 0, i == t.end:
			if strings.TrimSpace(t.code[begin:i]) != "" {
				return keys, false
			}
			begin = i + 1
		case c == ':' && depth == 0 && begin <= i:
			key, literal := plainKey(t.lang, t.text[begin+leading(t.code[begin:i]):i])
			if !literal {
				return keys, false
			}
			keys[key] = true
			for i++; i < t.end && (t.code[i] != ',' || depth > 0); i++ {
				depth += bracketStep(t.code[i])
			}
			begin = i + 1
		default:
			depth += bracketStep(c)
		}
	}
	return keys, true
}

// listed is code between brackets, by its commas.
func listed(code string) (parts []string) {
	depth, begin := 0, 0
	for i := range len(code) {
		if depth += bracketStep(code[i]); depth == 0 && code[i] == ',' {
			parts = append(parts, strings.TrimSpace(code[begin:i]))
			begin = i + 1
		}
	}
	return append(parts, strings.TrimSpace(code[begin:]))
}

func leading(code string) int { return len(code) - len(strings.TrimLeft(code, " \t\r\n")) }

func bracketStep(c byte) int {
	switch c {
	case '(', '[', '{':
		return 1
	case ')', ']', '}':
		return -1
	}
	return 0
}

var simpleText = lazyregexp.New(`^(?:"(?:[^"\\\n]|\\[tnr"'])*"|'(?:[^'\\\n]|\\[tnr"'])*'|` + "`[^`\n]*`" + `)$`)

// plainKey is a key without its quotes, a number as others write it; false where it cannot be
// compared with others.
func plainKey(lang, key string) (plain string, ok bool) {
	key = strings.TrimSpace(key)
	switch {
	case isText(key):
		return key[1 : len(key)-1], simpleText.MatchString(key)
	case lang == "js" && plainName.MatchString(key):
		return key, true
	}
	n, err := strconv.ParseFloat(key, 64)
	return strconv.FormatFloat(n, 'g', -1, 64), err == nil && safeNumber.MatchString(key)
}
