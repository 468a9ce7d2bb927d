package migrate

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"ralph/internal/text"
)

// Kind is a runner whose state ralph reads.
type Kind string

// The kinds, by the design that each follows: seed 001 inside a session and
// under a supervisor, seed 000, seed 004, and a stop hook of Claude Code.
const (
	Aiwg       Kind = "aiwg"
	External   Kind = "aiwg-external"
	AgileFlow  Kind = "agileflow"
	RalphState Kind = "ralph-state"
	Claude     Kind = "claude"
)

// trace is the place of a kind's state, relative to the root of a project.
type trace struct {
	kind Kind
	path string
	look func(*looking, string)
}

func traces() []trace {
	return []trace{
		{Aiwg, ".aiwg/ralph", (*looking).aiwg},
		{External, ".aiwg/ralph-external", (*looking).external},
		{AgileFlow, ".agileflow/sessions/agent-loops", (*looking).agileflow},
		{RalphState, ".ralph_state.md", (*looking).stateMarkdown},
		{RalphState, ".ralph_state.json", (*looking).stateJSON},
		{Claude, ".claude/ralph-loop.local.md", (*looking).claude},
	}
}

// Traces returns the files and folders that reveal another runner.
func Traces() []string {
	all := traces()
	out := make([]string, len(all))
	for i, t := range all {
		out[i] = t.path
	}
	return out
}

// Kinds returns all kinds in the order of the search.
func Kinds() []Kind {
	var out []Kind
	for _, t := range traces() {
		if !slices.Contains(out, t.kind) {
			out = append(out, t.kind)
		}
	}
	return out
}

// Place splits the path of a trace, or of a folder above or below one, into the root
// of its project and the kinds: /x/.aiwg/ralph/loops is aiwg in /x. ok reports
// whether the path is one.
func Place(file string) (root string, kinds []Kind, ok bool) {
	file = path.Clean(file)
	for _, t := range traces() {
		if before, _, found := strings.Cut(file+"/", "/"+t.path+"/"); found {
			return orSlash(before), []Kind{t.kind}, true
		}
	}
	for _, t := range traces() {
		top, _, nested := strings.Cut(t.path, "/")
		if before, found := strings.CutSuffix(file, "/"+top); found && nested {
			root, kinds, ok = orSlash(before), append(kinds, t.kind), true
		}
	}
	return root, kinds, ok
}

func orSlash(dir string) string {
	if dir == "" {
		return "/"
	}
	return dir
}

// losses collects the parts that are not converted, each once.
type losses struct{ all []Loss }

// mostLosses bounds the report about a hostile file.
const mostLosses = 40

func (l *losses) add(what, why string, args ...any) {
	loss := Loss{text.Clip(what, 80), text.Clip(fmt.Sprintf(why, args...), 200)}
	switch {
	case slices.Contains(l.all, loss), len(l.all) > mostLosses:
	case len(l.all) == mostLosses:
		l.all = append(l.all, Loss{"…", "and more"})
	default:
		l.all = append(l.all, loss)
	}
}

// noPlace is the usual reason.
const noPlace = "ralph has no place for it"

// staysThere is the reason for files that are not loops.
const staysThere = "stays where it is"
