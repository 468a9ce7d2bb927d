package journal_test

import (
	"errors"
	"testing"
	"time"

	"ralph/internal/journal"
)

type happened struct {
	journal.Stamp
	Text string `json:"text"`
}

func (happened) Name() string { return "happened" }

type other struct{ journal.Stamp }

func (other) Name() string { return "other" }

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func TestCodec(t *testing.T) {
	t.Parallel()
	c := journal.NewCodec[journal.Event](happened{}, other{})
	e := happened{journal.Stamp{At: noon}, "x"}
	name, data, err := c.Encode(e)
	if err != nil || name != "happened" || string(data) != `{"at":"2026-03-01T12:00:00Z","text":"x"}` {
		t.Fatalf("%s %s %v", name, data, err)
	}
	if back, err := c.Decode(name, data); err != nil || back != journal.Event(e) {
		t.Errorf("decoded %#v: %v", back, err)
	}
	if _, err := c.Decode(name, []byte(`{"text":"x","newer":1}`)); err != nil {
		t.Errorf("an unknown field: %v", err)
	}
	for _, e := range []journal.Event{nil, &happened{}} {
		if _, _, err := c.Encode(e); err == nil {
			t.Errorf("%T was encoded", e)
		}
	}
	if _, err := c.Decode("nonsense", data); err == nil {
		t.Error("an unknown name was decoded")
	}
	if _, err := c.Decode("other", []byte("[")); err == nil {
		t.Error("broken JSON was decoded")
	}
}

func TestWithStamp(t *testing.T) {
	t.Parallel()
	e := happened{Text: "x"}
	if got := journal.WithStamp[journal.Event](e, journal.Stamp{At: noon}); got != journal.Event(happened{journal.Stamp{At: noon}, "x"}) {
		t.Errorf("%#v", got)
	}
	if !e.At.IsZero() {
		t.Error("the original was changed")
	}
}

func TestNamesAreUnique(t *testing.T) {
	t.Parallel()
	defer func() {
		if recover() == nil {
			t.Error("one name was given to two events")
		}
	}()
	journal.NewCodec[journal.Event](happened{}, happened{})
}

// TestFoldRefusesAsAWhole: the events before a refused one have no effect.
func TestFoldRefusesAsAWhole(t *testing.T) {
	t.Parallel()
	refused := errors.New("refused")
	apply := func(sum int, e journal.Event) (int, error) {
		if e.(number) < 0 {
			return sum, refused
		}
		return sum + int(e.(number)), nil
	}
	if sum, err := journal.Fold(apply, 1, []journal.Event{number(2), number(3)}...); sum != 6 || err != nil {
		t.Errorf("%d, %v", sum, err)
	}
	if sum, err := journal.Fold(apply, 1, []journal.Event{number(2), number(-1), number(3)}...); sum != 1 || !errors.Is(err, refused) {
		t.Errorf("with a refused event: %d, %v", sum, err)
	}
}

type number int

func (number) Name() string          { return "number" }
func (number) When() time.Time       { return time.Time{} }
func (number) Awake() journal.Uptime { return journal.Uptime{} }
func (number) Describe() string      { return "" }

func TestRefusedError(t *testing.T) {
	t.Parallel()
	for want, e := range map[string]journal.RefusedError{
		"not paused (status: running)": {Event: "resumed", Status: "running", Why: "not paused"},
		"not a command for a plan":     {Event: "steer", Why: "not a command for a plan"},
	} {
		if got := e.Error(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
