package loop

import (
	"reflect"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// same compares states and events as their records do: an empty list is none.
func same(a, b any) string { return cmp.Diff(a, b, cmpopts.EquateEmpty()) }

// fill puts something into every field, so that no memory is left out.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.Set(reflect.ValueOf(noon))
			return
		}
		for _, field := range v.Fields() {
			fill(field)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 9))
		for i := range v.Len() {
			fill(v.Index(i))
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key)
		fill(value)
		v.SetMapIndex(key, value)
	case reflect.String:
		v.SetString("old")
	case reflect.Int, reflect.Int64:
		v.SetInt(3)
	case reflect.Float64:
		v.SetFloat(3)
	case reflect.Bool:
		v.SetBool(true)
	}
}

// scribble writes over everything that v reaches.
func scribble(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			scribble(v.Elem())
		}
	case reflect.Struct:
		if v.Type() == reflect.TypeFor[time.Time]() {
			v.SetZero()
			return
		}
		for _, field := range v.Fields() {
			scribble(field)
		}
	case reflect.Slice:
		v.SetLen(v.Cap())
		for i := range v.Len() {
			scribble(v.Index(i))
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			value := reflect.New(v.Type().Elem()).Elem()
			value.Set(v.MapIndex(k))
			scribble(value)
			v.SetMapIndex(k, value)
		}
	case reflect.String:
		v.SetString("new")
	case reflect.Int, reflect.Int64:
		v.SetInt(-7)
	case reflect.Float64:
		v.SetFloat(-7)
	case reflect.Bool:
		v.SetBool(!v.Bool())
	}
}

func filled() State {
	var s State
	fill(reflect.ValueOf(&s).Elem())
	return s
}

func TestCloneSharesNothing(t *testing.T) {
	t.Parallel()
	original := filled()
	if diff := same(original, original.clone()); diff != "" {
		t.Fatal("a clone differs:", diff)
	}
	c := original.clone()
	scribble(reflect.ValueOf(&c).Elem())
	if diff := same(filled(), original); diff != "" {
		t.Error("scribbling over the clone changed the original:", diff)
	}
}

func TestStateSharesNothingWithTheEvent(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	w.until(DoAgent)
	w.do(AttemptBegan{Stamp: w.stamp()})
	var asked AgentEnded
	fill(reflect.ValueOf(&asked).Elem())
	asked.Outcome.End = EndAsked
	w.do(asked)
	w.do(Answered{Stamp: w.stamp(), Text: SayDismiss})
	committed := Committed{Stamp: w.stamp(), Commit: "c1", Files: []string{"a"}, Notes: []string{"b"}}
	w.do(committed)
	ended := GateEnded{}
	fill(reflect.ValueOf(&ended).Elem())
	ended.Result.Gate, ended.Result.Commit = "tests", "c1"
	w.do(ended)
	before := w.s.clone()
	for _, e := range []any{&asked, &committed, &ended} {
		scribble(reflect.ValueOf(e).Elem())
	}
	if diff := same(before, w.s); diff != "" {
		t.Error("scribbling over the events changed the state:", diff)
	}
}

func TestActionSharesNothingWithTheState(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(s *Spec) { s.Gates[0].Env = map[string]string{"A": "b"} })
	a := w.until(DoGate)
	before := w.s.clone()
	scribble(reflect.ValueOf(&a).Elem())
	if diff := same(before, w.s); diff != "" {
		t.Error("scribbling over the action changed the state:", diff)
	}
}
