package detect

import (
	"io/fs"
	"strings"

	"ralph/internal/loop"
)

// script proposes a test script where nothing better was found.
func (s *scanner) script() {
	file := s.first("test.sh", "tests.sh", "run_tests.sh", "run-tests.sh", "scripts/test.sh", "scripts/test", "script/test", "bin/test")
	if file == "" || s.has(loop.KindTests) {
		return
	}
	s.propose(loop.Gate{Kind: loop.KindTests, Run: s.call(file)}, "script", "", file, "a script with that name")
}

// call is how a script of the project is started: itself if it may be, else by
// the shell that its first line names.
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
