package demo

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/agent/script"
	"ralph/internal/proc"
	"ralph/internal/testing/tier"
)

// TestTestsFailAndPassAsScripted plays every scenario by hand: after each
// attempt the real tests must say what the story says.
func TestTestsFailAndPassAsScripted(t *testing.T) {
	t.Parallel()
	for _, v := range Variants() {
		for _, s := range Stories() {
			t.Run(v.Name+"/"+s.Name, func(t *testing.T) {
				t.Parallel()
				if !runs(t, v.Probe...) {
					tier.SkipLacking(t, v.Name)
				}
				dir := written(t, v, false)
				if green(t, dir, v, s) {
					t.Fatal("the tests pass before any work")
				}
				for i, want := range s.Ending.Attempts {
					if changed := apply(t, dir, scenario(t, dir, s).Attempt(i+1)); changed != want.Changed {
						t.Errorf("attempt %d: changed something: %v", i+1, changed)
					}
					if got := green(t, dir, v, s); got != (want.Passed || want.Cheat) {
						t.Errorf("attempt %d: the tests pass: %v", i+1, got)
					}
				}
			})
		}
	}
}

// TestScenariosAreWellFormed needs none of the programs.
func TestScenariosAreWellFormed(t *testing.T) {
	t.Parallel()
	for _, v := range Variants() {
		slow, fast := written(t, v, true), written(t, v, false)
		for _, s := range Stories() {
			with, without := scenario(t, slow, s), scenario(t, fast, s)
			if len(with.Attempts) != len(s.Ending.Attempts) {
				t.Errorf("%s/%s: %d attempts are scripted, %d announced", v.Name, s.Name, len(with.Attempts), len(s.Ending.Attempts))
			}
			if diff := cmp.Diff(unpaced(with), without); diff != "" {
				t.Errorf("%s/%s: in a hurry the agent does something else:\n%s", v.Name, s.Name, diff)
			}
		}
	}
}

func unpaced(s script.Scenario) (out script.Scenario) {
	for _, a := range s.Attempts {
		var steps []script.Step
		for _, step := range a {
			if step.Sleep == 0 {
				steps = append(steps, step)
			}
		}
		out.Attempts = append(out.Attempts, steps)
	}
	return out
}

func written(t *testing.T, v Variant, paced bool) string {
	t.Helper()
	dir := t.TempDir()
	if err := v.Write(dir, paced); err != nil {
		t.Fatal(err)
	}
	return dir
}

func scenario(t *testing.T, dir string, s Story) script.Scenario {
	t.Helper()
	got, err := script.Read(ScriptFile(dir, s))
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// apply does what the player would, and says whether a file changed. A new
// content of the old size could be missed (see the package's promises).
func apply(t *testing.T, dir string, steps []script.Step) (changed bool) {
	t.Helper()
	for _, step := range steps {
		if step.Write == nil {
			continue
		}
		file := filepath.Join(dir, ProjectDir, step.Write.Path)
		old, err := os.ReadFile(file)
		if err != nil {
			t.Fatalf("a scenario writes a file that is not in the project: %v", err)
		}
		if string(old) != step.Write.Text && len(old) == len(step.Write.Text) {
			t.Errorf("%s changes without changing its size", step.Write.Path)
		}
		changed = changed || string(old) != step.Write.Text
		if err := os.WriteFile(file, []byte(step.Write.Text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return changed
}

func green(t *testing.T, dir string, v Variant, s Story) bool {
	t.Helper()
	return runsIn(t, filepath.Join(dir, ProjectDir), "sh", "-c", v.Test(s))
}

func runs(t *testing.T, argv ...string) bool { return runsIn(t, t.TempDir(), argv...) }

func runsIn(t *testing.T, dir string, argv ...string) bool {
	t.Helper()
	out, err := proc.Run(t.Context(), proc.Command{Argv: argv, Dir: dir, Env: append(os.Environ(), "LC_ALL=C.UTF-8")})
	return err == nil && out.Code == 0
}
