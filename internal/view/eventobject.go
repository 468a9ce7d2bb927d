package view

import (
	"encoding/json"
	"time"
)

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

// ErrorObject is what went wrong, on standard error, where --json was given.
type ErrorObject struct {
	Exit    int    `json:"exit"`
	Hint    string `json:"hint"`
	Message string `json:"message"`
	Schema  string `json:"schema"`
}
