package migrate

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"ralph/internal/loop"
)

var update = flag.Bool("update", false, "write the golden files")

func now() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) }

// spec is what the command line gives each loop.
func spec(id string) loop.Spec {
	return loop.Spec{ID: id, Mode: loop.Supervised, Agent: loop.Agent{Name: "a", Use: "script"}, Limits: loop.DefaultLimits(), Root: "/r", Base: "b0", Branch: "ralph/" + id}
}

// story is what a golden file shows of one loop.
type story struct {
	Source   string       `json:"source"`
	Name     string       `json:"name"`
	Said     string       `json:"said"`
	Current  bool         `json:"current,omitempty"`
	Command  string       `json:"command,omitempty"`
	Obstacle string       `json:"obstacle,omitempty"`
	State    storyOfState `json:"state"`
	Lost     []string     `json:"lost,omitempty"`
}

type storyOfState struct {
	Task      string         `json:"task"`
	Status    loop.Status    `json:"status"`
	Reason    loop.Reason    `json:"reason,omitempty"`
	Message   string         `json:"message"`
	Iteration int            `json:"iteration"`
	Max       int            `json:"max"`
	Started   time.Time      `json:"started"`
	Last      time.Time      `json:"last"`
	Gates     []loop.Gate    `json:"gates,omitempty"`
	Attempts  []loop.Attempt `json:"attempts,omitempty"`
	Cost      *int64         `json:"cost,omitempty"`
}

func told(f Found) story {
	s := story{Source: f.Source, Said: f.Word, Current: f.Current}
	for name := range f.Names() {
		s.Name = name
		break
	}
	s.Command, _ = f.Command()
	var st loop.State
	switch {
	case f.Standing == Open && f.Obstacle() == "":
		sp := spec(s.Name)
		if s.Command != "" {
			sp.Gates = []loop.Gate{{Name: "until", Kind: loop.KindCommand, Level: loop.Hard, Run: s.Command}}
		}
		st = f.Adopt(sp, now())
	case f.Standing == Open:
		s.Obstacle = f.Obstacle()
		st = f.End(spec(s.Name), s.Obstacle, now())
	default:
		st = f.End(spec(s.Name), "", now())
	}
	s.State = storyOfState{
		st.Task.Text, st.Status, st.Reason, st.Message, st.Iteration, st.Limits.MaxIterations,
		st.StartedAt, st.LastAt, st.Gates, st.Recent, st.Usage.CostMicroUSD,
	}
	for _, l := range f.Losses() {
		s.Lost = append(s.Lost, l.What+": "+l.Why)
	}
	return s
}

func files(a *txtar.Archive) fstest.MapFS {
	fsys := fstest.MapFS{}
	for _, f := range a.Files {
		fsys[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
	}
	return fsys
}

// TestLook compares all that is found in each fixture.
func TestLook(t *testing.T) {
	t.Parallel()
	fixtures, err := filepath.Glob("testdata/look/*.txtar")
	if err != nil || len(fixtures) < 7 {
		t.Fatal(err, fixtures)
	}
	for _, name := range fixtures {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		seen := Look(files(a))
		var out struct {
			Loops    []story
			Folders  []Folder
			Problems []*Error
		}
		for _, f := range seen.Found {
			out.Loops = append(out.Loops, told(f))
		}
		out.Folders, out.Problems = seen.Folders, seen.Problems
		text, err := json.MarshalIndent(out, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		golden(t, strings.TrimSuffix(name, ".txtar")+".golden.json", string(text)+"\n")
	}
}

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", path, diff)
	}
}
