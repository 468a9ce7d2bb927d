package addition

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// Limits of a row in a table of tests: its lines, and the bytes of each.
const (
	mostRowLines = 20
	longestRow   = 4000
)

// row is an entry of a table of tests that has nothing but literals.
type row struct {
	// lines are how many it has. form is the same in rows that can stand in one table.
	lines int
	form  string
	// key is that of an entry of a map, as it is written.
	key string
	// types are names before braces that only other rows can vouch for; named is for those of
	// constants.
	types []string
	named bool
}

// form of the rows that are one value without brackets.
const plainRow = "1"

// form of the rows of a map.
const mapRow = ":"

var (
	rowToken  = lazyregexp.New(`^(?:"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|` + "`[^`\n]*`" + `|-?(?:0[xXbBoO][\da-fA-F_]+|\d[\d_]*(?:\.\d+)?(?:[eE][+-]?\d+)?)(?:[iu](?:8|16|32|64|128|size)|f32|f64|n)?\b|[A-Za-z_$][\w$]*(?:\.[A-Za-z_]\w*)*!?|[][(){}:,=&*])`)
	plainName = lazyregexp.New(`^[A-Za-z_$][\w$]*$`)
	// constantName matches a name of Go that other packages can use, and few tests assign.
	constantName = lazyregexp.New(`^(?:[a-z]\w*\.)?[A-Z]\w*$`)
	typeName     = lazyregexp.New(`^[A-Za-z_][\w.]*$`)
	basicType    = lazyregexp.New(`^(?:u?int(?:8|16|32|64)?|float(?:32|64)|string|bool|byte|rune|any|error)$`)
	// remark matches a comment in words: no output that an example must have.
	remark     = lazyregexp.New(`^\s*(?:#|//) [A-Za-z][^:@+]*$`)
	safeNumber = lazyregexp.New(`^-?(?:0|[1-9]\d*)(?:\.\d*[1-9])?$`)
)

// constantsOf are the words of a language that are literals.
func constantsOf(lang string) []string {
	switch lang {
	case "go":
		return []string{"true", "false", "nil"}
	case "python":
		return []string{"True", "False", "None"}
	case "js":
		return []string{"true", "false", "null", "undefined"}
	case "rust":
		return []string{"true", "false", "None"}
	}
	return nil
}

// rowOf reads the row with which lines begin.
func (a *addition) rowOf(lines []string) (row, bool) {
	var tokens []string
	depth := 0
	for n, line := range lines[:min(len(lines), mostRowLines)] {
		more, ok := rowTokens(a.lang, line)
		if !ok || n == 0 && len(more) == 0 {
			return row{}, false
		}
		for _, t := range more {
			switch t {
			case "(", "[", "{":
				depth++
			case ")", "]", "}":
				depth--
			}
		}
		if tokens = append(tokens, more...); depth < 0 {
			return row{}, false
		}
		if depth > 0 {
			continue
		}
		if tokens[len(tokens)-1] == "," {
			tokens = tokens[:len(tokens)-1]
		} else if n+1 >= len(lines) || !strings.ContainsAny(firstOf(lines[n+1]), ")]}") {
			return row{}, false // the next line would continue it
		}
		p := rowParser{lang: a.lang, calls: a.calls(), left: tokens, row: row{lines: n + 1}}
		return p.row, p.entry() && len(p.left) == 0
	}
	return row{}, false
}

// firstOf is the first character of a line that is no space.
func firstOf(line string) string {
	line = strings.TrimSpace(line)
	return line[:min(1, len(line))]
}

func rowTokens(lang, line string) (tokens []string, ok bool) {
	if len(line) > longestRow || strings.ContainsFunc(strings.TrimLeft(line, " \t"), func(r rune) bool { return syntax.IsLineEnd(r) || r < ' ' && r != '\t' }) {
		return nil, false
	}
	for line = strings.TrimLeft(line, " \t"); line != ""; line = strings.TrimLeft(line, " \t") {
		at := rowToken.FindIndex([]byte(line))
		if at == nil {
			return nil, false
		}
		t := line[:at[1]]
		if isText(t) && (strings.Contains(t, "\t") || t[0] == '`' && (lang != "js" && lang != "go" || strings.Contains(t, "${"))) {
			return nil, false
		}
		tokens, line = append(tokens, t), line[at[1]:]
	}
	return tokens, true
}

func isText(token string) bool { return token != "" && strings.ContainsAny(token[:1], "\"'`") }

func isNumberToken(token string) bool {
	return token != "" && (token[0] >= '0' && token[0] <= '9' || len(token) > 1 && token[0] == '-')
}

// rowParser reads the tokens of a row.
type rowParser struct {
	lang string
	// calls are functions of the standard library that give a value.
	calls []string
	left  []string
	row   row
}

func (p *rowParser) peek(n int) string {
	if n < len(p.left) {
		return p.left[n]
	}
	return ""
}

func (p *rowParser) take(tokens ...string) bool {
	if len(p.left) < len(tokens) || !slices.Equal(p.left[:len(tokens)], tokens) {
		return false
	}
	p.left = p.left[len(tokens):]
	return true
}

// entry reads a whole row: one with a key, or a value in brackets.
func (p *rowParser) entry() bool {
	if p.peek(1) == ":" {
		p.row.key, p.row.form = p.peek(0), mapRow
		return p.key() && p.take(":") && p.value()
	}
	return p.element()
}

// element reads a row without a key.
func (p *rowParser) element() bool {
	form, ok := plainRow, false
	begin := strings.IndexAny(strings.Join(p.left, ""), "([{")
	switch first := p.peek(0); {
	case first == "pytest.param":
		form, ok = "(", p.parameters()
	case isText(first), isNumberToken(first), begin < 0, slices.Contains(constantsOf(p.lang), first):
		ok = p.value()
	default:
		form = strings.Join(p.left, "")[:begin+1]
		ok = p.value()
	}
	p.row.form = form // those of values within do not count
	return ok
}

// parameters reads a case of pytest: values, and a name.
func (p *rowParser) parameters() bool {
	if p.lang != "python" || !p.take("pytest.param", "(") {
		return false
	}
	for !p.take(")") {
		if p.take("id", "=") {
			name := p.peek(0)
			return isText(name) && p.take(name) && (p.take(")") || p.take(",", ")"))
		}
		if !p.value() || !p.take(",") && p.peek(0) != ")" {
			return false
		}
	}
	return true
}

// arguments reads what follows the parenthesis of a call: values, some with names.
func (p *rowParser) arguments() bool {
	for !p.take(")") {
		if name := p.peek(0); plainName.MatchString(name) && p.peek(1) == "=" {
			p.take(name, "=")
		}
		if !p.element() || !p.take(",") && p.peek(0) != ")" {
			return false
		}
	}
	return true
}

func (p *rowParser) key() bool {
	k := p.peek(0)
	name := p.lang != "python" && plainName.MatchString(k) && k != "__proto__"
	return (isText(k) && k[0] != '`' || isText(k) && p.lang == "go" || isNumberToken(k) || name) && strings.Trim(k, "\"'") != "__proto__" && p.take(k)
}

func (p *rowParser) value() bool {
	switch t := p.peek(0); {
	case t == "":
		return false
	case isText(t), isNumberToken(t), slices.Contains(constantsOf(p.lang), t):
		return p.take(t)
	case p.lang == "go" && constantName.MatchString(t) && p.peek(1) != "{":
		p.row.named = true
		return p.take(t)
	case slices.Contains(p.calls, t):
		return p.take(t, "(") && p.arguments()
	case t == "{":
		return p.lang != "rust" && p.take(t) && p.fields()
	case t == "[" && p.lang != "go":
		return p.take(t) && p.values("]")
	case t == "(" && (p.lang == "python" || p.lang == "rust"):
		return p.take(t) && p.values(")")
	case p.lang == "rust" && p.take("&"):
		return p.value()
	case p.lang == "rust" && p.take("vec!", "["):
		return p.values("]")
	case p.lang == "rust" && p.take("Some", "("):
		return p.value() && p.take(")")
	}
	return (p.lang == "go" || p.lang == "rust") && p.typed() && p.take("{") && p.fields()
}

func (p *rowParser) values(end string) bool {
	for !p.take(end) {
		value := p.value
		if p.peek(0) == "pytest.param" {
			value = p.parameters
		}
		if !value() || !p.take(",") && p.peek(0) != end {
			return false
		}
	}
	return true
}

// fields reads what follows a brace: values, or values with keys.
func (p *rowParser) fields() bool {
	keyed := p.peek(1) == ":" || p.lang == "js" || p.lang == "rust"
	for !p.take("}") {
		if keyed && (!p.key() || !p.take(":")) || !p.value() || !p.take(",") && p.peek(0) != "}" {
			return false
		}
	}
	return true
}

// typed reads the type before a brace. One that the language does not have itself must be
// that of other rows.
func (p *rowParser) typed() bool {
	text, basic := "", true
	for p.peek(0) != "{" {
		switch t := p.peek(0); {
		case slices.Contains([]string{"[", "]", "*", "&"}, t), isNumberToken(t), t == "map":
		case typeName.MatchString(t):
			basic = basic && basicType.MatchString(t)
		default:
			return false
		}
		basic = basic && p.peek(0) != "&" && p.peek(0) != "*"
		text += p.peek(0)
		p.left = p.left[1:]
	}
	if !basic || !strings.HasPrefix(text, "[") && !strings.HasPrefix(text, "map[") {
		p.row.types = append(p.row.types, text)
	}
	return text != ""
}
