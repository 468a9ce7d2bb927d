package addition

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// rubyLine is what is known at the end of a line of Ruby.
type rubyLine struct {
	code string   // without its comment; two quotes stand for each text
	open []string // the heads of the blocks, and the brackets, that are open
	goes bool     // the next line may continue it
	sure bool     // it was read without doubt, and so were all above it
}

// Ruby is read in a strict subset, without here-documents, texts of more than one line, and words
// that open a block elsewhere than where a line or a value begins. All else is in doubt.
var (
	rubyToken = lazyregexp.New(`^(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\#]|\\.|#\{[\w.@]*\}|#[^{$@"\\#])*"|%[wi](?:\[[\w\s.-]*\]|\([\w\s.-]*\))|[A-Za-z_]\w*[?!]?|@{0,2}\w+|\$[A-Za-z_]\w*| \? |[ \t]+|[-+*<>=!&|^~,.:(){}\[\]]|#.*)`)
	// rubyPattern matches a regular expression, where nothing else can stand.
	rubyPattern = lazyregexp.New(`^/(?:[^/\\#]|\\.)+/[imx]*`)
	beforeRegex = lazyregexp.New(`(?:[(,]|=~)\s*$`)
	keyword     = lazyregexp.New(`^(?:do|end|if|unless|while|until|for|case|begin|def|class|module|alias|undef|then|BEGIN|END)$`)
	doEnd       = lazyregexp.New(`^do(?:\s*\|[\w\s,*&]*\|)?$`)
	openingEnd  = lazyregexp.New(`(?:\bdo|\{)\s*\|[\w\s,*&]*\|$`)
	defHead     = lazyregexp.New(`^def\s+(?:self\.)?\w+[?!]?(?:\s*\([\w\s,*&:"]*\))?$`)
	classHeads  = lazyregexp.New(`^(?:class\s+[\w:]+(?:\s*<\s*[\w:]+)?|module\s+[\w:]+)$`)
	valueBefore = lazyregexp.New(`[\w\])]\s*(?:\|\|)?=\s*$`)
	unfinished  = lazyregexp.New(`(?:(?:^|\W)[!?]|[-+*<>=&|^~,.:(\[{]|\b(?:and|or|not|in|else|elsif|ensure|rescue|when|case|if|unless|return|def))$`)
)

// readRuby reads lines up to the first that is in doubt.
func readRuby(lines []string) (out []rubyLine) {
	last := rubyLine{sure: true}
	for _, text := range lines {
		l := last
		if l.code, l.sure = rubyCode(text); l.sure && l.code != "" {
			dotted := strings.HasSuffix(last.code, ".") || strings.HasSuffix(last.code, ":") || strings.HasSuffix(last.code, "def")
			l.open, l.sure = rubyBlocks(l.code, last.open)
			l.sure = l.sure && !dotted
			l.goes = unfinished.MatchString(l.code) && !openingEnd.MatchString(l.code)
		}
		if out = append(out, l); !l.sure {
			break
		}
		if l.code != "" {
			last = l
		}
	}
	return out
}

// rubyCode is a line with quotes for its texts, and without its comment.
func rubyCode(text string) (code string, sure bool) {
	if strings.HasPrefix(text, "=") || strings.HasPrefix(text, "__END__") || strings.ContainsAny(text, "\r\f\v\x00\x04\x1a") {
		return "", false
	}
	for text != "" {
		if pattern := rubyPattern.FindStringSubmatch(text); pattern != nil && beforeRegex.MatchString(code) {
			code, text = code+`""`, text[len(pattern[0]):]
			continue
		}
		at := rubyToken.FindIndex([]byte(text))
		if at == nil || strings.HasPrefix(text, "<<") && !strings.HasPrefix(text, "<< ") {
			return "", false
		}
		token := text[:at[1]]
		text = text[at[1]:]
		switch token[0] {
		case '#':
			return strings.TrimSpace(code), true
		case '\'', '"', '%':
			token = `""`
		}
		code += token
	}
	return strings.TrimSpace(code), true
}

// rubyBlocks are the blocks that are open after a line of code: each is the line that opens it, or
// its bracket.
func rubyBlocks(code string, open []string) (after []string, sure bool) {
	after = slices.Clone(open)
	for at := 0; at < len(code); at++ {
		switch c := code[at]; {
		case bracketStep(c) > 0:
			after = append(after, string(c))
			continue
		case bracketStep(c) < 0:
			n := len(after) - 1
			if n < 0 || !slices.Contains([]string{"()", "[]", "{}"}, after[n]+string(c)) {
				return nil, false
			}
			after = after[:n]
			continue
		case !wordByte(c):
			continue
		}
		end := at
		for end < len(code) && wordByte(code[end]) {
			end++
		}
		word, before, rest := code[at:end], code[:at], code[end:]
		at = end - 1
		if !keyword.MatchString(word) || strings.HasSuffix(before, ".") && !strings.HasSuffix(before, "..") || strings.HasPrefix(rest, "?") {
			continue
		}
		if before != "" && strings.ContainsAny(before[len(before)-1:], ":@.") || strings.HasPrefix(rest, ":") || strings.HasPrefix(rest, "!") || strings.HasPrefix(rest, "=") {
			return nil, false
		}
		first := before == ""
		value := first || valueBefore.MatchString(before)
		switch word {
		case "do":
			return append(after, code), !first && doEnd.MatchString(code[at-1:])
		case "end":
			n := len(after) - 1
			if !first || n < 0 || bracketStep(after[n][0]) > 0 || rest != "" && rest[0] != '.' && rest[0] != ')' {
				return nil, false
			}
			after = after[:n]
		case "if", "unless":
			if value {
				after = append(after, word)
			} else if !strings.HasSuffix(before, " ") || unfinished.MatchString(strings.TrimSpace(before)) && !strings.HasSuffix(before, "return ") {
				return nil, false
			}
		case "case", "begin":
			if !value || word == "begin" && rest != "" {
				return nil, false
			}
			after = append(after, word)
		case "def":
			return append(after, code), first && defHead.MatchString(code)
		case "class", "module":
			return append(after, code), first && classHeads.MatchString(code)
		default:
			return nil, false
		}
	}
	return after, true
}
