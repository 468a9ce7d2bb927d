package migrate

import (
	"io/fs"
	"path"
	"strings"
)

// agileflow reads one file for each loop (seed 000).
func (l *looking) agileflow(dir string) {
	for _, e := range l.entries(dir) {
		name := path.Join(dir, e.Name())
		if e.IsDir() || path.Ext(name) != ".json" {
			l.lost.add(e.Name(), "is no loop")
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
		l.lost.add("docs/09-agents/bus/log.jsonl", "ralph goes on with it where ralph.yaml says bus: docs/09-agents/bus/log.jsonl")
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
