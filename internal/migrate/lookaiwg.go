package migrate

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// aiwg looks through seed 001's folder of loops inside a session.
func (l *looking) aiwg(dir string) {
	l.multi(dir, ParseAiwg, "state.json", "current-loop.json")
	l.patterns(path.Join(dir, "shared/patterns"))
	l.stays(dir, l.lost, "shared/memory", "checkpoints", "debug-memory", "heartbeats")
}

// external looks through the folder of its supervisor.
func (l *looking) external(dir string) {
	l.multi(dir, ParseExternal, "session-state.json", "session-state.json")
	l.stays(dir, l.lost, "prompts", "outputs", "analysis", "checkpoints", "completion-report.md")
}

// multi reads the layout of both: a registry, one folder for each loop, an
// archive, and the single file of an older version, or a link in its place.
func (l *looking) multi(dir string, parse parser, state, single string) {
	registry := l.registry(dir)
	from := len(l.seen.Found)
	l.folders(path.Join(dir, "loops"), parse, state, &registry)
	archived := len(l.seen.Found)
	l.folders(path.Join(dir, "archive"), parse, state, &registry)
	for i := range l.seen.Found[archived:] {
		l.seen.Found[archived+i].shelve()
	}
	l.single(path.Join(dir, single), path.Join(dir, "loops"), parse)
	l.onlyRegistered(path.Join(dir, "registry.json"), registry, from)
}

func (l *looking) registry(dir string) Registry {
	name := path.Join(dir, "registry.json")
	data, ok := l.read(name)
	if !ok {
		return Registry{}
	}
	r, lost, err := ParseRegistry(data)
	if err != nil {
		l.refuse(name, err)
		return Registry{}
	}
	for _, loss := range lost {
		l.lost.add("registry.json "+loss.What, "%s", loss.Why)
	}
	l.folder.Registry = &Counted{name, digest(data), r.Completed, r.Aborted}
	return r
}

// folders reads the loops that have a folder each. Their entries in the registry
// say what they leave out, and are done with.
func (l *looking) folders(dir string, parse parser, state string, r *Registry) {
	for _, e := range l.entries(dir) {
		if !e.IsDir() {
			l.lost.add(path.Join(path.Base(dir), e.Name()), "is not the folder of a loop")
			continue
		}
		name := path.Join(dir, e.Name(), state)
		data, ok := l.read(name)
		if !ok && l.missing(name, e.Name(), r) {
			continue
		}
		if !ok {
			r.drop(e.Name())
			continue
		}
		if found := l.add(name, data, parse); found != nil {
			l.complete(found, e.Name(), r)
		}
		r.drop(e.Name())
	}
}

// missing: a folder without its file. Where the registry knows the loop, that
// will do; else there is nothing.
func (l *looking) missing(name, id string, r *Registry) bool {
	if _, err := fs.Lstat(l.fs, name); err == nil {
		return false // It is there, and was a problem.
	}
	if !slices.ContainsFunc(r.Loops, func(f Found) bool { return f.ID == id }) {
		l.lost.add(strings.TrimPrefix(name, l.folder.Path+"/"), "is not there, and the registry does not know the loop")
	}
	return true
}

// complete takes what the file leaves out from the folder and the registry.
func (l *looking) complete(found *Found, id string, r *Registry) {
	if found.ID == "" {
		found.ID = id
	}
	if i := slices.IndexFunc(r.Loops, func(f Found) bool { return f.ID == id }); i >= 0 {
		entry := r.Loops[i]
		found.Iteration = max(found.Iteration, entry.Iteration)
		if found.Max == 0 {
			found.Max = entry.Max
		}
		if found.Task == "" {
			found.Task = entry.Task
		}
		if found.Completion == "" {
			found.Completion = entry.Completion
		}
		if found.StartedAt.IsZero() {
			found.StartedAt = entry.StartedAt
		}
	}
	dir := path.Dir(found.Source)
	lost := &losses{all: found.Lost}
	if len(found.Attempts) == 0 {
		found.Attempts = l.iterations(path.Join(dir, "iterations"), lost)
	}
	l.stays(dir, lost, "checkpoints", "debug-memory", "prompts", "outputs", "analysis")
	found.Lost = lost.all
}

// iterations reads iteration-1.json and so on, which some versions wrote.
func (l *looking) iterations(dir string, lost *losses) (out []loop.Attempt) {
	for i, e := range l.entries(dir) {
		name := path.Join(dir, e.Name())
		if i >= mostAttempts || !strings.HasSuffix(name, ".json") {
			lost.add("iterations/"+e.Name(), staysThere)
			continue
		}
		data, ok := l.read(name)
		if !ok {
			continue
		}
		m, err := object(data)
		if err != nil {
			l.refuse(name, err)
			continue
		}
		n := 0
		_, _ = fmt.Sscanf(e.Name(), "iteration-%d.json", &n)
		out = append(out, newFields("iterations/", m, lost).attempt(max(n, 1), completionGate))
	}
	return out
}

// onlyRegistered reports loops that have only their entry left.
func (l *looking) onlyRegistered(name string, r Registry, from int) {
	for _, f := range r.Loops {
		if slices.ContainsFunc(l.seen.Found[from:], func(have Found) bool { return have.ID == f.ID }) {
			continue
		}
		f.Kind, f.Source = l.folder.Kind, name+"#"+text.Clip(f.ID, 80)
		l.seen.Found = append(l.seen.Found, f)
	}
}

func (r *Registry) drop(id string) {
	r.Loops = slices.DeleteFunc(r.Loops, func(f Found) bool { return f.ID == id })
}
