package engine

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOutputsOfAnAttempt(t *testing.T) {
	t.Parallel()
	l := Layout{Dir: t.TempDir()}
	if err := os.MkdirAll(l.Attempt(1), 0o700); err != nil {
		t.Fatal(err)
	}
	var want []string
	for _, name := range []string{"agent.txt", "agent.2.txt", "agent.3.txt"} {
		path := l.NewOutput(1)
		if filepath.Base(path) != name {
			t.Errorf("%s, want %s", path, name)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		want = append(want, path)
		if l.Output(1) != path {
			t.Errorf("the newest is %s", l.Output(1))
		}
	}
	if diff := cmp.Diff(want, l.Outputs(1)); diff != "" {
		t.Error(diff)
	}
}
