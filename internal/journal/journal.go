// Package journal is what the records of loops and of plans have in common: an
// event has a name, a time and a description, and is stored as its name and its
// fields as JSON. A new event is one type with these methods, listed once in the
// codec of its machine.
package journal

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"time"
)

// Event is something that happened to a run. Machines add a method that applies
// it to their state.
type Event interface {
	// Name of the event in records and on the bus; it never changes.
	Name() string
	// When it happened, by the wall clock and, where it is known, by the uptime; a
	// machine has no other clock.
	When() time.Time
	Awake() Uptime
	// Describe returns what the event reports beyond its name, in one line for
	// people; it is often empty.
	Describe() string
}

// Fold returns the state after events in their order, by the Apply of a machine. When one
// is refused it returns s as it was, with the reason.
func Fold[S any, E Event](apply func(S, E) (S, error), s S, events ...E) (S, error) {
	next := s
	for _, e := range events {
		var err error
		if next, err = apply(next, e); err != nil {
			return s, err
		}
	}
	return next, nil
}

// Local is an event that describes itself by a path of one machine. A log that others
// read leaves its description out.
type Local interface {
	Event
	Local()
}

// Stamp is the time that every event carries.
type Stamp struct {
	At time.Time `json:"at"`
	Uptime
}

// Uptime is a second clock, which is never set: how long the machine has been awake
// since a boot. The zero value is unknown.
type Uptime struct {
	Boot string        `json:"boot,omitempty"`
	Up   time.Duration `json:"up_ns,omitempty"`
}

// Since returns how much later u is; false where the two cannot be compared.
func (u Uptime) Since(earlier Uptime) (time.Duration, bool) {
	if u.Boot == "" || u.Boot != earlier.Boot || u.Up < earlier.Up {
		return 0, false
	}
	return u.Up - earlier.Up, true
}

// When returns the time of the event.
func (s Stamp) When() time.Time { return s.At }

// Awake returns the event's second clock.
func (s Stamp) Awake() Uptime { return s.Uptime }

// Describe returns nothing; events with more to report have a method of their own.
func (Stamp) Describe() string { return "" }

// Codec reads and writes the closed set of events of one machine.
type Codec[E Event] struct {
	types map[string]reflect.Type
}

// NewCodec returns the codec of a set of events, given one of each.
func NewCodec[E Event](all ...E) Codec[E] {
	types := make(map[string]reflect.Type, len(all))
	for _, e := range all {
		if _, taken := types[e.Name()]; taken || e.Name() == "" {
			panic(fmt.Sprintf("event %T: the name %q is empty or used twice", e, e.Name()))
		}
		types[e.Name()] = reflect.TypeOf(e)
	}
	return Codec[E]{types}
}

// Has reports whether e is one of the events. It is false for nil and for a
// pointer to an event.
func (c Codec[E]) Has(e E) bool {
	t := reflect.TypeOf(e)
	return t != nil && t.Kind() == reflect.Struct && c.types[e.Name()] == t
}

// Encode returns the record of an event: its name and its fields as JSON.
func (c Codec[E]) Encode(e E) (name string, data []byte, err error) {
	if !c.Has(e) {
		return "", nil, fmt.Errorf("encode event %T: not one of the machine's events", e)
	}
	data, err = json.Marshal(e)
	return e.Name(), data, err
}

// Decode reads what Encode wrote. Fields it does not know are ignored, so that
// records of a newer version can still be shown.
func (c Codec[E]) Decode(name string, data []byte) (e E, err error) {
	t, known := c.types[name]
	if !known {
		return e, fmt.Errorf("decode event: unknown name %q", name)
	}
	to := reflect.New(t)
	if err := json.Unmarshal(data, to.Interface()); err != nil {
		return e, fmt.Errorf("decode event %s: %w", name, err)
	}
	return to.Elem().Interface().(E), nil
}

// Names returns the names of all events, sorted.
func (c Codec[E]) Names() []string {
	names := make([]string, 0, len(c.types))
	for name := range c.types {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// Types returns the structs of the events by name.
func (c Codec[E]) Types() map[string]reflect.Type { return c.types }

// WithStamp returns e with another time.
func WithStamp[E Event](e E, at Stamp) E {
	to := reflect.New(reflect.TypeOf(e)).Elem()
	to.Set(reflect.ValueOf(e))
	to.FieldByName("Stamp").Set(reflect.ValueOf(at))
	return to.Interface().(E)
}

// RefusedError is returned for an event, or a command, that cannot happen while a run has
// its present status. Why is for people.
type RefusedError struct{ Event, Status, Why string }

func (e *RefusedError) Error() string {
	if e.Status == "" {
		return e.Why
	}
	return fmt.Sprintf("%s (status: %s)", e.Why, e.Status)
}
