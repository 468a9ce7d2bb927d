package gate

import (
	"errors"
	"fmt"
	"path"

	"ralph/internal/gate/coverage"
)

// usualReports is where tools write when a gate names no report, in the order
// of preference.
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

// coverageFiles are the places to watch, below the root of the tree.
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

// readCoverage reads the named report; without a name the first usual one that
// is fresh, else what the command printed. With a scope only its files count.
func readCoverage(t *tree, b before, r Request, printed *coverage.Text) (coverage.Value, error) {
	report := r.Gate.Report
	names, err := coverageFiles(t, report)
	if err != nil {
		return coverage.Value{}, fmt.Errorf("report %w", err)
	}
	if report != "" {
		return readReport(t, b, names[0], report, r.scope())
	}
	stale := ""
	for i, n := range names {
		switch err := b.fresh(t, n); {
		case err == nil:
			return readReport(t, b, n, usualReports()[i], r.scope())
		case errors.Is(err, errOlder), errors.Is(err, errUntouched):
			stale = fmt.Sprintf("; %s %v", usualReports()[i], err)
		}
	}
	if len(r.scope()) > 0 {
		return coverage.Value{}, fmt.Errorf("%w%s", errNoReport, stale)
	}
	v, err := printed.Value()
	if err != nil {
		return v, fmt.Errorf("no coverage in the output (%w), and no fresh report%s", err, stale)
	}
	return v, nil
}

// scope is what the gate counts; nothing is everything.
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
