//go:build linux

package local_test

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"ralph/internal/loop"
	"ralph/internal/testing/enginetest"
)

// TestContract holds the local engine to what faces expect of any.
func TestContract(t *testing.T) {
	t.Parallel()
	enginetest.Run(t, func(t *testing.T) enginetest.Fixture {
		s := scene{max: 5}
		w, _ := newWorld(t, s)
		e, closed, err := wire(t.Context(), w.home, nil)
		must(t, err)
		t.Cleanup(closed)
		var n atomic.Int32
		return enginetest.Fixture{Loops: e, Spec: func(t *testing.T, scenario string) loop.Spec {
			spec := s.spec(t, w)
			file := filepath.Join(w.home, fmt.Sprintf("scenario-%d.yaml", n.Add(1)))
			must(t, os.WriteFile(file, []byte(scenario), 0o600))
			spec.Agent.Argv = []string{file}
			return spec
		}}
	})
}
