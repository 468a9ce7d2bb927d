package suspect

import (
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// What an object of JavaScript hides makes it equal to another one that hides the same. A test
// sees no difference where it compares two of them; plain values that it writes differ from both.

var (
	// comparesDeep matches the call of a comparison of what two values hold; its groups are a
	// matcher, which has one of them, and a function.
	comparesDeep = lazyregexp.New(`\.(?:to(?:Strict)?Equal|toContainEqual|toMatchObject|eqls?|deep(?:\.\w+)+)(\()|\b(?:(?:is|assert)?[dD]eep(?:Strict)?Equal|isEqual|isDeepStrictEqual|same|strictSame|deep_equal)(\()`)
	// comparesOther matches other ways to compare so: by texts, and by a function that the file
	// gives another name.
	comparesOther = lazyregexp.New(`\bJSON\.stringify\([^\n]*\bJSON\.stringify\(|\binspect\([^\n]*\binspect\(|\b(?:[dD]eep(?:Strict)?Equal|isEqual|toEqual|toStrictEqual)\b(?:\s*[:=;)]|\s+as\b)|\b(?:object|array)Containing\(|\bObject\.(?:keys|entries|values)\((?:a|b|x|y|got|actual|want|expected|left|right)\)`)
	// plainWord matches a value without a name, but for an object that holds nothing.
	plainWord = lazyregexp.New("'[^'\\n]*'|\"[^\"\\n]*\"|`[^`$]*`|\\b(?:true|false|null|undefined|NaN)\\b|-?\\b\\d[\\d._]*n?\\b|(?:\\w+|\\x02)\\s*:")
	// emptyObject matches an object that holds nothing, onlyPlain what is left of a plain value without its parts.
	emptyObject = lazyregexp.New(`\{\s*\}`)
	onlyPlain   = lazyregexp.New(`^[\s\[\]{},\x02]*$`)
)

// comparesObjects reports whether a test of the base, or a helper of one, may compare two objects
// by what they hold.
func (h helpers) comparesObjects() (bool, error) {
	for _, p := range proof.SortedPaths(h.Before) {
		if proof.LanguageOf(p) != "js" || !proof.IsFile(h.Before[p]) {
			continue
		}
		data, err := h.Content(h.Before[p].ID)
		if err != nil || len(data) > syntax.LongestSource || comparesTwo(string(data)) {
			return true, err
		}
	}
	return false, nil
}

// comparesTwo reports whether a test has such a comparison.
func comparesTwo(test string) bool {
	test = syntax.WithoutComments("js", syntax.InLines("js", []byte(test)))
	for _, at := range comparesDeep.FindAllStringSubmatchIndex(test, -1) {
		matcher := at[2] >= 0
		given := argumentsFrom(test[at[1]:])
		if matcher && len(given) > 1 {
			given = given[:1]
		}
		if !matcher && len(given) > 2 {
			given = given[:2]
		}
		plain := false
		for _, g := range given {
			plain = plain || isPlain(g)
		}
		if !plain {
			return true
		}
	}
	return comparesOther.MatchString(test)
}

// isPlain reports whether an argument is a value without names, functions and empty objects.
func isPlain(argument string) bool {
	if strings.TrimSpace(argument) == "" || emptyObject.MatchString(argument) {
		return false
	}
	return onlyPlain.MatchString(plainWord.ReplaceAllString(plainWord.ReplaceAllString(argument, "\x02"), "\x02"))
}

// argumentsFrom are the arguments of a call, from behind its bracket; none where it does not end.
func argumentsFrom(text string) []string {
	inside, _ := syntax.InBrackets(text)
	return syntax.Parts(inside, ',')
}
