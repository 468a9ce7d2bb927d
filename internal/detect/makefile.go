package detect

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"ralph/internal/loop"
)

// make proposes targets for gates that no language gave.
func (s *scanner) make() {
	file := s.first("GNUmakefile", "makefile", "Makefile")
	if file == "" {
		return
	}
	targets, phony := makeTargets(s.read(file))
	for _, want := range []struct {
		kind  loop.Kind
		names []string
	}{
		{loop.KindTests, []string{"test", "tests", "check"}},
		{loop.KindLint, []string{"lint"}},
		{loop.KindTypes, []string{"typecheck", "types"}},
	} {
		i := slices.IndexFunc(want.names, func(n string) bool { return slices.Contains(targets, n) })
		if i < 0 || s.has(want.kind) {
			continue
		}
		name := want.names[i]
		if s.exists(name) && !slices.Contains(phony, name) {
			s.remark(fmt.Sprintf("%s: the target %s does nothing while a file or folder of that name exists; make it .PHONY", s.at(file), name))
			continue
		}
		s.propose(loop.Gate{Kind: want.kind, Run: "make " + name}, "make", "make", file, "target "+name)
	}
}

// makeTargets returns plain targets and phony ones. It does not see computed rules.
func makeTargets(text string) (targets, phony []string) {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\\\n", " ")
	for line := range strings.Lines(text) {
		names, rest, ok := strings.Cut(line, ":")
		if !ok || strings.HasPrefix(line, "\t") || strings.ContainsAny(names, "#=") || strings.HasPrefix(strings.TrimLeft(rest, ":"), "=") {
			continue
		}
		if strings.TrimSpace(names) == ".PHONY" {
			rest, _, _ = strings.Cut(rest, "#")
			phony = append(phony, strings.Fields(rest)...)
			continue
		}
		targets = append(targets, strings.Fields(names)...)
	}
	return targets, phony
}

// script proposes a test script if there is nothing better.
func (s *scanner) script() {
	file := s.first("test.sh", "tests.sh", "run_tests.sh", "run-tests.sh", "scripts/test.sh", "scripts/test", "script/test", "bin/test")
	if file == "" || s.has(loop.KindTests) {
		return
	}
	s.propose(loop.Gate{Kind: loop.KindTests, Run: s.call(file)}, "script", "", file, "a script with that name")
}

// call returns the command of a script: itself if it is executable, else the shell
// of its first line.
func (s *scanner) call(file string) string {
	info, err := fs.Stat(s.fsys, s.at(file))
	if err == nil && info.Mode().Perm()&0o111 != 0 {
		return "./" + file
	}
	first, _, _ := strings.Cut(s.read(file), "\n")
	if strings.HasPrefix(first, "#!") && strings.Contains(first, "bash") {
		return "bash " + file
	}
	return "sh " + file
}
