package loop

import "strings"

// failedLinks is the FailedGate of an attempt whose commits add links out of the
// repository.
const failedLinks = "links"

// refused reports whether an attempt fails by its commit, before any gate runs.
func (s *State) refused(a *Attempt) bool { return s.leaks(a) || len(a.Links) > 0 }

func linkWords(a *Attempt) string {
	return "the commit adds symbolic links that leave the repository (" + strings.Join(a.Links, ", ") +
		"): nothing behind them is part of the work; replace each by a file, or by a relative link to a file of the repository"
}
