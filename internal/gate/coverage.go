package gate

import (
	"errors"
	"fmt"
	"math"
	"path"
	"slices"

	"ralph/internal/gate/coverage"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// usualReports is where tools write when a gate names no report, in order of
// preference.
func usualReports() []string {
	return []string{
		"coverage.out", "cover.out", "c.out", "coverage.txt", "cover.txt",
		"coverage/coverage-summary.json", "coverage/lcov.info", "lcov.info", "coverage.lcov", "coverage/coverage-final.json",
		"coverage.json", "coverage.xml", "cobertura.xml", "coverage/cobertura-coverage.xml", "coverage/cobertura.xml",
		"target/site/jacoco/jacoco.xml", "build/reports/jacoco/test/jacocoTestReport.xml", "jacoco.xml",
		"coverage/.last_run.json", "coverage/clover.xml", "clover.xml", "build/logs/clover.xml",
		"target/llvm-cov/lcov.info", "tarpaulin-report.json",
	}
}

// coverageFiles returns the paths to watch, below the root of the tree.
func coverageFiles(t *tree, report string) ([]string, error) {
	if report != "" {
		name, err := t.name(report)
		return []string{name}, err
	}
	var names []string
	for _, u := range usualReports() {
		names = append(names, path.Join(t.dir, u))
	}
	return names, nil
}

// readCoverage reads the named report; without a name that of the base, else the only
// usual one that is fresh, else the command's output. With a scope only its files count.
// The report's name is printed for the output.
func readCoverage(t *tree, b before, r Request, printed *coverage.Text) (v coverage.Value, report string, err error) {
	report = r.Gate.Report
	if report == "" && !r.Base && r.Baseline != nil {
		report = r.Baseline.Report
	}
	onOutput := report == printedReport
	if onOutput {
		report = ""
	}
	names, err := coverageFiles(t, report)
	if err != nil {
		return v, "", fmt.Errorf("report %w", err)
	}
	if report != "" {
		v, err = readReport(t, b, names[0], report, r.scope())
		return v, report, err
	}
	found, stale := freshReports(t, b, names)
	switch {
	case onOutput:
	case len(found) > 1 && !r.Base && !sameTool(found):
		return v, "", fmt.Errorf("the command wrote %s: name the one that counts (report: %s)", text.Few(found, 3), found[0])
	case len(found) > 0:
		v, err = readReport(t, b, path.Join(t.dir, found[0]), found[0], r.scope())
		return v, found[0], err
	}
	if len(r.scope()) > 0 {
		return v, "", fmt.Errorf("%w%s", errNoReport, stale)
	}
	if v, err = printed.Value(); err != nil {
		return v, "", fmt.Errorf("no coverage in the output (%w), and no fresh report%s", err, stale)
	}
	return v, printedReport, nil
}

// printedReport stands in a result for the command's output (loop.Result.Report).
const printedReport = "-"

// freshReports are the usual reports that the command wrote, and what is wrong with others.
func freshReports(t *tree, b before, names []string) (found []string, stale string) {
	for i, n := range names {
		switch err := b.fresh(t, n); {
		case err == nil:
			found = append(found, usualReports()[i])
		case errors.Is(err, errOlder), errors.Is(err, errUntouched):
			stale = fmt.Sprintf("; %s %v", usualReports()[i], err)
		}
	}
	return found, stale
}

// sameTool reports whether reports are those that one tool writes beside each other: istanbul
// fills its folder.
func sameTool(reports []string) bool {
	return !slices.ContainsFunc(reports, func(r string) bool { return path.Dir(r) != "coverage" })
}

// scope returns the files that the gate counts; empty means all.
func (r Request) scope() []string {
	if !r.Gate.Scoped {
		return nil
	}
	return r.Scope
}

func readReport(t *tree, b before, name, shown string, globs []string) (coverage.Value, error) {
	if err := b.fresh(t, name); err != nil {
		return coverage.Value{}, fmt.Errorf("report %s %w", shown, err)
	}
	data, err := t.read(name, coverage.MaxSize)
	if err != nil {
		return coverage.Value{}, fmt.Errorf("report %s: %w", shown, err)
	}
	var v coverage.Value
	if len(globs) > 0 {
		v, err = scopedCoverage(t, globs, data)
	} else {
		v, err = coverage.Parse(data)
	}
	if err != nil {
		return v, fmt.Errorf("report %s: %w", shown, err)
	}
	return v, nil
}

// closeEnough allows for the rounding of a printed float.
const closeEnough = 1e-6

// coverageVerdict: the command must have succeeded, no test may have failed, and
// the value must reach the floor.
func (e *evaluation) coverageVerdict() verdict {
	floor, hasFloor, floorErr := e.floor()
	if hasFloor && floorErr == nil {
		e.res.Threshold = &floor
	}
	value, report, err := e.coverage()
	if err == nil {
		e.res.Value, e.res.CountedFiles, e.res.Report = &value.Percent, value.Files, report
	}
	if v := e.testsVerdict(); v.Verdict != loop.Passed {
		if err == nil {
			v.reason = text.Clip(v.reason+fmt.Sprintf(" (coverage %s)", measured(value)), longestReason)
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

// measured describes the value, and its scope where that is not everything.
func measured(v coverage.Value) string {
	if v.Files == 0 {
		return pct(v.Percent)
	}
	return pct(v.Percent) + " of " + text.Plural(v.Files, "file") + " in the scope"
}

// floor returns the threshold, or the value that was measured on the base, or the
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
