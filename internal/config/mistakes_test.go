package config

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestMistakesBetweenKeysToo: what a gate or an agent lacks is reported beside other mistakes,
// in the order of the file, but not of one of which a key could not be read.
func TestMistakesBetweenKeysToo(t *testing.T) {
	t.Parallel()
	_, err := Resolve(project("version: 1\ngates:\n  lint: {}\n  tests: {rnu: x}\nprojekt: x\nagents:\n  mine: {use: command}\n"))
	var all Errors
	if !errors.As(err, &all) {
		t.Fatal(err)
	}
	var got []string
	for _, e := range all {
		got = append(got, fmt.Sprintf("%d %s", e.Line, e.Message))
	}
	want := []string{"3 gates.lint: the command is missing", `4 gates.tests: unknown key "rnu"`, `5 unknown key "projekt"`, "7 agents.mine: the program is missing"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
