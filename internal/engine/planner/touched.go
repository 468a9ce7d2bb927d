package planner

import (
	"maps"
	"sync"
)

// touched are the files that running loops have changed so far, by task. Loops
// report to it while the run decides.
type touched struct {
	mu    sync.Mutex
	files map[string][]string
}

func (t *touched) set(task string, files []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.files == nil {
		t.files = map[string][]string{}
	}
	t.files[task] = files
}

func (t *touched) forget(task string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.files, task)
}

func (t *touched) now() map[string][]string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.files)
}
