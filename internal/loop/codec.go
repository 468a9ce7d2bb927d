package loop

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
)

// Vocabulary is a closed set of events: what each is called in records, and one
// of each.
type Vocabulary struct {
	Name func(Event) string
	All  []Event
}

// Encode is the record of an event: its name and its fields as JSON.
func (v Vocabulary) Encode(e Event) (name string, data []byte, err error) {
	name = v.Name(e)
	if name == "" {
		return "", nil, fmt.Errorf("encode event %T: it has no name", e)
	}
	data, err = json.Marshal(e)
	return name, data, err
}

// Decode reads what Encode wrote. Fields it does not know are ignored, so that
// records of a newer version can still be shown.
func (v Vocabulary) Decode(name string, data []byte) (Event, error) {
	i := slices.IndexFunc(v.All, func(e Event) bool { return v.Name(e) == name })
	if i < 0 || name == "" {
		return nil, fmt.Errorf("decode event: unknown name %q", name)
	}
	to := reflect.New(reflect.TypeOf(v.All[i]))
	if err := json.Unmarshal(data, to.Interface()); err != nil {
		return nil, fmt.Errorf("decode event %s: %w", name, err)
	}
	return to.Elem().Interface().(Event), nil
}

// Encode is the record of an event of a loop.
func Encode(e Event) (name string, data []byte, err error) { return vocabulary().Encode(e) }

// Decode reads the record of an event of a loop.
func Decode(name string, data []byte) (Event, error) { return vocabulary().Decode(name, data) }

// Names are those of all events of loops.
func Names() []string {
	v := vocabulary()
	out := make([]string, len(v.All))
	for i, e := range v.All {
		out[i] = v.Name(e)
	}
	slices.Sort(out)
	return out
}

func vocabulary() Vocabulary {
	return Vocabulary{Name, []Event{
		Created{},
		Acquired{},
		Prepared{},
		AttemptBegan{},
		Interrupted{},
		AgentEnded{},
		Committed{},
		GateEnded{},
		WorkFailed{},
		SoftPassed{},
		Restored{},
		Woke{},
		Ticked{},
		PauseAsked{},
		Resumed{},
		AbortAsked{},
		Asked{},
		Steered{},
		Answered{},
		Held{},
		Switched{},
		BudgetWarned{},
		BudgetSpent{},
		Kept{},
		Tidied{},
		Accepted{},
	}}
}
