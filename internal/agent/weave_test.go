package agent

import (
	"bytes"
	"strings"
	"testing"
)

func TestWeaveKeepsLinesWhole(t *testing.T) {
	t.Parallel()
	var to bytes.Buffer
	w := newWeave(&to)
	out, err := w.side(0), w.side(1)
	for _, step := range []struct {
		side int
		text string
	}{
		{0, `{"a":`}, {1, "warn"}, {1, "ing\n"}, {0, "1}\n"}, {1, "half"}, {0, "{}\n"}, {1, " a line\n"}, {0, "end"}, {1, "last"},
	} {
		side := out
		if step.side == 1 {
			side = err
		}
		if n, err := side.Write([]byte(step.text)); err != nil || n != len(step.text) {
			t.Fatal(n, err)
		}
	}
	if err := w.flush(); err != nil {
		t.Fatal(err)
	}
	if got, want := to.String(), "{\"a\":1}\nwarning\nhalf a line\n{}\nendlast"; got != want {
		t.Errorf("got %q", got)
	}
}

// An output that never ends its line does not keep the other waiting for ever.
func TestWeaveIsBounded(t *testing.T) {
	t.Parallel()
	var to bytes.Buffer
	w := newWeave(&to)
	_, _ = w.side(0).Write([]byte("a line without an end"))
	flood := strings.Repeat("x\n", maxHeld)
	_, _ = w.side(1).Write([]byte(flood))
	if to.Len() < len(flood) {
		t.Errorf("%d bytes wait", len(flood)-to.Len())
	}
}
