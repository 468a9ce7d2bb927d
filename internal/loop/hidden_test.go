package loop

import (
	"encoding/json"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// TestToldKeepsSecrets: whatever text a hidden gate or its result holds, also in fields
// that are added later, agents hear none of it but the name.
func TestToldKeepsSecrets(t *testing.T) {
	t.Parallel()
	told := []string{"Gate", "Name", "Kind", "Level", "Verdict", "Commit", "Where", "Room", "Sandbox"}
	g, r := Gate{}, Result{Verdict: Failed, Level: Hard}
	fillText(reflect.ValueOf(&g).Elem(), told)
	fillText(reflect.ValueOf(&r).Elem(), told)
	g.Name, g.Hidden, r.Gate, r.Hidden = "held-out", true, "held-out", true
	r.Tests, r.Judging, r.Value = &Tests{Failing: []string{"TOKEN"}}, &Judging{Reason: "TOKEN"}, new(41.5)
	s := State{Spec: Spec{Gates: []Gate{g}}, BaseResults: []Result{r}, Recent: []Attempt{{N: 1, Results: []Result{r}}}}
	text, err := json.Marshal(s.ForAgents())
	if err != nil || strings.Contains(string(text), "TOKEN") || strings.Contains(string(text), "41.5") {
		t.Errorf("%v: %s", err, text)
	}
	if !strings.Contains(string(text), "held-out") || reasonOf(r) != "hidden gate held-out failed" {
		t.Errorf("%s: %s", reasonOf(r), text)
	}
	if s.Gates[0].Run != "TOKEN" || s.Recent[0].Results[0].Excerpt != "TOKEN" {
		t.Error("the state of people has changed")
	}
	r.Hidden, g.Hidden = false, false
	if !reflect.DeepEqual(r.ForAgents(), r) || !reflect.DeepEqual(g.ForAgents(), g) {
		t.Error("a gate that is not hidden is told as it is")
	}
	if s.Recent[0].Results[0].Missing == nil || len(s.MissingInfo()) > 0 {
		t.Error("what a hidden gate lacks goes into no prompt")
	}
}

func fillText(v reflect.Value, but []string) {
	for i := range v.NumField() {
		f := v.Field(i)
		switch {
		case slices.Contains(but, v.Type().Field(i).Name):
		case f.Kind() == reflect.String:
			f.SetString("TOKEN")
		case f.Type() == reflect.TypeFor[[]string]():
			f.Set(reflect.ValueOf([]string{"TOKEN"}))
		case f.Type() == reflect.TypeFor[map[string]string]():
			f.Set(reflect.ValueOf(map[string]string{"TOKEN": "TOKEN"}))
		}
	}
}
