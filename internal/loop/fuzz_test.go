package loop

import (
	"testing"

	"pgregory.net/rapid"
)

// FuzzApply turns bytes into a life and audits each step of it.
func FuzzApply(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte("0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz"))
	f.Fuzz(rapid.MakeFuzz(life))
}

// FuzzDecode: whatever stands in a record, reading it neither panics nor makes
// an event that could not be recorded again; and the machine takes or refuses
// it at every step of a loop.
func FuzzDecode(f *testing.F) {
	for _, e := range allEvents(Stamp{At: noon}) {
		name, data, err := Encode(e)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(name, data)
	}
	f.Add("gate_ended", []byte(`{"at":"2026-11-20T12:00:00Z","result":{"gate":"tests","value":1e999}}`))
	f.Add("agent_ended", []byte(`{"outcome":{"end":"asked","question":null},"unknown":[1]}`))
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		e, err := Decode(name, data)
		if err != nil {
			return
		}
		again, data, err := Encode(e)
		if err != nil || again != name {
			t.Fatalf("%s came back as %q: %v", name, again, err)
		}
		back, err := Decode(again, data)
		if err != nil {
			t.Fatal(err)
		}
		if diff := same(e, back); diff != "" {
			t.Fatal(diff)
		}
		everywhere(t, e)
	})
}

// everywhere applies e at every step of a loop.
func everywhere(t *testing.T, e Event) {
	w, au := newWorld(t, maxIterations(1)), audit{}
	w.gate = attempts(failing("a"))
	for range 100 {
		if _, broken := (&audit{keeps: au.keeps}).apply(w.s, e); broken != nil {
			t.Fatalf("%s in %s/%s: %v", e.Name(), w.s.Status, w.s.Step, broken)
		}
		before := w.s.Step
		if !w.turn() {
			return
		}
		if w.s.Step == StepKeep && before != StepKeep {
			au.keeps++
		}
	}
}
