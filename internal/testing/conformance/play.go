package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// caseTime bounds one case.
const caseTime = 6 * time.Minute

// result is one cell.
type result struct {
	cell  string
	wrong []string
	took  time.Duration
	dir   string
}

type key struct{ agent, trial string }

// playAll plays all cases, some at once.
func (b *bench) playAll(ctx context.Context) map[key]result {
	var mu sync.Mutex
	var all sync.WaitGroup
	out := map[key]result{}
	turn := make(chan struct{}, max(b.parallel, 1))
	for _, t := range b.trials() {
		for _, c := range b.clients() {
			turn <- struct{}{}
			all.Go(func() {
				defer func() { <-turn }()
				if ctx.Err() != nil {
					return
				}
				r := b.play(ctx, c, t)
				mu.Lock()
				defer mu.Unlock()
				out[key{c.name, t.name}] = r
				say(c, t, r)
			})
		}
	}
	all.Wait()
	return out
}

func say(c client, t trial, r result) {
	fmt.Fprintf(os.Stderr, "%-9s %-11s %5.1fs  %s\n", c.name, t.name, r.took.Seconds(), r.cell)
	for _, w := range r.wrong {
		fmt.Fprintf(os.Stderr, "          WRONG: %s\n", w)
	}
	if len(r.wrong) > 0 {
		fmt.Fprintf(os.Stderr, "          %s\n", r.dir)
	}
}

// play plays one case.
func (b *bench) play(ctx context.Context, c client, t trial) (r result) {
	ctx, cancel := context.WithTimeout(ctx, caseTime)
	defer cancel()
	began := time.Now()
	s, err := b.stage(ctx, c, t)
	if err != nil {
		return result{wrong: []string{err.Error()}}
	}
	defer s.close()
	act := t.act
	if act == nil {
		act = toItsEnd
	}
	view := &sight{stage: s}
	if err := act(ctx, s); err != nil {
		view.complain("%v", err)
	}
	view.left = s.alive(gone)
	if !s.noLoop {
		if view.object, err = s.object(context.WithoutCancel(ctx)); err != nil {
			view.complain("%v", err)
		}
	}
	view.seen = s.server.Seen()
	for _, p := range view.left {
		view.complain("%q runs on", p.line)
	}
	if len(view.wrong) == 0 {
		t.want(view)
	}
	r = result{wrong: view.wrong, cell: view.cell(), took: time.Since(began), dir: s.dir}
	if len(r.wrong) == 0 && !b.keep {
		_ = os.RemoveAll(s.dir)
	} else {
		_ = write(filepath.Join(s.dir, "seen.txt"), fmt.Sprintf("%+v\n", view.seen))
	}
	return r
}
