package plan

import (
	"encoding/json"
	"fmt"
)

// Encode is the record of an event: its name and its fields as JSON.
func Encode(e Event) (name string, data []byte, err error) {
	name = Name(e)
	if name == "" {
		return "", nil, fmt.Errorf("encode event %T: not one of a plan's", e)
	}
	data, err = json.Marshal(e)
	return name, data, err
}

// Decode reads what Encode wrote. Fields it does not know are ignored.
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

func decoders() map[string]func([]byte) (Event, error) {
	m := map[string]func([]byte) (Event, error){}
	add := func(zero Event, f func([]byte) (Event, error)) { m[Name(zero)] = f }
	add(Opened{}, decode[Opened])
	add(Read{}, decode[Read])
	add(Started{}, decode[Started])
	add(Planning{}, decode[Planning])
	add(Accepted{}, decode[Accepted])
	add(Noted{}, decode[Noted])
	add(Taken{}, decode[Taken])
	add(Stopped{}, decode[Stopped])
	add(LandBegan{}, decode[LandBegan])
	add(Repairing{}, decode[Repairing])
	add(Landed{}, decode[Landed])
	add(NotLanded{}, decode[NotLanded])
	add(Judged{}, decode[Judged])
	add(ProofBegan{}, decode[ProofBegan])
	add(Proof{}, decode[Proof])
	add(Asked{}, decode[Asked])
	add(Answered{}, decode[Answered])
	add(Resolved{}, decode[Resolved])
	add(Found{}, decode[Found])
	add(Rested{}, decode[Rested])
	add(PauseAsked{}, decode[PauseAsked])
	add(Resumed{}, decode[Resumed])
	add(AbortAsked{}, decode[AbortAsked])
	add(Broken{}, decode[Broken])
	return m
}

func decode[E Event](data []byte) (Event, error) {
	var e E
	err := json.Unmarshal(data, &e)
	return e, err
}
