package redgreen

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

func hollowScript(text string) (found []Function) {
	ends, quiet := syntax.BlocksOf(text), syntax.ScriptToken.FindAllStringIndex(text, -1)
	for _, m := range syntax.ScriptParameters.FindAllStringSubmatchIndex(text, -1) {
		body, name := m[1], nameOfScript(text[max(0, m[0]-60):m[0]], text[max(m[2], m[0]):max(m[3], m[0])])
		if word := m[2]; word >= 0 && slices.Contains(syntax.NoFunction, text[word:m[3]]) {
			continue
		}
		if strings.HasSuffix(text[:body], "=>") {
			body += len(text[body:]) - len(strings.TrimLeft(text[body:], " \t\n"))
			if !strings.HasPrefix(text[body:], "{") {
				if end := syntax.ExpressionEnd(text, body, quiet); end > body {
					f := Function{Name: name, Begin: m[0], Body: body, End: end, fails: `(() => { throw new Error("` + hollowed + `"); })() ? 0 : `, idle: "true ? undefined : "}
					f.other = f.otherScript(text, false)
					found = append(found, f)
				}
				continue
			}
			body++
		}
		if end := ends[body]; end > 0 {
			f := Function{Name: name, Begin: m[0], Body: body, End: end, fails: ` throw new Error("` + hollowed + `");`, ends: " return;"}
			if givesScript.MatchString(text[body:end]) {
				f.idle, f.other = " return;", f.otherScript(text, true)
			}
			found = append(found, f)
		}
	}
	return found
}

// nameOfScript is the name of a function: its own, or that of the value that it is.
func nameOfScript(head, own string) string {
	if own != "" && own != "async" && own != "function" {
		return own
	}
	if m := valueIs.FindStringSubmatch(head); m != nil {
		return m[1]
	}
	return ""
}

var (
	valueIs     = lazyregexp.New(`([\w$]+)\s*(?::[^=;{}()]*)?[:=]\s*(?:async\s*)?(?:function\s*)?$`)
	givesScript = lazyregexp.New(`\byield\b|\breturn\s+[^\s;}]|\breturn[("'\x60\[{]`)
	// declaredName matches what a line of JavaScript or TypeScript declares.
	declaredName = lazyregexp.New(`\b(?:const|let|var|class|enum|interface|type|namespace|function\*?)\s+([\w$]+)|\bexports\.([\w$]+)\s*=|^\s+(?:(?:static|readonly|public|private|declare)\s+)*#?([\w$]+)\s*(?:[?!]?:|=[^=])`)
	// functionHere matches a function that is not hollowed, onlyHollow what is left of one that is.
	functionHere = lazyregexp.New(`=>|\bfunction\b\s*\*?\s*[\w$(]`)
	onlyHollow   = lazyregexp.New(`=\s*(?:async\s*)?;?\s*$`)
)

func declaredScript(rest string, old func(string) bool) (names []string) {
	for _, line := range syntax.CodeLines("js", strings.Split(syntax.WithoutImports(rest, nil), "\n")) {
		if strings.TrimSpace(line) == "" || syntax.LoadsComputed.MatchString(line) || onlyHollow.MatchString(line) || old(line) {
			continue
		}
		if functionHere.MatchString(line) {
			names = append(names, anything)
		}
		for _, m := range declaredName.FindAllStringSubmatch(line, -1) {
			names = append(names, strings.Join(m[1:], ""))
		}
	}
	return names
}
