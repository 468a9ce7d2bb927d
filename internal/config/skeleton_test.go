package config

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

func drafts() map[string]Draft {
	return map[string]Draft{
		"empty": {},
		"go": {
			Project: "shop-api",
			Gates: []GateDraft{
				{Gate: loop.Gate{Name: "tests", Kind: "tests", Level: "hard", Run: "go test ./..."}, Note: "go.mod"},
				{Gate: loop.Gate{Name: "types", Kind: "types", Level: "hard", Run: "go vet ./..."}, Note: "go.mod"},
				{Gate: loop.Gate{Name: "lint", Kind: "lint", Level: "hard", Run: "golangci-lint run"}, Note: ".golangci.yml; golangci-lint is not installed", Off: true},
				{Gate: loop.Gate{Name: "coverage", Kind: "coverage", Level: "soft", Run: "go test -coverprofile=coverage.out ./...", Report: "coverage.out", Baseline: true}, Note: "go.mod"},
			},
		},
		"everything": {
			Project: "on",
			Agents:  []AgentDraft{{"mine", "command", []string{"a b", "--x", "{y}", "n"}}, {"me", "human", nil}},
			Gates: []GateDraft{
				{Gate: loop.Gate{Name: "on", Kind: "command", Level: "hard", Run: "a: b # c\n'\"\\", Dir: "web", Timeout: loop.Deadline{Soft: time.Minute, Hard: time.Hour}, Env: map[string]string{"A": "", "B": "1: \x7f"}, Optional: true}},
				{Gate: loop.Gate{Name: "12", Kind: "tests", Level: "soft", Run: "true", Parse: "junit:a b.xml", MinTests: new(3)}, Note: "two\nlines\x1b[31m"},
				{Gate: loop.Gate{Name: "cov", Kind: "coverage", Level: "hard", Run: "x", Threshold: new(80.5)}},
				{Gate: loop.Gate{Name: "pics", Kind: "visual", Level: "hard", Images: "screenshots", MinImages: new(2)}},
				{Gate: loop.Gate{Name: "tests", Kind: "command", Level: "hard", Run: "x"}},
			},
			Setup: []string{"npm ci", "make, x"}, SetupNote: "package-lock.json",
		},
		"all off": {Gates: []GateDraft{{Gate: loop.Gate{Name: "tests", Kind: "tests", Level: "hard", Run: "go test ./..."}, Off: true, Note: "go is not installed"}}},
	}
}

func TestSkeletonIsReadBack(t *testing.T) {
	t.Parallel()
	for name, d := range drafts() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := Skeleton(d)
			if err != nil {
				t.Fatal(err)
			}
			golden(t, "skeleton-"+strings.ReplaceAll(name, " ", "-")+".yaml", text)
			r := resolve(t, string(text))
			want := []loop.Gate{}
			for _, g := range d.Gates {
				if g.Gate.Timeout == (loop.Deadline{}) {
					g.Gate.Timeout = loop.GateTimeout(g.Gate.Kind)
				}
				if !g.Off {
					want = append(want, g.Gate)
				}
			}
			if d := cmp.Diff(want, r.Gates()); d != "" {
				t.Errorf("gates (-want +got):\n%s", d)
			}
			if string(r.Settings.Project) != d.Project || !slices.Equal(r.Settings.Isolation.Setup, d.Setup) {
				t.Errorf("got %+v", r.Settings)
			}
			for i, a := range d.Agents {
				if d := cmp.Diff(a.Argv, r.Settings.Agents[i].Value.Run.Argv); d != "" {
					t.Error(d)
				}
			}
		})
	}
}

func TestSkeletonRefusesWhatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for name, g := range map[string]loop.Gate{
		"name": {Name: "a\nb", Kind: "command", Run: "x"},
		"run":  {Name: "a", Kind: "command"},
		"dir":  {Name: "a", Kind: "command", Run: "x", Dir: "../y"},
	} {
		if _, err := Skeleton(Draft{Gates: []GateDraft{{Gate: g}}}); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
}
