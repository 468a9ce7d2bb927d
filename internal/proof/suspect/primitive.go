package suspect

import (
	"regexp"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof/syntax"
)

// An object of JavaScript tells by Symbol.toPrimitive as which value it is compared. One that
// gives what it holds, by its hint, differs for each value and is the same each time.

var (
	// primitiveHead matches the head of such a method; its group is its parameter.
	primitiveHead = lazyregexp.New(`(?m)^[ \t]*\[Symbol\.toPrimitive\]\s*\(\s*(\w*)[^)\n]*\)\s*(?::[^{\n]*)?\{`)
	// ownText matches a call of a method by which an object gives what it holds, ownCall any
	// call of a method of its own, ownValue a property.
	ownText  = lazyregexp.New(`\bthis\.(toString|toJSON|valueOf|toISOString)\(\)`)
	ownCall  = lazyregexp.New(`\bthis\.#?\w+\s*\(`)
	ownValue = lazyregexp.New(`\bthis\.#?(\w+)`)
	// withinText matches a template with such values, heldValue a value that is written as a text
	// or number, onlyHeld a body that has nothing else.
	withinText = lazyregexp.New("`(?:[^`$]*\\$\\{" + held + "\\})+[^`$]*`")
	heldValue  = lazyregexp.New(`\b(?:String|Number)\(` + held + `\)|` + held + `\.(?:toString|valueOf|toISOString|getTime)\(\)`)
	onlyHeld   = lazyregexp.New(`^(?:\s|\b(?:return|if|else|default|break)\b|[(){};:?]|` + held + `)*$`)
	// changesState matches what code does that may give another value the next time; locals are
	// assigned, too.
	changesState = lazyregexp.New(`\+\+|--|[^=!<>]=[^=>]|\.(?:shift|pop|next|push|splice|random|now)\(|\bawait\b`)
	locals       = lazyregexp.New(`\b(?:const|let)\s+(?:\w+|\{[^{}\n]*\}|\[[^\[\]\n]*\])\s*=`)
)

// held stands for a value that an object holds.
const held = "\x01"

// withoutPrimitives is a source in which methods that give what their object holds have another
// name.
func withoutPrimitives(text string) string {
	var out strings.Builder
	last := 0
	for _, at := range primitiveHead.FindAllStringSubmatchIndex(text, -1) {
		head := text[at[0]:at[1]]
		if body, _ := syntax.InBrackets(text[at[1]:]); givesHeld(text, body, text[at[2]:at[3]]) {
			head = strings.Replace(head, "Symbol.toPrimitive", "own", 1)
		}
		out.WriteString(text[last:at[0]] + head)
		last = at[1]
	}
	return out.String() + text[last:]
}

// givesHeld reports whether all that a body gives is held by its object.
func givesHeld(source, body, hint string) bool {
	body = syntax.WithoutComments("js", body)
	if hint != "" {
		asked := regexp.MustCompile(`\b` + hint + `\s*[!=]==?\s*["']\w+["']|\bswitch\s*\(\s*` + hint + `\s*\)|\bcase\s+["']\w+["']`)
		body = asked.ReplaceAllString(body, "")
	}
	var names []string
	for _, m := range ownText.FindAllStringSubmatch(body, -1) {
		names = append(names, m[1])
	}
	body = ownText.ReplaceAllString(body, held)
	if ownCall.MatchString(body) {
		return false
	}
	for _, m := range ownValue.FindAllStringSubmatch(body, -1) {
		names = append(names, m[1])
	}
	body = heldValue.ReplaceAllString(ownValue.ReplaceAllString(body, held), held)
	body = withinText.ReplaceAllString(body, held)
	if !strings.Contains(body, held) || !onlyHeld.MatchString(body) {
		return false
	}
	for _, name := range names {
		if !keepsValue(source, name) {
			return false
		}
	}
	return true
}

// keepsValue reports whether the methods and getters of a name look at their object and change
// nothing.
func keepsValue(source, name string) bool {
	head := regexp.MustCompile(`(?m)^[ \t]*(?:get\s+)?#?` + name + `\s*\([^)\n]*\)\s*(?::[^{\n]*)?\{`)
	for _, at := range head.FindAllStringIndex(source, -1) {
		body, _ := syntax.InBrackets(source[at[1]:])
		body = locals.ReplaceAllString(body, "")
		if !strings.Contains(body, "this") || changesState.MatchString(body) {
			return false
		}
	}
	return true
}
