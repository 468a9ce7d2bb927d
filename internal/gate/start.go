package gate

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

// What sh exits with when it cannot run a command.
const (
	notExecutable = 126
	notFound      = 127
)

// notFoundLine is how shells name what they did not find; dash, bash, zsh and
// busybox word it differently.
var notFoundLine = lazyregexp.New(`(?:^|[\s:])([^\s:]+): (?:command )?not found$|command not found: (\S+)$|: ([^\s:]+): (?:No such file or directory|Permission denied|cannot execute.*)$`)

// notStarted answers for the two codes. Any program can exit with them, so an
// optional gate is only skipped when the tool, which must be a word of the
// gate's own command, is really not installed.
func (e *evaluation) notStarted(code int) verdict {
	name := e.unfound()
	reason := "command not found: " + name
	if code == notExecutable {
		reason = "command cannot be executed: " + name
	}
	v := finding(loop.Error, "%s", reason)
	v.cannotStart = true
	if e.Gate.Optional && code == notFound && e.notInstalled(name) {
		v.Verdict = loop.Skipped
	}
	return v
}

// unfound names the command that the shell did not find.
func (e *evaluation) unfound() string {
	lines := e.out.facts.Lines()
	for _, l := range slices.Backward(lines) {
		for _, name := range notFoundLine.FindStringSubmatch(l) {
			if name != "" && !strings.ContainsAny(name, " \t") {
				return name
			}
		}
	}
	if c := split(e.Gate.Run); len(c) > 0 {
		return c[0].words[0]
	}
	return e.Gate.Run
}

// notInstalled looks for a tool on the gate's own PATH.
func (e *evaluation) notInstalled(name string) bool {
	if strings.ContainsAny(name, `/\`) || !e.mentions(name) {
		return false
	}
	for _, dir := range filepath.SplitList(lookup(environment(e.Env, e.Gate.Env), "PATH")) {
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(e.tree.abs(), dir)
		}
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
			return false
		}
	}
	return true
}

func (e *evaluation) mentions(name string) bool {
	for _, c := range split(e.Gate.Run) {
		if c.words[0] == name {
			return true
		}
	}
	return false
}
