package worker

import "ralph/internal/loop"

// errorBefore tells of a gate that could not judge the work where it could not judge the base
// either, for the same error: the cause is the gate or the machine rather than the work.
func errorBefore(s loop.State, e evaluation, r *loop.Result) {
	base := loop.ResultOf(s.BaseResults, r.Gate)
	if e.OnBase || r.Verdict != loop.Error || base == nil || base.Verdict != loop.Error || base.Fingerprint == "" || base.Fingerprint != r.Fingerprint {
		return
	}
	r.Reason += "; the same error was there before any work"
}
