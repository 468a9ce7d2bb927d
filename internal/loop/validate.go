package loop

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
)

var idPattern = lazyregexp.New(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// ErrNoHardGate is why a loop without anything that can say no is refused.
var ErrNoHardGate = errors.New("no hard gate: nothing could prove the task done")

// ValidID returns why id cannot name a loop, or nil: ids stand in paths and refs.
func ValidID(id string) error {
	if !idPattern.MatchString(id) || strings.Contains(id, "..") ||
		strings.HasSuffix(id, ".") || strings.HasSuffix(id, ".lock") {
		return fmt.Errorf("loop id %q: use 1 to 64 of a-z 0-9 . _ - beginning with a letter or digit, without \"..\"", id)
	}
	return nil
}

// Validate refuses a loop that could never end or never pass.
func (s Spec) Validate() error {
	if err := ValidID(s.ID); err != nil {
		return err
	}
	if strings.TrimSpace(s.Task.Text) == "" {
		return errors.New("the task is empty")
	}
	if s.Mode != "" && s.Mode != Supervised && s.Mode != AgentDriven {
		return fmt.Errorf("mode %q: it is %s or %s", s.Mode, Supervised, AgentDriven)
	}
	switch s.Learn {
	case "", LearnOn, LearnReviewed, LearnOff:
	default:
		return fmt.Errorf("learn %q: it is %s, %s or %s", s.Learn, LearnOn, LearnReviewed, LearnOff)
	}
	if err := s.validateProof(); err != nil {
		return err
	}
	switch s.DisputePolicy {
	case "", DisputesWait, DisputesDismiss:
	default:
		return fmt.Errorf("disputes %q: it is %s or %s", s.DisputePolicy, DisputesWait, DisputesDismiss)
	}
	switch s.Secrets {
	case "", SecretsOff, SecretsWarn, SecretsBlock:
	default:
		return fmt.Errorf("secrets %q: it is %s, %s or %s", s.Secrets, SecretsOff, SecretsWarn, SecretsBlock)
	}
	if err := CheckRefuse(s.Refuse); err != nil {
		return err
	}
	for _, g := range s.Gates {
		if s.RefusesFor(g.Name) {
			return fmt.Errorf("gate %s has the name of what work is refused for: give it another one", g.Name)
		}
	}
	if err := CheckLabels(s.RunsOn); err != nil {
		return fmt.Errorf("runs on %w", err)
	}
	if len(s.After) > 0 && s.Mode != AgentDriven {
		return fmt.Errorf("only a loop that an agent drives can wait for others")
	}
	if slices.Contains(s.After, s.ID) {
		return fmt.Errorf("loop %s cannot wait for itself", s.ID)
	}
	if s.Parent != "" {
		if err := ValidID(s.Parent); err != nil {
			return fmt.Errorf("parent: %w", err)
		}
	}
	if err := s.Limits.validate(); err != nil {
		return err
	}
	if err := s.validateAgents(); err != nil {
		return err
	}
	return validateGates(s.Gates)
}

// ErrNoSpecReview is why proof: review is refused without a reviewer.
var ErrNoSpecReview = errors.New("proof: review needs a spec review, and this work would get none")

func (s Spec) validateProof() error {
	if err := s.Task.Kind.Check(); err != nil {
		return err
	}
	if s.Proof != "" && !slices.Contains(ProofPolicies(), s.Proof) {
		return fmt.Errorf("proof %q: it is one of: %s", s.Proof, Listed(ProofPolicies()))
	}
	if s.Proof == ProofReview && !s.Task.Kind.Exempt() && !slices.ContainsFunc(s.Gates, Gate.IsSpecReview) {
		return ErrNoSpecReview
	}
	return nil
}

// Check returns why a kind cannot be chosen, or nil; an empty one can.
func (k TaskKind) Check() error {
	if k != "" && !slices.Contains(TaskKinds(), k) {
		return fmt.Errorf("kind %q: it is one of: %s", k, Listed(TaskKinds()))
	}
	return nil
}

// Listed returns names with commas between them.
func Listed[T ~string](all []T) string {
	names := make([]string, len(all))
	for i, one := range all {
		names[i] = string(one)
	}
	return strings.Join(names, ", ")
}

// validateAgents refuses what could not take turns, and budgets below zero.
func (s Spec) validateAgents() error {
	for _, a := range append([]Agent{s.Agent}, s.Agents...) {
		switch a.OnLimit {
		case "", LimitWait, LimitSwitch, LimitPause, LimitAsk:
		default:
			return fmt.Errorf("agent %s: on_limit %q: it is %s, %s, %s or %s", a.Name, a.OnLimit, LimitWait, LimitSwitch, LimitPause, LimitAsk)
		}
	}
	if s.Budget.negative() {
		return errors.New("the budget is below zero")
	}
	return nil
}

func validateGates(gates []Gate) error {
	seen, hard := map[string]bool{}, false
	for _, g := range gates {
		if g.Name == "" || seen[g.Name] {
			return fmt.Errorf("gate %q: the name is empty or used twice", g.Name)
		}
		seen[g.Name] = true
		hard = hard || g.Level != Soft && !g.Optional
		if t := g.Threshold; t != nil && (math.IsNaN(*t) || math.IsInf(*t, 0)) {
			return fmt.Errorf("gate %s: the threshold is not a number", g.Name)
		}
		if g.Timeout.Soft < 0 || g.Timeout.Hard < 0 {
			return fmt.Errorf("gate %s: the timeout must not be negative", g.Name)
		}
	}
	if !hard {
		return ErrNoHardGate
	}
	return nil
}

func (l Limits) validate() error {
	if !(l.Keep >= 0 && l.Keep <= 100) {
		return fmt.Errorf("keep is %g: it must be between 0 and 100", l.Keep)
	}
	type bound struct {
		name       string
		n, atLeast int64
	}
	for _, b := range []bound{
		{"max_iterations", int64(l.MaxIterations), 1},
		{"fixes", int64(l.Fixes), 0},
		{"confirm_passes", int64(l.ConfirmPasses), 1},
		{"stuck_after", int64(l.StuckAfter), 1},
		{"max_shifts", int64(l.MaxShifts), 0},
		{"regression", int64(l.Regression), 0},
		{"no_change", int64(l.NoChange), 0},
		{"plateau", int64(l.Plateau), 0},
		{"transient", int64(l.Transient), 0},
		{"interruptions", int64(l.Interruptions), 0},
		{"questions", int64(l.Questions), 0},
		{"stall", int64(l.Stall), 0},
		{"back_off", int64(l.BackOff), 0},
		{"wait", int64(l.Wait), 0},
		{"attempt timeout", int64(min(l.Attempt.Soft, l.Attempt.Hard)), 0},
		{"loop timeout", int64(min(l.Loop.Soft, l.Loop.Hard)), 0},
		{"session timeout", int64(min(l.Session.Soft, l.Session.Hard)), 0},
	} {
		if b.n < b.atLeast {
			return fmt.Errorf("%s is %d: it must be at least %d", b.name, b.n, b.atLeast)
		}
	}
	return nil
}

// Slug is text as a part of an id: lower case letters and digits, dashes between
// them, at most so many bytes; empty where nothing is left.
func Slug(text string, most int) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
		if b.Len() >= most {
			break
		}
	}
	return strings.Trim(b.String(), "-")
}
