package stored

import (
	"path/filepath"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/store"
	"ralph/internal/testing/enginetest"
)

// away is a server that nothing is asked of.
type away struct{ engine.SharedLoops }

// TestCopyThatIsFurther: two commands of one clone bring a copy up to date at once. The one that
// read the server earlier and acquires the copy later finds it further, which is no damage.
func TestCopyThatIsFurther(t *testing.T) {
	t.Parallel()
	db, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "ralph"), store.Options{Owner: "test"})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	noon := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	s, first := Shared{Loops: LoopsOf(db), Server: away{}}, loop.New(enginetest.Played("a"), noon)
	l, err := s.Loops.Create(t.Context(), first, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := enginetest.Play(t, l, enginetest.Begun(loop.Stamp{At: noon})...); err != nil {
		t.Fatal(err)
	}
	if err := s.catchUp(t.Context(), Copy{l.LoopLease}, engine.Stored[loop.State]{State: first, Seq: 1}); err != nil {
		t.Error(err)
	}
	if err := l.Release(t.Context()); err != nil {
		t.Fatal(err)
	}
}
