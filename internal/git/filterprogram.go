package git

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ErrFilterProgram is returned for a filter whose program is not there: git would leave what is
// stored, such as the pointers of LFS, in a tree, or fail once work is committed.
type ErrFilterProgram struct{ Name, Program string }

func (e ErrFilterProgram) Error() string {
	return fmt.Sprintf("filter %s: program %q not found", e.Name, e.Program)
}

// CheckFilters returns an error where the program of a filter is not installed. A command that
// does not begin with the plain name or absolute path of a program is not examined.
func (r *Repo) CheckFilters(ctx context.Context, f Filters) error {
	known := map[string]bool{"": true}
	for _, name := range slices.Sorted(maps.Keys(f.Drivers)) {
		d := f.Drivers[name]
		for _, command := range []string{d.Process, d.Clean, d.Smudge} {
			program := programOf(command)
			if !known[program] {
				if err := r.hasProgram(ctx, program); err != nil {
					if _, absent := errors.AsType[*CommandError](err); absent {
						err = ErrFilterProgram{name, program}
					}
					return err
				}
			}
			known[program] = true
		}
	}
	return nil
}

// hasProgram looks where git looks when it runs a filter: the shell of git, with the folder of
// git's own programs.
func (r *Repo) hasProgram(ctx context.Context, program string) error {
	_, err := r.git(ctx, r.shared(), "-c", "alias.ralph-has=!command -v "+program, "ralph-has")
	return err
}

// programOf is the first word of a command; "" where it is not plain.
func programOf(command string) string {
	word, _, _ := strings.Cut(strings.TrimSpace(command), " ")
	plain := func(c rune) bool {
		return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.ContainsRune("/_.+-", c)
	}
	relative := strings.Contains(word, "/") && !strings.HasPrefix(word, "/") // to the tree that is checked out
	if relative || strings.HasPrefix(word, "-") || strings.ContainsFunc(word, func(c rune) bool { return !plain(c) }) {
		return ""
	}
	return word
}
