package loop

import (
	"fmt"
	"strings"
)

// Refused is the error of an event that cannot happen in the present state.
type Refused struct {
	Event  string
	Status Status
	Step   Step
	Why    string
}

func (r *Refused) Error() string {
	return fmt.Sprintf("%s (%s is refused while the loop is %s)", r.Why, strings.ReplaceAll(r.Event, "_", " "), r.Status)
}

// Apply returns the state after e. It refuses what cannot happen; then the
// returned state is s. The new state shares no memory with s.
func Apply(s State, e Event) (State, error) {
	name := ""
	refuse := func(why string) (State, error) {
		return s, &Refused{name, s.Status, s.Step, why}
	}
	if !events.Has(e) {
		return refuse("not one of the machine's events")
	}
	name = e.Name()
	if e.When().IsZero() {
		return refuse("it does not say when")
	}
	_, after := e.(afterEnd)
	ended := s.Status.Terminal()
	if ended && !after {
		return refuse("the loop has ended")
	}
	n := s.clone()
	if !ended {
		n.advance(e)
	}
	if why := e.apply(&n); why != "" {
		return refuse(why)
	}
	if mid, ok := e.(midStep); !ended && !(ok && mid.midStep()) {
		n.ceilings(e.When())
	}
	return n, nil
}
