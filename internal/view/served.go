package view

import (
	"strconv"
	"strings"
	"time"

	"ralph/internal/text"
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
	var out strings.Builder
	out.WriteString(s.At.UTC().Format(time.RFC3339))
	for _, f := range (fields{
		{"event", s.Event}, {"loop", s.LoopID}, {"reason", s.Reason}, {"try", tryOf(s.Try)}, {"detail", text.Clip(s.Detail, 300)}, {"repository", s.Repository},
	}) {
		if f[1] != "" {
			out.WriteString(" " + f[0] + "=" + value(f[1]))
		}
	}
	return out.String()
}

func tryOf(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
