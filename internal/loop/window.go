package loop

import "time"

// Window is one window of an account's usage limit, such as five hours or a week,
// as the agent of a run reported it last.
type Window struct {
	// Name is the provider's own, such as five_hour.
	Name string `json:"name"`
	// Used is the part in per cent; above 100 where the provider allows that.
	Used float64 `json:"used_percent"`
	// ResetsAt is when the window begins anew; zero is unknown.
	ResetsAt time.Time `json:"resets_at,omitzero"`
}

// MaxWindows bounds the windows of one outcome; agents report two or three.
const MaxWindows = 10
