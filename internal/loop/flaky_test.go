package loop

import (
	"testing"
	"time"
)

func TestQuarantined(t *testing.T) {
	t.Parallel()
	for at, want := range map[string]bool{"2026-11-30T23:59:59Z": true, "2026-12-01T00:00:00Z": false, "2026-01-01T00:00:00Z": true} {
		now, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		if got, why := (Flaky{QuarantineUntil: "2026-11-30", Owner: "nina"}).Quarantined(now); got != want || why == "" {
			t.Errorf("%s: %t %q", at, got, why)
		}
		for _, f := range []Flaky{{}, {Owner: "nina"}, {QuarantineUntil: "2026-11-30"}, {QuarantineUntil: "soon", Owner: "nina"}} {
			if got, _ := f.Quarantined(now); got {
				t.Errorf("%+v is a quarantine", f)
			}
		}
	}
}
