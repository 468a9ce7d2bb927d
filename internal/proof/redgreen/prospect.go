package redgreen

import "ralph/internal/loop"

// Prospect returns the two sentences that a user should read before the first paid
// attempt, where the gates of a loop can hardly prove any work: the reason, and the
// ways to continue. It returns none where no proof is asked for, and where a named test can
// fail without the work. The results on the base count once there are any.
func Prospect(s loop.State) []string {
	why := shortfall(s)
	if !s.OwesProof() || why == "" || s.Unprovable() {
		return nil
	}
	if untested(s) {
		return []string{
			why + unlessApproved(s.Proof) + ".",
			"Let the task ask for such a test, or ask for no proof: --kind docs, refactor or chore, or --proof none.",
		}
	}
	return []string{
		why + unlessApproved(s.Proof) + ".",
		"Add a gate that runs tests, or ask for no proof: --kind docs, refactor or chore, or --proof none.",
	}
}

func shortfall(s loop.State) string {
	none, measured := len(ProvingGates(s.Gates)) == 0, len(s.BaseResults) > 0
	switch {
	case none && !measured:
		return "No hard gate runs tests: work passes only if it turns a gate green that fails now"
	case none && s.BaseGreen:
		return "No hard gate runs tests, and all of them pass already: nothing can prove the work, and it cannot pass"
	case untested(s):
		return "The base has no tests: work passes only with a test of its own that fails without the rest of the work"
	case s.BaseGreen && !namesTests(s):
		return "The gates pass already, and they name no tests: work passes only if undoing it makes one of them fail"
	}
	return ""
}

// untested reports whether each gate that can prove the work ran on the base, by a runner
// that names tests, and there was none. Another gate that is red there may prove it.
func untested(s loop.State) bool {
	proving := map[string]bool{}
	for _, g := range ProvingGates(s.Gates) {
		proving[g.Name] = true
	}
	ran := 0
	for _, r := range s.BaseResults {
		none := r.Tests != nil && r.Tests.Run == 0 && r.Tests.Failed == 0
		if !none && (proving[r.Gate] || r.Verdict == loop.Failed) {
			return false
		}
		if proving[r.Gate] {
			ran++
		}
	}
	return ran > 0 && ran == len(proving)
}

// namesTests reports whether a gate that can prove the work named tests on the base.
func namesTests(s loop.State) bool {
	for _, g := range ProvingGates(s.Gates) {
		for _, r := range s.BaseResults {
			if r.Gate == g.Name && r.Tests != nil {
				return true
			}
		}
	}
	return false
}

func unlessApproved(p loop.ProofPolicy) string {
	if p == loop.ProofReview {
		return ", unless the spec review approves of it"
	}
	return ""
}
