package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"sync"

	"ralph/internal/proc"
)

// transitions measures how many transitions the store makes durable in a
// second, with one loop per process in one database.
func (b *bench) transitions(ctx context.Context) ([]row, error) {
	n := 1500
	if b.quick {
		n = 400
	}
	var rows []row
	for _, w := range []*writing{
		{bench: b, n: n, writers: 4}, {bench: b, n: n, writers: 4, views: true}, {bench: b, n: n / 4, writers: 16}, {bench: b, n: n / 4, writers: 16, views: true},
	} {
		got, err := b.turns(ctx, b.times(7, 3), w.floor, w.ours)
		if err != nil {
			return nil, err
		}
		rows = append(rows, w.row(got))
	}
	return rows, nil
}

// writing is one kind of transition.
type writing struct {
	*bench
	n       int
	writers int
	views   bool
	run     int
	each    int // bytes that a transition writes
}

func (w *writing) row(got []series) row {
	r := row{
		what: fmt.Sprintf("durable transitions from %d processes", w.writers), unit: "/s", floor: got[0], ours: got[1], target: atLeast(w.goal(), "/s"),
		beside: fmt.Sprintf("%d processes append %d bytes and fsync, each to a file of its own", w.writers, w.each),
		note:   "A transition writes whole pages of the database, twice in part; the floor writes as many bytes, without waiting for its turn.",
	}
	if w.views {
		r.what = "the same, with the views for people written after each"
		r.note = "Views are not durable and written behind the transition: registry, log, state.json, state.md."
	}
	return r
}

// goal is how many transitions there should be in a second.
func (w *writing) goal() float64 {
	if w.writers > 4 {
		return 1000
	}
	return 2000
}

func (w *writing) ours(ctx context.Context) (float64, error) {
	w.run++
	dir := filepath.Join(w.dir, "transitions", fmt.Sprint(w.writers, w.views, w.run))
	rate, wrote, err := w.together(ctx, func(i int) []string {
		args := []string{"role-transitions", filepath.Join(dir, "ralph"), fmt.Sprintf("l%d", i), strconv.Itoa(w.n)}
		if w.views {
			args = append(args, filepath.Join(dir, "views"))
		}
		return args
	})
	w.each = int(wrote / int64(w.writers*w.n))
	return rate, err
}

func (w *writing) floor(ctx context.Context) (float64, error) {
	if w.each == 0 { // the warming round tells how much a transition writes
		if _, err := w.ours(ctx); err != nil {
			return 0, err
		}
	}
	w.run++
	dir := filepath.Join(w.dir, "transitions")
	rate, _, err := w.together(ctx, func(i int) []string {
		return []string{"role-append", filepath.Join(dir, fmt.Sprintf("floor-%d-%d-%d", w.writers, w.run, i)), strconv.Itoa(w.n), strconv.Itoa(w.each)}
	})
	return rate, err
}

// together starts a role in all processes. It returns their total rate per
// second, from the first start to the last end.
func (w *writing) together(ctx context.Context, args func(i int) []string) (rate float64, wrote int64, err error) {
	if err := write(filepath.Join(w.dir, "transitions", "here"), ""); err != nil {
		return 0, 0, err
	}
	spans, errs := make([]span, w.writers), make([]error, w.writers)
	var all sync.WaitGroup
	for i := range w.writers {
		all.Go(func() {
			out, err := must(ctx, proc.Command{Argv: append([]string{w.self}, args(i)...), Env: w.env(w.state())})
			if err == nil {
				spans[i], err = readSpan(out.Stdout)
			}
			errs[i] = err
		})
	}
	all.Wait()
	whole := spans[0]
	for i, s := range spans {
		if errs[i] != nil {
			return 0, 0, errs[i]
		}
		if s.begin.Before(whole.begin) {
			whole.begin = s.begin
		}
		if s.end.After(whole.end) {
			whole.end = s.end
		}
		wrote += s.wrote
	}
	return float64(w.writers*w.n) / whole.end.Sub(whole.begin).Seconds(), wrote, nil
}
