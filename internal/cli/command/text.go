package command

import (
	"slices"
	"strings"
	"unicode"
)

// First returns the first of a list, or the zero value.
func First[T any](list []T) (one T) {
	if len(list) > 0 {
		one = list[0]
	}
	return one
}

// ShellWord quotes a path where a shell needs it.
func ShellWord(s string) string {
	if strings.IndexFunc(s, func(r rune) bool {
		return !strings.ContainsRune("/._-+@:,", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// WithoutPrefix returns an environment without the variables of that prefix.
func WithoutPrefix(env []string, prefix string) []string {
	return slices.DeleteFunc(slices.Clone(env), func(kv string) bool { return strings.HasPrefix(kv, prefix) })
}
