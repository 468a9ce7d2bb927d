package store

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// TestDecode: a state of this version is read as it was written; of a newer one the fields
// that are known, with the name of one that is not.
func TestDecode(t *testing.T) {
	t.Parallel()
	state := loop.State{Spec: loop.Spec{ID: "a", Task: loop.Task{ID: "a", Text: "do"}}, Status: loop.Running, Questions: []loop.Question{{ID: "q", Text: "?"}}}
	data, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	got, newer, err := decode[loop.State](data)
	if diff := cmp.Diff(state, got); err != nil || newer != "" || diff != "" {
		t.Errorf("%q, %v\n%s", newer, err, diff)
	}
	for _, more := range []string{`"later":1,`, `"task":{"id":"a","text":"do","later":1},`} {
		got, newer, err = decode[loop.State]([]byte("{" + more + strings.TrimPrefix(string(data), "{")))
		if err != nil || newer != `unknown field "later"` || got.ID != "a" || got.Status != loop.Running {
			t.Errorf("%s: %+v, %q, %v", more, got, newer, err)
		}
	}
	if _, newer, err := decode[plan.State]([]byte(`{"id":"p","tasks":[{"id":"1","later":true}]}`)); newer == "" || err != nil {
		t.Errorf("a plan: %q, %v", newer, err)
	}
	if _, _, err := decode[loop.State]([]byte(`{"id":1}`)); err == nil {
		t.Error("a damaged state was read")
	}
}
