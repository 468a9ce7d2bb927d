package view

import "testing"

// TestTaskDetail: what follows the kind of a task does not repeat it.
func TestTaskDetail(t *testing.T) {
	t.Parallel()
	for about, want := range map[string]string{
		" asks: Which one?": "Which one?", " waits for a person": "waits for a person", ": landing": "landing", "": "",
	} {
		if got := (Task{Kind: "asks", About: about}).Detail(); got != want {
			t.Errorf("%q: got %q, want %q", about, got, want)
		}
	}
}

// TestOneLine: the lines of a dispute can be told apart in a list.
func TestOneLine(t *testing.T) {
	t.Parallel()
	if got, want := joinLines("it wants 11\nThe gate: exit code 1\n\ndismiss: the gate stands.\n"), "it wants 11 · The gate: exit code 1 · dismiss: the gate stands."; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
