package report

import (
	"strconv"
	"time"
)

// ServedSchema is the name of Served's format.
const ServedSchema = "ralph.served/v1"

// Served is one thing that `ralph serve` did, with its reason.
type Served struct {
	Schema     string    `json:"schema"`
	At         time.Time `json:"at"`
	Repository string    `json:"repository"`
	Event      string    `json:"event"`
	LoopID     string    `json:"loop_id,omitempty"`
	Reason     string    `json:"reason,omitempty"`
	Try        int       `json:"try,omitempty"`
	Detail     string    `json:"detail,omitempty"`
}

// Line is the same as a plain line.
func (s Served) Line() string {
	out := s.At.UTC().Format(time.RFC3339)
	for _, f := range (fields{
		{"event", s.Event}, {"loop", s.LoopID}, {"reason", s.Reason}, {"try", tryOf(s.Try)}, {"detail", clip(s.Detail, 300)}, {"repository", s.Repository},
	}) {
		if f[1] != "" {
			out += " " + f[0] + "=" + value(f[1])
		}
	}
	return out
}

func tryOf(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
