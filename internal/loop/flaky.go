package loop

import "time"

// Flaky is how a gate that is known to be red and green on the same commit is
// treated.
type Flaky struct {
	// Retries is how often a red gate runs again on the same commit.
	Retries int `json:"retries,omitempty"`
	// QuarantineUntil (YYYY-MM-DD, UTC, that day included) lets a gate pass that
	// was red and then green, until then; Owner answers for it.
	QuarantineUntil string `json:"quarantine_until,omitempty"`
	Owner           string `json:"owner,omitempty"`
}

// Quarantined reports whether the gate may pass although it is flaky, and until
// when, in words; without a quarantine the words are empty.
func (f Flaky) Quarantined(now time.Time) (bool, string) {
	if f.QuarantineUntil == "" || f.Owner == "" {
		return false, ""
	}
	until, err := time.Parse(time.DateOnly, f.QuarantineUntil)
	if err != nil || !now.Before(until.AddDate(0, 0, 1)) {
		return false, "its quarantine ended on " + f.QuarantineUntil + " (owner: " + f.Owner + ")"
	}
	return true, "in quarantine until " + f.QuarantineUntil + " (owner: " + f.Owner + ")"
}
