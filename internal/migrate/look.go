package migrate

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"
)

// Seen is the state of other runners below one root.
type Seen struct {
	Found []Found
	// Folders are the traces that exist.
	Folders []Folder
	// Problems are unreadable files: Found contains nothing of them.
	Problems []*Error
}

// Folder is one trace with its losses besides those of its loops.
type Folder struct {
	Kind Kind
	Path string
	// Registry counts loops that ended, some of them without a file; nil: none.
	Registry *Counted
	// Lessons are learned patterns, by the file that holds them.
	Lessons []Lessons `json:",omitempty"`
	Lost    []Loss
	// Whole: everything in it could be read.
	Whole bool
}

// Counted are a registry's totals.
type Counted struct {
	Source, SHA256     string
	Completed, Aborted int
}

// Look finds the state of the given kinds below the root of a project. With no
// kinds it looks for all.
func Look(root fs.FS, kinds ...Kind) Seen {
	l := &looking{fs: root}
	for _, t := range traces() {
		if len(kinds) > 0 && !slices.Contains(kinds, t.kind) {
			continue
		}
		if _, err := fs.Lstat(root, t.path); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		l.begin(t.kind, t.path)
		t.look(l, t.path)
		l.end()
	}
	return l.seen
}

// LookAt reads a single file of any kind, told by its content and name.
func LookAt(root fs.FS, name string) Seen {
	l := &looking{fs: root}
	l.begin("", name)
	if data, ok := l.read(name); ok {
		parse, kind := parserOf(name, data)
		l.folder.Kind = kind
		l.add(name, data, parse)
	}
	l.end()
	return l.seen
}

// parser is the type of all parsers.
type parser func([]byte) (Found, []Loss, error)

// parserOf finds out what a file is: by the names that only one kind uses, then
// by its beginning.
func parserOf(name string, data []byte) (parser, Kind) {
	text := string(data[:min(len(data), 4096)])
	has := func(word string) bool { return strings.Contains(text, word) }
	switch markdown := strings.HasPrefix(strings.TrimPrefix(text, "\xef\xbb\xbf"), "---"); {
	case markdown && has("\ntask_id:"):
		return ParseStateMarkdown, RalphState
	case markdown || strings.HasSuffix(name, ".md"):
		return ParseClaude, Claude
	case has(`"quality_gate"`):
		return ParseAgileFlow, AgileFlow
	case has(`"task_id"`) && has(`"error_hash"`):
		return ParseStateJSON, RalphState
	case has(`"objective"`) || strings.HasPrefix(path.Base(name), "session-state"):
		return ParseExternal, External
	}
	return ParseAiwg, Aiwg
}

// looking is one look.
type looking struct {
	fs     fs.FS
	seen   Seen
	folder Folder
	lost   *losses
}

func (l *looking) begin(kind Kind, name string) {
	l.folder, l.lost = Folder{Kind: kind, Path: name, Whole: true}, &losses{}
}

func (l *looking) end() {
	for i := range l.seen.Found {
		l.seen.Found[i].endUsedUp()
	}
	l.folder.Lost = l.lost.all
	l.seen.Folders = append(l.seen.Folders, l.folder)
}

func (l *looking) problem(e *Error) {
	l.folder.Whole = false
	l.seen.Problems = append(l.seen.Problems, e)
}

// add parses one file and keeps what it holds. It answers nil where nothing was
// kept.
func (l *looking) add(name string, data []byte, parse parser) *Found {
	found, lost, err := parse(data)
	if err != nil {
		l.refuse(name, err)
		return nil
	}
	found.Source, found.SHA256, found.Lost = name, digest(data), lost
	l.seen.Found = append(l.seen.Found, found)
	return &l.seen.Found[len(l.seen.Found)-1]
}

func (l *looking) refuse(name string, err error) {
	e, ok := errors.AsType[*Error](err)
	if !ok {
		e = &Error{Why: err.Error()}
	}
	e.Path = name
	if _, err := fs.Lstat(l.fs, name+".bak"); err == nil {
		e.Hint = "a backup lies beside it: ralph migrate --from " + name + ".bak"
	}
	l.problem(e)
}

func digest(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// single reads the one file that an older version kept. A link to a loop's own
// file says which of them old readers mean; a link to a view of ralph's is what
// `ralph migrate --link` leaves behind.
func (l *looking) single(name, loops string, parse parser) {
	info, err := fs.Lstat(l.fs, name)
	if err != nil {
		return
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := fs.ReadLink(l.fs, name)
		if err == nil && !path.IsAbs(target) && l.links(path.Join(path.Dir(name), target)) {
			return
		}
	}
	data, ok := l.read(name)
	if !ok {
		return
	}
	found := l.add(name, data, parse)
	if found == nil {
		return
	}
	at := len(l.seen.Found) - 1
	if twin := slices.IndexFunc(l.seen.Found[:at], func(f Found) bool {
		return f.ID != "" && f.ID == found.ID && strings.HasPrefix(f.Source, loops+"/")
	}); twin >= 0 {
		l.seen.Found[twin].Current = true
		l.seen.Found = l.seen.Found[:at]
		l.lost.add(path.Base(name), "is about the same loop as %s, which counts", l.seen.Found[twin].Source)
		return
	}
	found.Current = true
	l.complete(found, found.ID, &Registry{})
}

// links reports whether a link was understood.
func (l *looking) links(target string) bool {
	if strings.HasPrefix(target, ".ralph/loops/") {
		return true
	}
	for i, f := range l.seen.Found {
		if f.Source == target {
			l.seen.Found[i].Current = true
			return true
		}
	}
	return false
}

// agileflow reads one file for each loop (seed 000).
func (l *looking) agileflow(dir string) {
	for _, e := range l.entries(dir) {
		name := path.Join(dir, e.Name())
		if e.IsDir() || path.Ext(name) != ".json" {
			l.lost.add(e.Name(), "is not a loop")
			continue
		}
		data, ok := l.read(name)
		if !ok {
			continue
		}
		if found := l.add(name, data, ParseAgileFlow); found != nil && found.ID == "" {
			found.ID = strings.TrimSuffix(e.Name(), ".json")
		}
	}
	if _, err := fs.Lstat(l.fs, "docs/00-meta/agileflow-metadata.json"); err == nil {
		l.lost.add("docs/00-meta/agileflow-metadata.json", "its commands belong into ralph.yaml: ralph init")
	}
	if _, err := fs.Lstat(l.fs, "docs/09-agents/bus/log.jsonl"); err == nil {
		l.lost.add("docs/09-agents/bus/log.jsonl", "ralph continues it if ralph.yaml says bus: docs/09-agents/bus/log.jsonl")
	}
}

func (l *looking) stateMarkdown(name string) { l.file(name, ParseStateMarkdown) }
func (l *looking) claude(name string)        { l.file(name, ParseClaude) }

func (l *looking) stateJSON(name string) {
	l.file(name, ParseStateJSON)
	l.stays("", l.lost, ".ralph_context.md")
}

func (l *looking) file(name string, parse parser) {
	if data, ok := l.read(name); ok {
		l.add(name, data, parse)
	}
}
