package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"time"
	"unicode"
)

// Encode is v as indented JSON with a final line feed. Strings keep what they
// hold, but no character that a terminal would obey stands in them as itself.
func Encode(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(v); err != nil {
		return nil, fmt.Errorf("encode %T: %w", v, err)
	}
	return escaped(b.Bytes()), nil
}

// escaped writes C1 and bidirectional controls as \uXXXX. They only ever stand
// in strings, and encoding/json has escaped the C0 ones.
func escaped(in []byte) []byte {
	var out bytes.Buffer
	for _, r := range string(in) {
		if r == 0x7f || r >= 0x80 && r <= 0x9f || unicode.Is(unicode.Bidi_Control, r) {
			fmt.Fprintf(&out, `\u%04x`, r)
		} else {
			out.WriteRune(r)
		}
	}
	return out.Bytes()
}

// EventSchema is the name of EventObject's format.
const EventSchema = "ralph.event/v1"

// EventObject is one recorded event: a line of `logs --json` and of
// --json-events.
type EventObject struct {
	At time.Time `json:"at"`
	// Data is the event's own record; its fields depend on Event.
	Data   json.RawMessage `json:"data"`
	Event  string          `json:"event"`
	LoopID string          `json:"loop_id"`
	N      int64           `json:"n"`
	Schema string          `json:"schema"`
}

// EventOf is the object of an event.
func EventOf(id string, n int64, at time.Time, name string, data []byte) EventObject {
	return EventObject{at.UTC(), data, name, id, n, EventSchema}
}

// ErrorSchema is the name of ErrorObject's format.
const ErrorSchema = "ralph.error/v1"

// ErrorObject is an error as JSON, written to standard error with --json.
type ErrorObject struct {
	Exit    int    `json:"exit"`
	Hint    string `json:"hint"`
	Message string `json:"message"`
	Schema  string `json:"schema"`
}
