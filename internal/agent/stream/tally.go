package stream

import (
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// Tally collects what one run reports. Dialects fill it; its methods are for them
// and need no lock.
type Tally struct {
	mu  sync.Mutex // held while a line is taken, and while the watch looks
	job agent.Job
	out loop.Outcome

	// begun: the program's protocol has begun.
	begun bool
	// told are the session and the model of the newest event about them.
	told [2]string
	// last is its newest plain line, for a program without another message.
	last  string
	raws  int
	tools tools
	turns int
	life  life

	// stopped is why ralph stopped it.
	stopped *Verdict
	stop    chan struct{}
	// linger is Launch.Linger.
	linger int
}

func newTally(job agent.Job) *Tally {
	return &Tally{
		job: job, stop: make(chan struct{}), tools: tools{running: map[string]string{}},
		life: life{finish: make(chan struct{})},
	}
}

// Job is the purpose of the run.
func (t *Tally) Job() agent.Job { return t.job }

// Locked runs f while no line is taken: for a dialect that uses the tally from a
// goroutine of its own.
func (t *Tally) Locked(f func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	f()
}

// Began records the session, once it is known, its model and its version. Empty
// values change nothing.
func (t *Tally) Began(session, model, version string) {
	t.begun = true
	before := t.told
	keep(&t.out.Session, session)
	keep(&t.out.Model, model)
	keep(&t.out.Version, version)
	t.told = [2]string{t.out.Session, t.out.Model}
	if t.told != before {
		t.job.Emit(agent.Event{Kind: agent.Session, Text: t.out.Session, Model: t.out.Model, Version: t.out.Version})
	}
}

// Begun reports whether the program's protocol has begun.
func (t *Tally) Begun() bool { return t.begun }

// Last joins a message with the newest plain line, for a program without another
// one.
func (t *Tally) Last(ours string) string { return words(ours, t.last) }

// Text records text of the model.
func (t *Tally) Text(s string) {
	if strings.TrimSpace(s) != "" {
		t.job.Emit(agent.Event{Kind: agent.Text, Text: s})
	}
}

// Final records the model's final text.
func (t *Tally) Final(s string) {
	t.out.Words = clip(s, 8<<10)
	t.job.Emit(agent.Event{Kind: agent.Result, Text: t.out.Words})
}

// Changed records a file that the agent's own tools wrote.
func (t *Tally) Changed(path string) {
	if path != "" {
		t.job.Emit(agent.Event{Kind: agent.FileChange, Path: t.local(path)})
	}
}

// maxDenials bounds how many refused tools are remembered.
const maxDenials = 50

// Denied records a refused tool, and the setting that would allow it.
func (t *Tally) Denied(tool, rule string) {
	d := loop.Denial{Tool: clip(tool, 100), Rule: clip(rule, 200)}
	known := func(k loop.Denial) bool { return k.Tool == d.Tool }
	if slices.ContainsFunc(t.out.Denials, known) || len(t.out.Denials) == maxDenials {
		return
	}
	t.out.Denials = append(t.out.Denials, d)
	t.job.Emit(agent.Event{Kind: agent.Denied, Tool: d.Tool, Rule: d.Rule})
}

// Used adds to the usage of the run.
func (t *Tally) Used(u loop.Usage) {
	t.out.Usage = t.out.Usage.Add(u)
	sum := t.out.Usage
	t.job.Emit(agent.Event{Kind: agent.UsageSeen, Usage: &sum})
}

// Since returns the tokens of one run of a program that counts over its whole
// session: total, less those before. Values that cannot be subtracted are kept.
func Since(total, before loop.Usage) loop.Usage {
	less := func(now, then *int64) *int64 {
		if now == nil || then == nil || *now < 0 {
			return now
		}
		return new(max(*now-*then, 0))
	}
	return loop.Usage{
		InputTokens:      less(total.InputTokens, before.InputTokens),
		OutputTokens:     less(total.OutputTokens, before.OutputTokens),
		CacheReadTokens:  less(total.CacheReadTokens, before.CacheReadTokens),
		CacheWriteTokens: less(total.CacheWriteTokens, before.CacheWriteTokens),
	}
}

// Context records the size of the newest request, and of the model's window; zero
// is unknown.
func (t *Tally) Context(used, window int64) {
	if used > 0 {
		t.out.ContextUsed = used
	}
	if window > 0 {
		t.out.ContextWindow = window
	}
}

// Window records how much of a window of the account's usage limit is used, in per
// cent. The newest report of each window counts; a broken one is dropped.
func (t *Tally) Window(name string, used float64, resetsAt time.Time) {
	w, ok := WindowOf(name, used, resetsAt)
	known := slices.IndexFunc(t.out.Windows, func(k loop.Window) bool { return k.Name == w.Name })
	switch {
	case !ok:
	case known >= 0:
		t.out.Windows[known] = w
	case len(t.out.Windows) < loop.MaxWindows:
		t.out.Windows = append(t.out.Windows, w)
	}
}

// WindowOf is a window as a program reported it; false where that cannot be.
func WindowOf(name string, used float64, resetsAt time.Time) (w loop.Window, ok bool) {
	const absurd = 1e6
	w = loop.Window{Name: clip(name, 50), Used: used, ResetsAt: resetsAt}
	return w, w.Name != "" && used >= 0 && used <= absurd
}

// Stop asks the program to end, with the verdict on why.
func (t *Tally) Stop(v Verdict) {
	if t.stopped == nil {
		t.stopped = &v
		close(t.stop)
	}
}

// maxRaw bounds how many unknown lines become events.
const maxRaw = 1000

func (t *Tally) unknown(line []byte) {
	t.out.UnknownLines++
	if t.raws++; t.raws <= maxRaw {
		t.job.Emit(agent.Event{Kind: agent.Raw, Text: clip(string(line[:min(len(line), 4<<10)]), 2<<10)})
	}
}

// local returns a path relative to the tree.
func (t *Tally) local(path string) string {
	if rel, err := filepath.Rel(t.job.Tree, path); err == nil && filepath.IsAbs(path) && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return path
}

// maxSpoken bounds the joined text of the model, in bytes.
const maxSpoken = 256 << 10

// Spoken joins text that a model produces in pieces.
type Spoken struct {
	now strings.Builder
	// Whole is the newest complete text.
	Whole string
}

// Add takes a piece.
func (s *Spoken) Add(piece string) {
	if s.now.Len() < maxSpoken {
		s.now.WriteString(piece)
	}
}

// Pause ends the current text, and reports it. White space alone is dropped.
func (s *Spoken) Pause(t *Tally) {
	if strings.TrimSpace(s.now.String()) == "" {
		return
	}
	s.Whole = s.now.String()
	s.now.Reset()
	t.Text(s.Whole)
}
