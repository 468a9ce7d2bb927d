package plan

import (
	"fmt"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/scope"
)

// The kinds of product. The others are those of a loop's task (loop.TaskKinds), which
// decide what proof is asked for.
const (
	// KindText is a task whose product is its answer: a specification, a document.
	KindText TaskKind = "text"
	// KindCode says no more than an empty kind.
	KindCode TaskKind = "code"
)

// TaskKinds are the kinds that a plan may name.
func TaskKinds() []TaskKind {
	out := []TaskKind{KindText, KindCode}
	for _, k := range loop.TaskKinds() {
		out = append(out, TaskKind(k))
	}
	return out
}

// Permit returns the request for a loop with what the plan says about the proof of
// the task, and about the workers that may take it. A kind that the request has holds for all tasks; so does its proof where
// a person asked for it (asked).
func (t Task) Permit(s loop.Spec, asked bool) loop.Spec {
	if k := loop.TaskKind(t.Kind); s.Task.Kind == "" && slices.Contains(loop.TaskKinds(), k) {
		s.Task.Kind = k
	}
	if t.Proof != "" && !asked {
		s.Proof = t.Proof
	}
	s.MayChange, s.RunsOn = union(s.MayChange, t.MayChange), union(s.RunsOn, t.RunsOn)
	return s
}

// union is a new list with the entries of both, each once.
func union(a, b []string) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}

// Exemption describes what the plan says about the proof of the task; empty where it
// says nothing.
func (t Task) Exemption() string {
	var out []string
	if t.Kind != "" {
		out = append(out, "kind "+string(t.Kind))
	}
	if t.Proof != "" {
		out = append(out, "proof "+string(t.Proof))
	}
	if len(t.MayChange) > 0 {
		out = append(out, "may change "+strings.Join(t.MayChange, ", "))
	}
	return strings.Join(out, " · ")
}

// LikelyKind returns the kind that the task should have, by its title, and does not; empty where
// it has one, or seems to need none.
func (t Task) LikelyKind() loop.TaskKind {
	if t.Kind != "" || t.Proof != "" || t.SubPlan != "" || !t.Status.Open() {
		return ""
	}
	return loop.LikelyKind(t.Title)
}

// permissionMistakes are the kinds, proofs and globs of a task that mean nothing.
func permissionMistakes(t Task) (errs Errors) {
	if t.Kind != "" && !slices.Contains(TaskKinds(), t.Kind) {
		errs = append(errs, &Error{Kind: UnknownKind, Line: t.Line, Task: t.ID, Other: string(t.Kind)})
	}
	if t.Proof != "" && !slices.Contains(loop.ProofPolicies(), t.Proof) {
		errs = append(errs, &Error{Kind: UnknownProof, Line: t.Line, Task: t.ID, Other: string(t.Proof)})
	}
	for _, g := range t.MayChange {
		if !scope.Valid(g) {
			errs = append(errs, &Error{Kind: BadGlob, Line: t.Line, Task: t.ID, Other: g})
		}
	}
	if err := loop.CheckLabels(t.RunsOn); err != nil {
		errs = append(errs, &Error{Kind: BadLabel, Line: t.Line, Task: t.ID, Other: err.Error()})
	}
	return errs
}

// permissionText is the message of such a mistake.
func (e *Error) permissionText() string {
	switch e.Kind {
	case UnknownKind:
		return fmt.Sprintf(`task %s has the kind "%s"; it is one of: %s`, e.Task, e.Other, loop.Listed(TaskKinds()))
	case UnknownProof:
		return fmt.Sprintf(`task %s has the proof "%s"; it is one of: %s`, e.Task, e.Other, loop.Listed(loop.ProofPolicies()))
	case BadLabel:
		return fmt.Sprintf("task %s runs on %s", e.Task, e.Other)
	}
	return fmt.Sprintf(`task %s: "%s" is not a valid glob of files that may change`, e.Task, e.Other)
}

// Suits reports whether an agent can do the task: what only answers can do no more than a
// text. For a plan in the place of the task, the agents of that plan count.
func (t Task) Suits(a loop.Agent) bool {
	return !a.OnlyAnswers() || t.Kind == KindText || t.SubPlan != ""
}
