package gate

import (
	"ralph/internal/gate/testout"
	"ralph/internal/proof/judge"
)

// early marks the report of a runner that was told to stop at a failure, and met one: some do not
// say so.
func (e *evaluation) early(r testout.Report) testout.Report {
	if r.Failed > 0 && judge.StopsEarly(e.Gate.Run+" "+e.Gate.Env["GOFLAGS"]) {
		r.Stopped, r.AtLeast = true, true
	}
	return r
}
