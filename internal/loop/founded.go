package loop

import (
	"errors"
	"fmt"
	"slices"
)

// Founded returns nil where the verdict of a loop that passed follows from the results in
// its state: each hard gate passed, about the commit of the last attempt, which is the
// loop's; about one tree where an agent drives it. A loop that was already green needs
// that of its base, reviews excepted.
func (s State) Founded() error {
	if s.Status != StatusPassed {
		return fmt.Errorf("it has not passed: it is %s", s.Status)
	}
	if s.Reason == AlreadyGreen {
		return s.founded(s.BaseResults, s.Base, "", true)
	}
	a := s.Last()
	switch {
	case a == nil:
		return errors.New("it passed without an attempt")
	case s.Mode == AgentDriven:
		return s.founded(a.Results, a.Commit, a.Tree, false)
	case s.Commit != a.Commit:
		return fmt.Errorf("its commit is %q, and the gates judged %q", s.Commit, a.Commit)
	}
	return s.founded(a.Results, a.Commit, "", false)
}

func (s State) founded(results []Result, commit, tree string, base bool) error {
	passed := 0
	for _, g := range s.Gates {
		if g.Level == Soft || base && g.Kind == KindReview {
			continue
		}
		i := slices.IndexFunc(results, func(r Result) bool { return r.Gate == g.Name })
		switch {
		case i < 0:
			return fmt.Errorf("it passed without a result of %s", g.Name)
		case results[i].Commit != commit || tree != "" && results[i].Tree != tree:
			return fmt.Errorf("it passed with a result of %s about %q, not %q", g.Name, results[i].Commit, commit)
		case g.BlockedBy(results[i]):
			return fmt.Errorf("it passed although %s is %q", g.Name, results[i].Verdict)
		case results[i].Verdict == Passed:
			passed++
		}
	}
	if passed == 0 {
		return errors.New("it passed without a gate that passed")
	}
	return nil
}
