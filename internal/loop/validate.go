package loop

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
)

var idPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{0,63}$`)

// ErrNoHardGate is why a loop without anything that can say no is refused.
var ErrNoHardGate = errors.New("no hard gate: nothing could prove the task done")

// ValidID says whether id can name a loop: it stands in paths and refs.
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
	if err := s.Limits.validate(); err != nil {
		return err
	}
	return validateGates(s.Gates)
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
	}
	if !hard {
		return ErrNoHardGate
	}
	return nil
}

func (l Limits) validate() error {
	for name, n := range map[string]int{
		"max_iterations": l.MaxIterations, "confirm_passes": l.ConfirmPasses, "stuck_after": l.StuckAfter,
	} {
		if n < 1 {
			return fmt.Errorf("%s is %d: it must be at least 1", name, n)
		}
	}
	for name, n := range map[string]int{
		"max_shifts": l.MaxShifts, "regression": l.Regression, "no_change": l.NoChange, "plateau": l.Plateau,
		"transient": l.Transient, "interruptions": l.Interruptions, "questions": l.Questions,
	} {
		if n < 0 {
			return fmt.Errorf("%s is %d: it must not be negative", name, n)
		}
	}
	for name, d := range map[string]Deadline{"attempt": l.Attempt, "loop": l.Loop, "session": l.Session} {
		if d.Soft < 0 || d.Hard < 0 {
			return fmt.Errorf("%s timeout: it must not be negative", name)
		}
	}
	return nil
}
