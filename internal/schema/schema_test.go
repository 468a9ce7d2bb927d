package schema

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

// sample has one of everything that the formats are made of.
type sample struct {
	Schema string            `json:"schema"`
	Status loop.Status       `json:"status"`
	Unsaid *int              `json:"unsaid"`
	IfAny  *string           `json:"if_any,omitempty"`
	Since  time.Time         `json:"since,omitzero"`
	Inner  *inner            `json:"inner"`
	List   []inner           `json:"list"`
	By     map[string]*inner `json:"by"`
	inner
}

type inner struct {
	Value *float64      `json:"value"`
	Took  time.Duration `json:"took_ns"`
}

func TestSchema(t *testing.T) {
	t.Parallel()
	f := Format{Name: "ralph.sample/v1", What: "A sample.", Type: reflect.TypeFor[sample]()}
	strict, err := f.Strict()
	if err != nil {
		t.Fatal(err)
	}
	published, err := f.Published()
	if err != nil {
		t.Fatal(err)
	}
	at := func(text []byte, path ...string) string {
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		for _, p := range path {
			m, _ := v.(map[string]any)
			v = m[p]
		}
		out, _ := json.Marshal(v)
		return string(out)
	}
	number := `{"anyOf":[{"type":"number"},{"type":"null"}]}`
	for _, c := range []struct {
		path []string
		want string
	}{
		{[]string{"$id"}, `"urn:ralph:sample:v1"`},
		{[]string{"properties", "schema"}, `{"const":"ralph.sample/v1","type":"string"}`},
		{[]string{"properties", "unsaid"}, `{"anyOf":[{"type":"integer"},{"type":"null"}]}`},
		{[]string{"properties", "if_any"}, `{"type":"string"}`},
		{[]string{"properties", "since"}, `{"format":"date-time","type":"string"}`},
		{[]string{"properties", "value"}, number},
		{[]string{"properties", "list", "items", "properties", "value"}, number},
		{[]string{"properties", "by", "additionalProperties", "properties", "value"}, number},
		{[]string{"required"}, `["schema","status","unsaid","inner","list","by","value","took_ns"]`},
	} {
		if got := at(published, c.path...); got != c.want {
			t.Errorf("%v: got %s, want %s", c.path, got, c.want)
		}
	}
	if at(published, "additionalProperties") != "null" || at(strict, "additionalProperties") != "false" {
		t.Error("only the strict schema has all fields there are")
	}
	if at(published, "properties", "status", "enum") != "null" || at(strict, "properties", "status", "enum") == "null" {
		t.Error("only the strict schema has all codes there are")
	}
	if f.File() != "ralph.sample.v1.json" {
		t.Error(f.File())
	}
}

// TestCodesAreComplete: the machine's sources have no code that is missing here.
func TestCodesAreComplete(t *testing.T) {
	t.Parallel()
	sources, err := filepath.Glob("../loop/*.go")
	if err != nil || len(sources) == 0 {
		t.Fatal(err)
	}
	var text []byte
	for _, s := range sources {
		part, err := os.ReadFile(s)
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, part...)
	}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[loop.Status](), reflect.TypeFor[loop.Reason](), reflect.TypeFor[loop.Step](), reflect.TypeFor[loop.Mode](),
		reflect.TypeFor[loop.Kind](), reflect.TypeFor[loop.Level](), reflect.TypeFor[loop.Verdict](), reflect.TypeFor[loop.End](),
	} {
		var want, got []string
		for _, m := range regexp.MustCompile(`(?m)^\t\w+\s+`+typ.Name()+`\s+= "(\w+)"`).FindAllSubmatch(text, -1) {
			want = append(want, string(m[1]))
		}
		for _, c := range codes(typ) {
			if s := fmt.Sprint(c); s != "crashed" {
				got = append(got, s)
			}
		}
		slices.Sort(want)
		slices.Sort(got)
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s (-sources +here):\n%s", typ.Name(), diff)
		}
	}
}
