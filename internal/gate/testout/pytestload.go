package testout

import (
	"path"
	"strings"

	"ralph/internal/lazyregexp"
)

var (
	pytestConfFile = lazyregexp.New(`^ImportError while loading conftest '([^']+)'`)
	pytestNoFile   = lazyregexp.New(`^ERROR: file or directory not found: (\S+)`)
	pytestImport   = lazyregexp.New(`^([^\s:][^:]*\.py):\d+: in `)
	pytestSyntax   = lazyregexp.New(`^E +File "([^"]+\.py)", line \d+`)
)

// pytestLoad finds the file for which pytest ended before any test: the innermost one of
// the project below the conftest that it imported, or the one with the error of syntax.
type pytestLoad struct{ root, file string }

// begin reads the line by which pytest ends.
func (l *pytestLoad) begin(s string) {
	if m := pytestNoFile.FindStringSubmatch(s); m != nil {
		l.file = m[1]
	}
	if m := pytestConfFile.FindStringSubmatch(s); m != nil {
		l.root, l.file = m[1], path.Base(m[1]) // where the tree lies changes
	}
}

// line reads one of the lines below it.
func (l *pytestLoad) line(s string) {
	if l.root == "" {
		return
	}
	if m := pytestImport.FindStringSubmatch(s); m != nil && !strings.HasPrefix(m[1], "..") {
		if root, ok := strings.CutSuffix(l.root, "/"+m[1]); ok && strings.HasSuffix(l.root, ".py") {
			l.root = root + "/"
		}
		l.is(m[1])
	}
	if m := pytestSyntax.FindStringSubmatch(s); m != nil {
		l.is(m[1])
	}
}

func (l *pytestLoad) is(file string) {
	if file = strings.TrimPrefix(file, l.root); !strings.HasPrefix(file, "/") && !strings.Contains(file, "-packages/") {
		l.file = file
	}
}

// name is the file, or the runner where it is unknown.
func (l *pytestLoad) name() string {
	if l.file == "" {
		return "pytest"
	}
	return l.file
}
