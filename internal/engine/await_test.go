package engine_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"ralph/internal/engine"
)

func TestAwaitLease(t *testing.T) {
	t.Parallel()
	broken, left := errors.New("the disk is full"), errors.New("the user left")
	held := fmt.Errorf("run: %w", engine.ErrRunning)
	for name, tt := range map[string]struct {
		soon  bool
		after time.Duration // the owner releases the run
		then  error
		leave time.Duration // the user leaves
		want  error
		took  time.Duration
	}{
		"free":                         {soon: false, after: 0, want: nil, took: 0},
		"held for an instant":          {soon: false, after: 100 * time.Millisecond, want: nil, took: 120 * time.Millisecond},
		"running":                      {soon: false, after: time.Hour, want: engine.ErrRunning, took: 160 * time.Millisecond},
		"released in a moment":         {soon: true, after: 2 * time.Second, want: nil, took: 2 * time.Second},
		"never released after its end": {soon: true, after: time.Hour, want: engine.ErrRunning, took: 74 * 40 * time.Millisecond},
		"another error":                {soon: true, after: 100 * time.Millisecond, then: broken, want: broken, took: 120 * time.Millisecond},
		"the user leaves":              {soon: true, after: time.Hour, leave: 50 * time.Millisecond, want: left, took: 50 * time.Millisecond},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, leave := context.WithCancelCause(t.Context())
				defer leave(nil)
				if tt.leave > 0 {
					time.AfterFunc(tt.leave, func() { leave(left) })
				}
				began := time.Now()
				err := engine.AwaitLease(ctx, func() bool { return tt.soon }, func() error {
					if time.Since(began) < tt.after {
						return held
					}
					return tt.then
				})
				if took := time.Since(began); !errors.Is(err, tt.want) || took != tt.took {
					t.Errorf("%v after %v, want %v after %v", err, took, tt.want, tt.took)
				}
			})
		})
	}
}
