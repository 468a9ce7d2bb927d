package text

import (
	"testing"
	"time"
)

func TestPlural(t *testing.T) {
	t.Parallel()
	for n, want := range map[int]string{0: "0 tasks", 1: "1 task", 2: "2 tasks"} {
		if got := Plural(n, "task"); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestSize(t *testing.T) {
	t.Parallel()
	for n, want := range map[int64]string{17: "17 B", 3200: "3.2 KB", 64e6: "64.0 MB"} {
		if got := Size(n); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestTimes(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for d, want := range map[time.Duration][2]string{
		-time.Second:                   {"0.0s", "0s"},
		390 * time.Millisecond:         {"0.3s", "0s"},
		41 * time.Second:               {"41s", "41s"},
		3*time.Minute + 12*time.Second: {"3m12s", "3m"},
		64 * time.Minute:               {"1h04m", "1h"},
		51 * time.Hour:                 {"2d03h", "2d"},
	} {
		if got := Duration(d); got != want[0] {
			t.Errorf("duration: got %q, want %q", got, want[0])
		}
		if got := Age(now.Add(-d), now); got != want[1] {
			t.Errorf("age: got %q, want %q", got, want[1])
		}
	}
	if got := Age(time.Time{}, now); got != "" {
		t.Errorf("age: got %q", got)
	}
	if got := Clock(now.Add(-time.Hour), now) + "|" + Clock(now.Add(-24*time.Hour), now); got != "11:00|2026-02-28 12:00" {
		t.Errorf("clock: got %q", got)
	}
}

func TestNumbers(t *testing.T) {
	t.Parallel()
	for want, n := range map[string][]int{
		"": nil, "3": {3}, "1, 2": {1, 2}, "1–3": {1, 2, 3}, "1, 2, 4–7, 9": {1, 2, 4, 5, 6, 7, 9}, "1, 3, 5": {1, 3, 5},
	} {
		if got := Numbers(n); got != want {
			t.Errorf("%v: %q, want %q", n, got, want)
		}
	}
}
