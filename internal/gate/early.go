package gate

import (
	"ralph/internal/gate/testout"
	"ralph/internal/lazyregexp"
)

// stopsEarly matches the options by which runners stop at a failure and do not say so.
var stopsEarly = lazyregexp.New(`(?:^|[\s"'=])(?:--?failfast|--fail-fast|--bail|--stop-on-(?:failure|error|defect)|--max-?fail(?:ures)?)\b|\bunittest\b.* -f\b`)

// early marks the report of a runner that was told to stop at a failure, and met one.
func (e *evaluation) early(r testout.Report) testout.Report {
	if r.Failed > 0 && stopsEarly.MatchString(e.Gate.Run+" "+e.Gate.Env["GOFLAGS"]) {
		r.Stopped, r.AtLeast = true, true
	}
	return r
}
