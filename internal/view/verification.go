package view

import (
	"fmt"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/next"
)

// Verification is the final verification of a loop that its agent drives: what the
// gates found on a commit, in clean rooms, after they passed in the agent's tree.
type Verification struct {
	// Passed is nil while it is under way.
	Passed *bool  `json:"passed"`
	Base   string `json:"base"`
	Commit string `json:"commit"`
	// SetAside are judge files that the work changed, and that were as on the base;
	// NewTests were absent there. Lost are tests that no longer run and pass.
	SetAside []string `json:"set_aside"`
	NewTests []string `json:"new_tests"`
	Lost     []string `json:"lost"`
	// Permitted are judge files that the work may change.
	Permitted []string       `json:"permitted"`
	Proof     *string        `json:"proof"`
	Look      []loop.Concern `json:"look"`
	// Dispute is the command of an agent that finds the gate to contradict its task.
	Dispute *string `json:"dispute"`
}

// verificationOf returns the newest verification; nil where the newest check has none.
func verificationOf(s loop.State) *Verification {
	a := s.Last()
	if a == nil || !a.Verifying {
		return nil
	}
	v := &Verification{
		Base: s.Base, Commit: a.Commit, Look: append([]loop.Concern{}, Concerns(s.Concerns())...), Proof: orNull(s.ProofLabel()),
		SetAside: []string{}, NewTests: []string{}, Lost: []string{}, Permitted: []string{},
	}
	if a.Verdict != "" {
		v.Passed = new(a.Verdict == loop.Passed)
	}
	for _, r := range a.Results {
		v.Lost, v.Permitted = append(v.Lost, r.Lost...), append(v.Permitted, r.Permitted...)
		if r.Judging != nil {
			v.SetAside, v.NewTests = append(v.SetAside, r.Judging.SetAside...), append(v.NewTests, r.Judging.NewTests...)
		}
	}
	for _, list := range []*[]string{&v.SetAside, &v.NewTests, &v.Lost, &v.Permitted} {
		slices.Sort(*list)
		*list = slices.Compact(*list)
	}
	if a.Verdict == loop.Failed && !s.Status.Terminal() && s.MayDispute() {
		if g, known := s.Gate(a.FailedGate); known {
			v.Dispute = new(next.Dispute(g.Name))
		} else if s.RefusesFor(a.FailedGate) {
			v.Dispute = new(next.DisputeRefusal(a.FailedGate))
		} else if a.FailedGate == loop.FailedProof && s.DisputesProof() {
			v.Dispute = new(next.DisputeRefusal(a.FailedGate))
		}
	}
	return v
}

// refusal explains to an agent why a check did not pass although the gates did in its
// tree, and what it may do.
func refusal(s loop.State) string {
	v, f := verificationOf(s), failedLast(s)
	if v == nil || f == nil || v.Passed == nil || *v.Passed {
		return ""
	}
	var b strings.Builder
	b.WriteString("The gates passed in your tree. The final verification, which runs them on a commit of it in a clean room, did not pass.\n")
	list := func(what string, names []string) {
		if len(names) > 0 {
			fmt.Fprintf(&b, "%s: %s\n", what, listed(names, 10))
		}
	}
	list("You changed files that judge the work. Their original versions judge the work", v.SetAside)
	if len(v.SetAside) > 0 {
		list("New tests that are left out in this run", v.NewTests)
	}
	list("Tests that ran before the work and now do not run and pass", v.Lost)
	if r := resultOf(s.Last().Results, f.Gate); r != nil && r.Judging == nil && len(r.Lost) == 0 && r.Canary != loop.CanarySwallowed {
		b.WriteString("The clean room has no files that git ignores, and nothing from your HOME or /tmp: `isolation.setup` and `isolation.copy` in ralph.yaml provide what gates need.\n")
	}
	switch {
	case v.Dispute != nil && s.RefusesFor(f.Gate):
		fmt.Fprintf(&b, "Do the task without that. If the task needs it: %s\n", *v.Dispute)
	case v.Dispute != nil && f.Gate == loop.FailedProof && s.DisputesProof():
		fmt.Fprintf(&b, "If no test of this task can fail without the work: %s\n", *v.Dispute)
	case v.Dispute != nil:
		fmt.Fprintf(&b, "Do the task with the gates as they were. If one contradicts the task: %s\n", *v.Dispute)
	}
	return b.String()
}

// lookWords name what a person should look at in work that passed.
func lookWords(s loop.State) string {
	var b strings.Builder
	for _, c := range Concerns(s.Concerns()) {
		fmt.Fprintf(&b, "Report this too: %s\n", c.What)
	}
	return b.String()
}
