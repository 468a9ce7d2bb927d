package gate

import (
	"strings"

	"ralph/internal/gate/coverage"
	"ralph/internal/gate/evidence"
	"ralph/internal/gate/testout"
	"ralph/internal/gate/text"
)

// sink collects test results, coverage and the evidence of a failure from the
// output.
type sink struct {
	tests    *testout.Parser
	coverage coverage.Text
	facts    evidence.Collector
	lines    text.Lines
}

func newSink(formats ...testout.Format) *sink {
	s := &sink{tests: testout.NewParser(formats...)}
	s.lines.Each = s.line
	return s
}

func (s *sink) Write(p []byte) (int, error) { return s.lines.Write(p) }

// line: an event of go test -json is evidence by the text that it wraps.
func (s *sink) line(raw []byte, dropped int64) {
	plain := text.Plain(raw)
	s.tests.Line(plain)
	wrapped, ok := testout.GoOutput(plain)
	if !ok {
		s.show(plain, dropped)
		return
	}
	for l := range strings.Lines(wrapped) {
		s.show(text.Plain([]byte(strings.TrimSuffix(l, "\n"))), 0)
	}
}

func (s *sink) show(plain string, dropped int64) {
	s.coverage.Line(plain)
	s.facts.Add(plain, dropped)
}
