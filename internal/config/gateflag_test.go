package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

func TestParseGateFlag(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		text string
		want GateFlag
		err  string
	}{
		{text: "tests", want: GateFlag{Name: "tests"}},
		{text: "coverage=80", want: GateFlag{Name: "coverage", Threshold: new(80.0)}},
		{text: "coverage=80.5%", want: GateFlag{Name: "coverage", Threshold: new(80.5)}},
		{text: "coverage=0", want: GateFlag{Name: "coverage", Threshold: new(0.0)}},
		{text: "coverage=baseline", want: GateFlag{Name: "coverage", Baseline: true}},
		{text: "coverage@scope", want: GateFlag{Name: "coverage", Scoped: true}},
		{text: "coverage@scope=80", want: GateFlag{Name: "coverage", Scoped: true, Threshold: new(80.0)}},
		{text: "coverage@scope=baseline", want: GateFlag{Name: "coverage", Scoped: true, Baseline: true}},
		{text: "coverage@x", err: "is not valid after @"},
		{text: "coverage@", err: "is not valid after @"},
		{text: "@scope", err: "is not a valid name"},
		{text: "", err: "is not a valid name"},
		{text: "=80", err: "is not a valid name"},
		{text: "../x", err: "is not a valid name"},
		{text: "coverage=", err: "is not a percentage"},
		{text: "coverage=NaN", err: "is not a percentage"},
		{text: "coverage=1e2", err: "is not a percentage"},
		{text: "coverage=101", err: "is not between 0 and 100"},
		{text: "coverage=-0", err: "is not between 0 and 100"},
		{text: "coverage=80=90", err: "is not a percentage"},
	} {
		got, err := ParseGateFlag(row.text)
		if row.err != "" {
			if err == nil || !strings.Contains(err.Error(), "--gate: ") || !strings.Contains(err.Error(), row.err) {
				t.Errorf("%q: %v, want %s", row.text, err, row.err)
			}
			continue
		}
		if d := cmp.Diff(row.want, got); err != nil || d != "" {
			t.Errorf("%q: %v\n%s", row.text, err, d)
		}
	}
}

func TestSelectGates(t *testing.T) {
	t.Parallel()
	have := []loop.Gate{{Name: "tests", Kind: loop.KindTests}, {Name: "coverage", Kind: loop.KindCoverage, Baseline: true}}
	got, err := SelectGates(have, []GateFlag{{Name: "coverage", Threshold: new(80.0)}, {Name: "tests"}})
	want := []loop.Gate{{Name: "coverage", Kind: loop.KindCoverage, Threshold: new(80.0)}, {Name: "tests", Kind: loop.KindTests}}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v\n%s", err, d)
	}
	_, err = SelectGates(have, []GateFlag{{Name: "test"}, {Name: "tests", Baseline: true}, {Name: "zzzz"}})
	for _, part := range []string{`there is no gate "test"; did you mean "tests"?`, "of kind tests and has no floor", "there are: tests, coverage"} {
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("got %v, want %s", err, part)
		}
	}
	got, err = SelectGates(have, []GateFlag{{Name: "coverage", Scoped: true}})
	if err != nil || !got[0].Scoped || have[1].Scoped {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err = SelectGates(have, []GateFlag{{Name: "tests", Scoped: true}}); err == nil || !strings.Contains(err.Error(), "of kind tests and cannot be limited to the scope") {
		t.Errorf("got %v", err)
	}
	if have[1].Threshold != nil {
		t.Error("the configured gate was changed")
	}
}

func TestSelectRefusesTwice(t *testing.T) {
	t.Parallel()
	_, err := SelectGates([]loop.Gate{{Name: "tests"}}, []GateFlag{{Name: "tests"}, {Name: "tests"}})
	if err == nil || !strings.Contains(err.Error(), "twice") {
		t.Errorf("got %v", err)
	}
}
