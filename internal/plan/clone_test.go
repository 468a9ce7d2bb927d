package plan

import (
	"errors"
	"reflect"
	"testing"

	"ralph/internal/journal"
	"ralph/internal/loop"
)

// TestCloneSharesNoList: each list of the state has another array in a clone.
func TestCloneSharesNoList(t *testing.T) {
	t.Parallel()
	var s State
	of := reflect.ValueOf(&s).Elem()
	for f, v := range of.Fields() {
		switch v.Kind() {
		case reflect.Slice:
			v.Set(reflect.MakeSlice(f.Type, 1, 4))
		case reflect.Map:
			t.Errorf("%s: clone has no rule for maps", f.Name)
		}
	}
	c := reflect.ValueOf(s.clone())
	for f, v := range of.Fields() {
		if v.Kind() == reflect.Slice && (c.FieldByIndex(f.Index).Len() != 1 || c.FieldByIndex(f.Index).Pointer() == v.Pointer()) {
			t.Errorf("a clone shares %s", f.Name)
		}
	}
}

// TestRefusedChangesNothing: a refused event leaves the state that was given.
func TestRefusedChangesNothing(t *testing.T) {
	t.Parallel()
	s := State{ID: "night", Status: loop.StatusPassed, Tip: "t"}
	got, err := Apply(s, Started{})
	if refused := new(journal.RefusedError); !errors.As(err, &refused) || !reflect.DeepEqual(got, s) {
		t.Errorf("%+v, %v", got, err)
	}
}
