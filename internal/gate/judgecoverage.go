package gate

import (
	"fmt"
	"math"

	"ralph/internal/gate/coverage"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// closeEnough forgives what is lost by printing a float.
const closeEnough = 1e-6

// judgeCoverage: the command must have succeeded, no test may have failed, and
// the value must reach the floor.
func (e *evaluation) judgeCoverage() verdict {
	floor, hasFloor, floorErr := e.floor()
	if hasFloor && floorErr == nil {
		e.res.Threshold = &floor
	}
	value, err := e.coverage()
	if err == nil {
		e.res.Value, e.res.CountedFiles = &value.Percent, value.Files
	}
	if v := e.judgeTests(); v.Verdict != loop.Passed {
		if err == nil {
			v.reason = oneLine(v.reason + fmt.Sprintf(" (coverage %s)", measured(value)))
		}
		return v
	}
	switch {
	case err != nil:
		return finding(loop.Error, "%v", err)
	case floorErr != nil:
		return finding(loop.Error, "%v", floorErr)
	case !hasFloor:
		return passing("coverage %s", measured(value))
	case value.Percent+closeEnough < floor:
		return finding(loop.Failed, "coverage %s < %s", measured(value), pct(floor))
	}
	return passing("coverage %s >= %s", measured(value), pct(floor))
}

// measured is the value, and of what where that is not everything.
func measured(v coverage.Value) string {
	if v.Files == 0 {
		return pct(v.Percent)
	}
	return pct(v.Percent) + " of " + text.Plural(v.Files, "file") + " in the scope"
}

// floor is the threshold, or the value that was measured on the base, or the
// higher of both. On the base itself there is nothing to compare with.
func (e *evaluation) floor() (floor float64, has bool, err error) {
	if t := e.Gate.Threshold; t != nil {
		if math.IsNaN(*t) || *t < 0 || *t > 100 {
			return 0, false, fmt.Errorf("the threshold %v is not between 0 and 100", *t)
		}
		floor, has = *t, true
	}
	if !e.Gate.Baseline || e.Base {
		return floor, has, nil
	}
	if e.Baseline == nil || e.Baseline.Value == nil {
		return floor, has, fmt.Errorf("the coverage of the base is not known, so nothing can be compared with it")
	}
	return max(floor, *e.Baseline.Value), true, nil
}
