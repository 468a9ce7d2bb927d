package view

import (
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// Activity is what the one who runs a loop sees between two events.
type Activity struct {
	// LastOutput is when the agent or the gate last printed; zero is never.
	LastOutput time.Time
	// Tokens and cost so far, where the agent tells while it works.
	Usage loop.Usage
}

// Heartbeat is the plain line that says, at least every 60 s, that a loop is
// alive.
func Heartbeat(s loop.State, a Activity, now time.Time) string {
	u := s.Usage.Add(a.Usage)
	fs := fields{{"event", "heartbeat"}, {"doing", doing(s)}, {"agent", agentName(s.Agent)}, {"for", text.Duration(now.Sub(s.LastAt))}}
	if !a.LastOutput.IsZero() {
		fs = append(fs, [2]string{"last_output", text.Age(a.LastOutput, now)})
	}
	return plainLine(now, s, append(fs, [2]string{"tokens", tokens(u)}, [2]string{"cost", cost(u)}))
}

// Progress is the line that a terminal redraws in place.
func Progress(s loop.State, a Activity, now time.Time, p Palette) string {
	words := "iter " + iteration(s) + "  " + doing(s) + " · " + text.Duration(now.Sub(s.LastAt))
	if !a.LastOutput.IsZero() {
		words += " · last output " + text.Age(a.LastOutput, now) + " ago"
	}
	words += " · " + agentName(s.Agent)
	return p.Out("● " + text.Clip(words, p.width()-3))
}
