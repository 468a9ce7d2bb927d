package worker

import (
	"sync"
	"time"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// Hooks connect a step in flight with the process that drives it. The zero value connects it
// with nothing.
type Hooks struct {
	// Soft is called at most once, when the step's soft deadline passes; nil: nothing is.
	Soft func()
	// Kill is closed when the step's processes are to be killed at once.
	Kill <-chan struct{}

	mu   sync.Mutex
	last time.Time
	text string
	used loop.Usage
	// model is the one that the agent reports; worked: it has used a tool, so
	// its provider lets it.
	model  string
	worked bool
}

// Write counts as progress; the bytes are not kept.
func (h *Hooks) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.last = time.Now()
	return len(p), nil
}

// Event remembers the newest thing the agent said it does.
func (h *Hooks) Event(e agent.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if e.Model != "" {
		h.model = e.Model
	}
	h.worked = h.worked || e.Kind == agent.ToolUse || e.Kind == agent.FileChange
	switch {
	case e.Usage != nil:
		h.used = *e.Usage
	case e.Path != "":
		h.text = "edits " + e.Path
	case e.Tool != "":
		h.text = "uses " + e.Tool
	case e.Kind == agent.Text:
		h.text = e.Text
	}
}

// Used is the usage that the agent has reported so far, in this run.
func (h *Hooks) Used() loop.Usage {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.used
}

// Model that the agent said it works with; empty is unknown.
func (h *Hooks) Model() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.model
}

// Worked reports whether the agent has used a tool: then its provider lets it work.
// Words alone may be the program's own, about a limit.
func (h *Hooks) Worked() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.worked
}

// Alive returns the time and the subject of the last output.
func (h *Hooks) Alive() (last time.Time, text string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.last, h.text
}
