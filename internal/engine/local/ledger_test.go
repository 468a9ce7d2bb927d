//go:build linux

package local_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"ralph/internal/engine"
	"ralph/internal/engine/stored"
	"ralph/internal/learn"
	"ralph/internal/loop"
)

// ledger is everything of a run that a crash must not change.
type ledger struct {
	Status    loop.Status
	Reason    loop.Reason
	Message   string
	Iteration int
	Base      []string
	Attempts  []deed
	// Commits of the branch, or of the failure branch, oldest first: subject,
	// the iteration of its trailer, tree.
	Commits []string
	// Refs are all branches but the user's, without what names this run.
	Refs     []string
	Guidance []string
	Usage    loop.Usage
	// Learned is what the loop taught: kind, gate, attempt, words.
	Learned []string
	// User is what git status says in the user's tree, and where HEAD is.
	User []string
}

type deed struct {
	N           int
	Verdict     loop.Verdict
	Changed     bool
	Tree        string
	FailedGate  string
	Fingerprint string
	Results     []string
}

func (w world) ledger(t testing.TB, id string) ledger {
	t.Helper()
	l, exists := w.show(t, id)
	if !exists {
		t.Fatalf("there is no loop %s", id)
	}
	s := l.State
	out := ledger{
		Status: s.Status, Reason: s.Reason, Message: s.Message, Iteration: s.Iteration,
		Guidance: slices.Compact(slices.Clone(s.Guidance)), Usage: lastRuns(s), Base: verdicts(s.BaseResults),
	}
	for _, a := range s.Recent {
		out.Attempts = append(out.Attempts, deed{
			N: a.N, Verdict: a.Verdict, Changed: a.Changed, Tree: a.Tree,
			FailedGate: a.FailedGate, Fingerprint: a.Fingerprint, Results: verdicts(a.Results),
		})
	}
	tip := s.FailureRef
	if tip == "" {
		tip = s.Branch
	}
	if _, err := gitIn(w.repo(), "rev-parse", "-q", "--verify", "refs/heads/"+tip); err == nil {
		log := w.git(t, "log", "--reverse", "--format=%s | %(trailers:key=Ralph-Iteration,valueonly,separator=%x20) | %T", s.Base+".."+tip)
		out.Commits = lines(strings.ReplaceAll(log, id, "ID"))
	}
	for _, ref := range lines(w.git(t, "for-each-ref", "--format=%(refname)")) {
		if ref != "refs/heads/main" && !strings.HasPrefix(ref, "refs/ralph/") {
			out.Refs = append(out.Refs, moment.ReplaceAllString(strings.ReplaceAll(ref, id, "ID"), "TIME"))
		}
	}
	out.Learned = w.learned(t, id)
	out.User = lines(w.git(t, "status", "--porcelain", "--branch"))
	return out
}

// learned looks as the next run of anything does, which learns from loops that
// nobody learned from, and at the memory that lies with the loop.
func (w world) learned(t testing.TB, id string) (out []string) {
	t.Helper()
	e, closed, err := wire(t.Context(), w.home, nil)
	must(t, err)
	defer closed()
	all, err := e.Patterns(t.Context(), engine.PatternQuery{})
	must(t, err)
	for _, k := range all {
		for _, s := range k.Sources { // once each, or it was learned twice
			if s.Loop == id {
				out = append(out, fmt.Sprintf("%s %s attempt %d: %s", k.Kind, k.Gate, s.Attempt, k.Summary))
			}
		}
	}
	slices.Sort(out)
	l, _ := w.show(t, id)
	data, err := os.ReadFile(engine.Layout{Dir: l.Dir}.Memory())
	must(t, err)
	var m learn.Memory
	must(t, json.Unmarshal(data, &m))
	if m.LoopID != id || m.Status != l.State.Status || len(m.Taught) != len(out) {
		t.Errorf("the memory of the loop differs from what was learned, %q: %s", out, data)
	}
	return out
}

var moment = regexp.MustCompile(`\d{8}-\d{6}`)

func lines(s string) []string {
	if s = strings.TrimSpace(s); s == "" {
		return nil
	}
	return strings.Split(s, "\n")
}

func verdicts(results []loop.Result) []string {
	var out []string
	for _, r := range results {
		out = append(out, r.Gate+" "+string(r.Verdict))
	}
	return out
}

// replay folds the recorded events from the beginning and finds the state that
// is recorded, so that no transition is missing, doubled or out of order.
func (w world) replay(t testing.TB, l engine.Loop) error {
	t.Helper()
	var records []engine.Event
	w.reading(t, func(ctx context.Context, e engine.Loops) {
		var err error
		records, err = e.Events(ctx, l.State.ID, 0)
		must(t, err)
	})
	if len(records) == 0 || records[0].Name != "created" {
		return errors.New("the first event is not that of creation")
	}
	s, err := loop.New(l.State.Spec, records[0].At), error(nil)
	for i, r := range records {
		if r.Seq != int64(i+1) || i > 0 && r.Epoch < records[i-1].Epoch {
			return fmt.Errorf("event %d has number %d, epoch %d", i+1, r.Seq, r.Epoch)
		}
		if i == 0 {
			continue
		}
		if s, _, err = stored.Apply(s, r); err != nil {
			return err
		}
	}
	if diff := cmp.Diff(s, l.State, cmpopts.EquateEmpty()); diff != "" {
		return fmt.Errorf("the events make another state than is recorded (-events +recorded):\n%s", diff)
	}
	return nil
}

// lastRuns is what the run that ended each attempt has used. What crashes cut off
// before it has cost besides, as much as was told until then.
func lastRuns(s loop.State) (sum loop.Usage) {
	for _, a := range s.Recent {
		sum = sum.Add(a.Agent.Usage)
	}
	return sum
}
