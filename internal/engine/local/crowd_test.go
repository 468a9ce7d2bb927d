//go:build linux

package local_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/testing/tier"
)

// TestACrowd has ten loops at once in one repository. Their processes, shims and
// all, are killed at random and taken up again. Each loop ends as it does alone;
// the registry's totals are exact; the events of each are in order, without one
// missing or double; and nothing is left.
func TestACrowd(t *testing.T) {
	t.Parallel()
	size, kills, seed := 10, 3, uint64(20261121)
	if tier.Long() {
		kills, seed = 20, uint64(time.Now().UnixNano())
		t.Logf("seed %d", seed)
	}
	stages := []scene{sceneNamed(t, "passes at the third"), sceneNamed(t, "fails at the maximum"), sceneNamed(t, "leaves a daemon"), sceneNamed(t, "commits by itself")}
	alone := make([]ledger, len(stages))
	for i, s := range stages {
		alone[i], _ = s.undisturbed(t)
	}
	w, _ := newWorld(t, stages[0])
	orders := make([]order, size)
	var killed atomic.Int32
	var all sync.WaitGroup
	for i := range orders {
		orders[i] = w.join(t, stages[i%len(stages)], i)
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		all.Go(func() { killed.Add(orders[i].harried(t, w, random, kills)) })
	}
	all.Wait()
	if n := killed.Load(); n < int32(size) {
		t.Errorf("only %d were killed: this test tests nothing", n)
	}
	if t.Failed() {
		return
	}
	totals := map[loop.Status]int{}
	for i, o := range orders {
		want := alone[i%len(stages)]
		totals[want.Status]++
		w.sound(t, o.Spec.ID)
		if diff := cmp.Diff(own(want, "the-answer"), own(w.ledger(t, o.Spec.ID), o.Spec.Task.ID, o.Spec.ID)); diff != "" {
			t.Errorf("loop %d is not as it is alone (-want +got):\n%s", i, diff)
		}
	}
	w.registered(t, totals)
	w.inOrder(t, orders)
}

// join makes one more loop of a world, with a scenario, a task and points of its
// own.
func (w world) join(t testing.TB, s scene, n int) order {
	t.Helper()
	script := filepath.Join(w.home, fmt.Sprintf("scenario-%d.yaml", n))
	must(t, os.WriteFile(script, []byte(s.script), 0o600))
	o := order{Home: w.home, Spec: s.spec(t, w), Sends: s.sends, Acts: map[int]string{}, Name: fmt.Sprint(n), Max: 100}
	o.Spec.Agent.Argv, o.Spec.Task.ID = []string{script}, fmt.Sprintf("task-%d", n)
	o.Spec.Limits.Interruptions = 1000 // or a person is asked about an attempt that is killed too often
	return o
}

// harried is toTheEnd with somebody who kills, some moments after each start. It
// answers how often that came in time.
func (o order) harried(t *testing.T, w world, random *rand.Rand, kills int) (killed int32) {
	for range kills + 20 {
		l, exists := w.show(t, o.Spec.ID)
		if exists && terminal(l) {
			return killed
		}
		if o.Verb = "start"; exists {
			o.Verb = "resume"
		}
		p := o.launch(t)
		if kills > 0 {
			kills--
			time.Sleep(time.Duration(random.IntN(1200)) * time.Millisecond) // a moment that nobody chose
			victims := []int{p.Process.Pid}
			if random.IntN(3) == 0 {
				victims = append(victims, shimsNow(o.Spec.ID)...)
			}
			killAll(victims)
		}
		switch a, dead := p.end(t); {
		case dead:
			killed++
		case a.Err != "" && !a.Ended:
			t.Errorf("loop %s: %s", o.Name, a.Err)
			return killed
		}
		w.released(t, o.Spec.ID)
	}
	t.Errorf("loop %s has not ended", o.Name)
	return killed
}

// own is the part of a ledger that is about one loop, without the names that
// tell it from others.
func own(l ledger, names ...string) ledger {
	l.Refs = slices.DeleteFunc(slices.Clone(l.Refs), func(ref string) bool {
		return !slices.ContainsFunc(append(names, "ID"), func(name string) bool { return strings.Contains(ref, name) })
	})
	for _, list := range [][]string{l.Refs, l.Commits} {
		for i := range list {
			for _, name := range names {
				list[i] = strings.ReplaceAll(list[i], name, "ID")
			}
		}
	}
	return l
}

// registered compares the registry's totals.
func (w world) registered(t testing.TB, want map[loop.Status]int) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(w.repo(), ".ralph", "registry.json"))
	must(t, err)
	var r struct {
		Active    int `json:"total_active"`
		Completed int `json:"total_completed"`
		Failed    int `json:"total_failed"`
		Aborted   int `json:"total_aborted"`
	}
	must(t, json.Unmarshal(data, &r))
	if r.Active != 0 || r.Completed != want[loop.StatusPassed] || r.Failed != want[loop.StatusFailed] || r.Aborted != want[loop.Aborted] {
		t.Errorf("the registry counts %+v, want %v", r, want)
	}
}

// inOrder reads the bus: positions without a gap, and in each loop numbers that
// count up by one, under epochs that never fall.
func (w world) inOrder(t testing.TB, orders []order) {
	t.Helper()
	log, err := os.ReadFile(filepath.Join(w.repo(), ".ralph", "log.jsonl"))
	must(t, err)
	type last struct{ seq, epoch int64 }
	loops, pos := map[string]last{}, int64(0)
	for line := range bytes.Lines(log) {
		var e struct {
			Loop            string `json:"loop_id"`
			Pos, Seq, Epoch int64
		}
		must(t, json.Unmarshal(line, &e))
		if pos++; e.Pos != pos {
			t.Fatalf("position %d at line %d", e.Pos, pos)
		}
		at := loops[e.Loop]
		if e.Epoch < at.epoch || e.Seq != 0 && e.Seq != at.seq+1 {
			t.Fatalf("after %+v comes %s", at, line)
		}
		if at.epoch = e.Epoch; e.Seq != 0 {
			at.seq = e.Seq
		}
		loops[e.Loop] = at
	}
	for _, o := range orders {
		if l, _ := w.show(t, o.Spec.ID); loops[o.Spec.ID].seq != l.Seq {
			t.Errorf("loop %s: the bus ends at %d, the record at %d", o.Name, loops[o.Spec.ID].seq, l.Seq)
		}
	}
}
