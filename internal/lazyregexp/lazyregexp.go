// Package lazyregexp holds regular expressions that are compiled when they are
// first used. The program starts again for every child that it supervises, and
// compiling the patterns of every parser took 15 of its 22 ms.
package lazyregexp

import (
	"regexp"
	"sync"
)

// Regexp is a regexp.Regexp to be. Tests that name a broken pattern fail where
// they use it.
type Regexp struct {
	pattern  string
	compile  sync.Once
	compiled *regexp.Regexp
}

// New remembers a pattern, which must be valid. It is small enough for the compiler
// to lay a package's patterns out as data, so that they cost no start anything.
func New(pattern string) *Regexp { return &Regexp{pattern: pattern} }

// get panics where the pattern is not valid.
func (r *Regexp) get() *regexp.Regexp {
	r.compile.Do(func() { r.compiled = regexp.MustCompile(r.pattern) })
	return r.compiled
}

// The methods of regexp.Regexp that the project uses.

// MatchString is that of regexp.Regexp, as are all the others.
func (r *Regexp) MatchString(s string) bool { return r.get().MatchString(s) }

// FindIndex answers where the leftmost match is.
func (r *Regexp) FindIndex(b []byte) []int { return r.get().FindIndex(b) }

// FindStringSubmatch answers the leftmost match and its groups.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.get().FindStringSubmatch(s) }

// FindAllString answers the first n matches.
func (r *Regexp) FindAllString(s string, n int) []string { return r.get().FindAllString(s, n) }

// FindAllStringSubmatch answers the first n matches and their groups.
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.get().FindAllStringSubmatch(s, n)
}

// FindAllStringIndex answers where the first n matches are.
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.get().FindAllStringIndex(s, n)
}

// FindAllStringSubmatchIndex is that of regexp.
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.get().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAllString replaces every match; $1 is a group.
func (r *Regexp) ReplaceAllString(s, with string) string {
	return r.get().ReplaceAllString(s, with)
}

// ReplaceAllStringFunc replaces every match by what a function makes of it.
func (r *Regexp) ReplaceAllStringFunc(s string, with func(string) string) string {
	return r.get().ReplaceAllStringFunc(s, with)
}

// SubexpNames are the names of the groups.
func (r *Regexp) SubexpNames() []string { return r.get().SubexpNames() }

// FindStringSubmatchIndex is that of regexp.
func (r *Regexp) FindStringSubmatchIndex(s string) []int { return r.get().FindStringSubmatchIndex(s) }
