package suspect

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

// A class of Python that derives from a text, a number or a collection is compared by tests as
// that value: a comparison of its own replaces the value's, also one that it gets from a class
// beside it.

var (
	// valueHead matches the head of a class; its groups are its indent, its name and its bases.
	valueHead = lazyregexp.New(`(?m)^([ \t]*)class[ \t]+(\w+)[ \t]*(?:\[[^\]\n]*\][ \t]*)?(?:\(((?s:.*?))\)[ \t]*)?:`)
	// valueBase matches a base that is a value; parameters of types are none.
	valueBase = lazyregexp.New(`\b(?:str|int|float|complex|bool|bytes|bytearray|list|tuple|dict|set|frozenset|Decimal|Fraction)\b`)
	// typesGiven matches the parameters of a type, baseName a part of a base's name.
	typesGiven = lazyregexp.New(`\[[^\[\]]*\]`)
	baseName   = lazyregexp.New(`\w+`)
	// blockHead matches the beginning of a statement of Python that has a body.
	blockHead = lazyregexp.New(`(?m)^[ \t]*(?:(?:async[ \t]+)?def|if|for|while|with|try|else)\b`)
)

// valueClasses tells of the positions of a source whether they are in a class of a value.
type valueClasses struct {
	heads []pythonHead
	// values are the names of the classes that are values, and of those from which one derives.
	values map[string]bool
}

// pythonHead is the head of a class, which begins at an offset.
type pythonHead struct {
	at, indent  int
	name, bases string
}

func valueClassesOf(text string) valueClasses {
	c := valueClasses{values: map[string]bool{}}
	for _, at := range valueHead.FindAllStringSubmatchIndex(text, -1) {
		h := pythonHead{at: at[0], indent: at[3] - at[2], name: text[at[4]:at[5]]}
		if at[6] >= 0 {
			h.bases = typesGiven.ReplaceAllString(typesGiven.ReplaceAllString(text[at[6]:at[7]], ""), "")
		}
		if c.heads = append(c.heads, h); valueBase.MatchString(h.bases) {
			c.values[h.name] = true
		}
	}
	c.spread(func(class, base string) bool { return c.adds(class, c.values[base]) })
	c.spread(func(class, base string) bool { return c.adds(base, c.values[class]) })
	return c
}

// spread calls a function for each class and each of its bases until it changes nothing.
func (c valueClasses) spread(changes func(class, base string) bool) {
	for more := true; more; {
		more = false
		for _, h := range c.heads {
			for _, base := range baseName.FindAllString(h.bases, -1) {
				more = changes(h.name, base) || more
			}
		}
	}
}

// adds adds a class where a value has to do with it, and reports whether it is new.
func (c valueClasses) adds(name string, value bool) bool {
	if !value || c.values[name] {
		return false
	}
	c.values[name] = true
	return true
}

// at reports whether a method that begins at an offset belongs to a value: its class is the last
// one above it that is indented less and continues until there. Where there is none, any value of
// the file counts.
func (c valueClasses) at(text string, offset int) bool {
	least := indentOf(text[offset:])
	for _, h := range slices.Backward(c.heads) {
		if h.at >= offset || h.indent >= least {
			continue
		}
		if least = h.indent; !ends(text[h.at:offset], h.indent) {
			return c.values[h.name]
		}
	}
	return len(c.values) > 0
}

// ends reports whether a class is over behind its head: a statement with a body begins that is
// indented no more.
func ends(class string, indent int) bool {
	for _, at := range blockHead.FindAllStringIndex(class, -1) {
		if at[0] > 0 && indentOf(class[at[0]:]) <= indent {
			return true
		}
	}
	return false
}

func indentOf(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }
