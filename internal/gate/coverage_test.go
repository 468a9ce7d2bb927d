package gate

import (
	"testing"

	"ralph/internal/loop"
)

// Without report: the work is measured by the report that its base wrote: a command whose
// product writes another one measures nothing with it.
func TestCoverageIsReadWhereTheBaseWroteIt(t *testing.T) {
	t.Parallel()
	lcov := func(file, hit string) string {
		return "printf 'SF:a\\nLF:10\\nLH:" + hit + "\\nend_of_record\\n' > " + file + "; "
	}
	const printed = "echo 'TOTAL 10 4 60%'; "
	for name, c := range map[string]struct {
		base, work string
		older      bool // the base's result does not name its report
		want       loop.Verdict
		reason     string
		report     string
	}{
		"the same":                {base: lcov("lcov.info", "6"), work: lcov("lcov.info", "9"), want: loop.Passed, reason: "coverage 90 % >= 80 %", report: "lcov.info"},
		"a preferred one":         {base: lcov("coverage.lcov", "6"), work: lcov("coverage.lcov", "6") + lcov("lcov.info", "10"), want: loop.Failed, reason: "coverage 60 % < 80 %", report: "coverage.lcov"},
		"another one alone":       {base: lcov("coverage.lcov", "6"), work: lcov("lcov.info", "10"), want: loop.Error, reason: "report coverage.lcov was not written"},
		"printed on the base":     {base: printed, work: printed + lcov("lcov.info", "10"), want: loop.Failed, reason: "coverage 60 % < 80 %", report: "-"},
		"none on the base, two":   {base: "true", work: lcov("coverage.lcov", "6") + lcov("lcov.info", "10"), want: loop.Error, reason: `the command wrote lcov.info, coverage.lcov: name the one that counts \(report: lcov.info\)`},
		"none on the base, one":   {base: "true", work: lcov("lcov.info", "10"), want: loop.Passed, reason: "coverage 100 % >= 80 %", report: "lcov.info"},
		"an older result, two":    {base: lcov("lcov.info", "6"), older: true, work: lcov("coverage.lcov", "9") + lcov("lcov.info", "9"), want: loop.Error, reason: "the command wrote .*"},
		"istanbul writes several": {base: "true", work: "mkdir coverage; " + lcov("coverage/lcov.info", "9") + "echo '<coverage/>' > coverage/clover.xml", want: loop.Passed, reason: "coverage 90 % >= 80 %", report: "coverage/lcov.info"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, nil)
			gate := func(run string) loop.Gate {
				return loop.Gate{Kind: loop.KindCoverage, Run: run, Threshold: new(80.0)}
			}
			on := p.request(gate(c.base))
			on.Base = true
			base := p.do(on)
			if c.older {
				base.Report = ""
			}
			q := newPlace(t, nil)
			r := q.request(gate(c.work))
			r.Baseline = &base
			got := q.do(r)
			want(t, got, c.want, c.reason)
			if got.Report != c.report {
				t.Errorf("report %q, want %q", got.Report, c.report)
			}
		})
	}
}
