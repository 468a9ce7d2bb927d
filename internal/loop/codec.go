package loop

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// Encode is the record of an event: its name and its fields as JSON.
func Encode(e Event) (name string, data []byte, err error) {
	name = Name(e)
	if name == "" {
		return "", nil, fmt.Errorf("encode event %T: not one of the machine's", e)
	}
	data, err = json.Marshal(e)
	return name, data, err
}

// Decode reads what Encode wrote. Fields it does not know are ignored, so that
// records of a newer version can still be shown.
func Decode(name string, data []byte) (Event, error) {
	decode, ok := decoders()[name]
	if !ok {
		return nil, fmt.Errorf("decode event: unknown name %q", name)
	}
	e, err := decode(data)
	if err != nil {
		return nil, fmt.Errorf("decode event %s: %w", name, err)
	}
	return e, nil
}

// Names are those of all events.
func Names() []string { return slices.Sorted(maps.Keys(decoders())) }

func decoders() map[string]func([]byte) (Event, error) {
	m := map[string]func([]byte) (Event, error){}
	add := func(zero Event, f func([]byte) (Event, error)) { m[Name(zero)] = f }
	add(Created{}, decode[Created])
	add(Acquired{}, decode[Acquired])
	add(Prepared{}, decode[Prepared])
	add(AttemptBegan{}, decode[AttemptBegan])
	add(Interrupted{}, decode[Interrupted])
	add(AgentEnded{}, decode[AgentEnded])
	add(Committed{}, decode[Committed])
	add(GateEnded{}, decode[GateEnded])
	add(WorkFailed{}, decode[WorkFailed])
	add(SoftPassed{}, decode[SoftPassed])
	add(Restored{}, decode[Restored])
	add(Woke{}, decode[Woke])
	add(Ticked{}, decode[Ticked])
	add(PauseAsked{}, decode[PauseAsked])
	add(Resumed{}, decode[Resumed])
	add(AbortAsked{}, decode[AbortAsked])
	add(Asked{}, decode[Asked])
	add(Steered{}, decode[Steered])
	add(Answered{}, decode[Answered])
	add(Held{}, decode[Held])
	add(Switched{}, decode[Switched])
	add(BudgetWarned{}, decode[BudgetWarned])
	add(BudgetSpent{}, decode[BudgetSpent])
	add(Kept{}, decode[Kept])
	add(Tidied{}, decode[Tidied])
	return m
}

func decode[E Event](data []byte) (Event, error) {
	var e E
	err := json.Unmarshal(data, &e)
	return e, err
}
