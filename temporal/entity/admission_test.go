package entity

import (
	"fmt"
	"math/rand/v2"
	"testing"
)

// TestAdmission: whatever is asked in whatever order, at most so many loops have a place, each
// one; a loop is refused only where all are taken or a newer lease has its place; and only the
// lease that has a place gives it back.
func TestAdmission(t *testing.T) {
	t.Parallel()
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 0))
		var a Admission
		most, has := 1+r.IntN(4), map[string]int64{}
		for step := range 300 {
			ask := Admit{Place{fmt.Sprint("loop-", r.IntN(7)), 1 + r.Int64N(4)}, most}
			before, had := has[ask.Loop]
			if r.IntN(3) == 0 {
				if left := a.leave(ask.Place); left != (had && before == ask.Epoch) {
					t.Fatalf("seed %d, step %d: %+v left: %v", seed, step, ask, left)
				}
				if before == ask.Epoch {
					delete(has, ask.Loop)
				}
			} else {
				want := ""
				switch {
				case had && before > ask.Epoch:
					want = Fenced
				case !had && len(has) == most:
					want = Full
				}
				err := a.mayAdmit(ask)
				refused(t, fmt.Sprintf("seed %d, step %d", seed, step), err, want)
				if err == nil {
					a.admit(ask)
					has[ask.Loop] = ask.Epoch
				}
			}
			if len(a.Places) != len(has) || len(has) > most {
				t.Fatalf("seed %d, step %d: %+v, not %v", seed, step, a.Places, has)
			}
			for _, p := range a.Places {
				if has[p.Loop] != p.Epoch {
					t.Fatalf("seed %d, step %d: %+v, not %v", seed, step, a.Places, has)
				}
			}
		}
	}
	refused(t, "no bound", new(Admission).mayAdmit(Admit{Place{"loop", 1}, 0}), Invalid)
}
