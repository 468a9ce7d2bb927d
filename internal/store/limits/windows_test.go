package limits

import (
	"testing"
	"time"

	"ralph/internal/loop"
)

// TestSpare: the last reset of the windows of which too much is used counts, and a
// window that began anew counts no more.
func TestSpare(t *testing.T) {
	t.Parallel()
	b, c := book(t)
	spare := func(account string, keep float64) Answer {
		t.Helper()
		a, err := b.Spare(t.Context(), account, keep)
		must(t, err)
		return a
	}
	if a := spare("acc", 20); a != (Answer{}) {
		t.Errorf("nothing is known: %+v", a)
	}
	must(t, b.Note(t.Context(), "acc", "claude, login", []loop.Window{
		{Name: "five_hour", Used: 85, ResetsAt: noon.Add(time.Hour)},
		{Name: "seven_day", Used: 79, ResetsAt: noon.Add(100 * time.Hour)},
		{Name: "untimed", Used: 99},
		{Name: "absurd", Used: 99, ResetsAt: noon.Add(1000 * time.Hour)},
	}))
	for _, row := range []struct {
		account string
		keep    float64
		until   time.Time
	}{
		{"acc", 0, time.Time{}},
		{"acc", 20, noon.Add(time.Hour)},
		{"acc", 21, noon.Add(time.Hour)},
		{"acc", 22, noon.Add(100 * time.Hour)},
		{"other", 50, time.Time{}},
	} {
		if a := spare(row.account, row.keep); !a.Until.Equal(row.until) || !row.until.IsZero() && a.Reason() != loop.ForKeep {
			t.Errorf("%s keeps %g: %+v", row.account, row.keep, a)
		}
	}
	c.set(noon.Add(time.Hour))
	if a := spare("acc", 20); !a.Until.IsZero() {
		t.Errorf("the window began anew: %+v", a)
	}
	all, err := b.Windows(t.Context())
	must(t, err)
	if len(all) != 1 || all[0].Name != "seven_day" || all[0].Label != "claude, login" {
		t.Errorf("%+v", all)
	}
	must(t, b.Note(t.Context(), "acc", "claude, login", []loop.Window{{Name: "seven_day", Used: 3, ResetsAt: noon.Add(268 * time.Hour)}}))
	if a := spare("acc", 50); !a.Until.IsZero() {
		t.Errorf("a newer report counts: %+v", a)
	}
}
