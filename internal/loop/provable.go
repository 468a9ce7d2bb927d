package loop

import "slices"

// Proves reports whether the gate can show that something fails without the work: it
// measures by a command that may run tests. Linters, type checks, pictures and texts judge
// the files that are undone. The tests of a hidden gate are not the work's, and no agent may
// hear of them.
func (g Gate) Proves() bool {
	switch g.Kind {
	case KindTests, KindCommand, KindCoverage:
		return g.Level != Soft && g.Run != "" && !g.Hidden
	}
	return false
}

// Unprovable reports whether the loop ended before its first attempt because no work could
// have passed.
func (s State) Unprovable() bool {
	return s.Status == StatusFailed && s.Reason == SetupError && s.neverRed()
}

// neverRed: a test or a gate has to fail without the work, and none can. All gates pass on
// the base, and none of them runs tests, which the work could add to. An agent that drives its
// loop is told when its work is verified.
func (s *State) neverRed() bool {
	return s.BaseGreen && s.Mode != AgentDriven && s.OwesProof() && s.Proof == ProofRequired && !slices.ContainsFunc(s.Gates, Gate.Proves)
}

// neverRedWords name the ways to continue.
func (s *State) neverRedWords() string {
	how := "--kind docs, refactor or chore, or --proof review or none"
	if s.Task.Plan != nil {
		how = "a line '**Kind:** docs', refactor or chore, or '**Proof:** review' or none, in the plan"
	}
	return "no hard gate runs tests, and all of them pass already: nothing could prove the work, so that no attempt was made; add a gate that runs tests, or ask for no test: " + how
}
