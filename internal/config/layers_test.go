package config

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPrecedence(t *testing.T) {
	t.Parallel()
	user := &Source{Name: "/home/u/config.yaml", Data: []byte("version: 1\nlimits: {max_iterations: 2, plateau: 2, no_change: 2, max_loops: 2}\nagents: {mine: {use: command, run: theirs}}\n")}
	proj := &Source{Name: FileName, Data: []byte("version: 1\nlimits:\n  max_iterations: 3\n  max_loops: 3\nescalation: {plateau: 3, no_change: 1}\nagents: {mine: {run: ours}}\ngates: {a-b: {run: x}}\n")}
	user.Data = []byte(strings.Replace(string(user.Data), "limits: {max_iterations: 2, plateau: 2, no_change: 2, max_loops: 2}",
		"limits: {max_iterations: 2, max_loops: 2, questions: 2}\nescalation: {plateau: 2, no_change: 2, regression: 2}", 1))
	r, err := Resolve(Sources{
		User: user, Project: proj,
		Env:   []string{"RALPH_LIMITS_MAX_ITERATIONS=4", "RALPH_ESCALATION_PLATEAU=4", "RALPH_GATES_A_B_TIMEOUT={soft: 1m, hard: 2m}", "RALPH_PROTECT=[a, b/**]", "RALPH_PROJECT=", "HOME=/home/u"},
		Flags: []Setting{{Key: "limits.max_iterations", Flag: "--max-iterations", Value: "5"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, v := range r.Values() {
		got[v.Key] = v.Value + " from " + v.Origin.String()
	}
	want := map[string]string{
		"limits.max_iterations": "5 from --max-iterations",
		"escalation.plateau":    "4 from RALPH_ESCALATION_PLATEAU",
		"escalation.no_change":  "1 from ralph.yaml:5",
		"escalation.regression": "2 from /home/u/config.yaml:3",
		"limits.max_loops":      "2 from /home/u/config.yaml:2",
		"limits.questions":      "2 from /home/u/config.yaml:2",
		"limits.interruptions":  "5 from built-in",
		"agents.mine.use":       "command from /home/u/config.yaml:4",
		"agents.mine.run":       "theirs from /home/u/config.yaml:4",
		"gates.a-b.timeout":     "{soft: 1m, hard: 2m} from RALPH_GATES_A_B_TIMEOUT",
		"gates.a-b.kind":        "command from built-in",
		"protect":               `[a, "b/**"] from RALPH_PROTECT`,
		"limits.stall":          "5m from built-in",
		"project":               "",
	}
	for key, w := range want {
		if got[key] != w {
			t.Errorf("%s: %q, want %q", key, got[key], w)
		}
	}
}

func TestEnvironmentRefused(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, variable, want string }{
		{"value", "RALPH_LIMITS_MAX_ITERATIONS=NaN", `RALPH_LIMITS_MAX_ITERATIONS: "NaN" is not a whole number; write`},
		{"zero", "RALPH_LIMITS_MAX_ITERATIONS=0", `RALPH_LIMITS_MAX_ITERATIONS: 0 is too small`},
		{"typo", "RALPH_LIMITS_MAX_ITERATION=3", `RALPH_LIMITS_MAX_ITERATION: there is no such setting here; did you mean RALPH_LIMITS_MAX_ITERATIONS?`},
		{"no such gate", "RALPH_GATES_ZZZ_RUN=3", `RALPH_GATES_ZZZ_RUN: there is no such setting here`},
		{"two gates", "RALPH_GATES_A_B_RUN=3", `RALPH_GATES_A_B_RUN: means each of gates.a-b.run, gates.a.b.run; rename one of them`},
		{"broken list", "RALPH_PROTECT=[a", `RALPH_PROTECT: `},
		{"deadline", "RALPH_LIMITS_LOOP_TIMEOUT={soft: 2h}", `RALPH_LIMITS_LOOP_TIMEOUT: limits.loop_timeout: soft 2h is above the built-in hard limit of 1h`},
		{"group", "RALPH_LIMITS_MAX_ITERATIONS={a: 1}", `RALPH_LIMITS_MAX_ITERATIONS: a group of keys does not fit here`},
		{"empty list text", "RALPH_ISOLATION_SETUP=[ # nothing", `RALPH_ISOLATION_SETUP: `},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			src := project("version: 1\ngates: {a-b: {run: x}, a.b: {run: x}}\n")
			src.Env = []string{row.variable}
			_, err := Resolve(src)
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got  %v\nwant %s", err, row.want)
			}
		})
	}
}

func TestForeignVariablesAreIgnored(t *testing.T) {
	t.Parallel()
	_, err := Resolve(Sources{Env: []string{
		"RALPH_PROMPT_FILE=/x", "RALPH_LOOP_ID=a", "RALPH_TASK_ID=a", "RALPH_ITERATION=2", "RALPH_STATE_FILE=/y",
		"RALPH_HOME=/z", "RALPH_VERSION=9", "LIMITS_MAX_ITERATIONS=x", "RALPH_=1", "garbage", "=x",
	}})
	if err != nil {
		t.Fatal(err)
	}
}

func TestUnknownFlagKey(t *testing.T) {
	t.Parallel()
	_, err := Resolve(Sources{Flags: []Setting{{Key: "limits.nope", Flag: "--nope", Value: "1"}, {Key: "limits.stall", Flag: "--stall", Value: ""}}})
	if err == nil || !strings.Contains(err.Error(), `--nope: there is no setting "limits.nope"`) || !strings.Contains(err.Error(), "--stall: there is no value") {
		t.Errorf("got %v", err)
	}
}

func TestFind(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		name     string
		files    map[string]string
		explicit string
		project  string // content found
		note     bool
		err      string
	}{
		{name: "nothing"},
		{name: "ours", files: map[string]string{"ralph.yaml": "version: 1"}, project: "version: 1"},
		{name: "both", files: map[string]string{"ralph.yaml": "version: 1", "ralph.yml": "cli: {}"}, project: "version: 1"},
		{name: "another runner's", files: map[string]string{"ralph.yml": "cli: {}"}, note: true},
		{name: "another runner's without marks", files: map[string]string{"ralph.yml": "x: {}"}, note: true},
		{name: "broken foreign", files: map[string]string{"ralph.yml": "x: ["}, note: true},
		{name: "ours, misnamed", files: map[string]string{"ralph.yml": "version: 1"}, err: "ralph.yml: the project file is called ralph.yaml; rename this one"},
		{name: "explicit", files: map[string]string{"ralph.yaml": "a", "x.yaml": "b"}, explicit: "x.yaml", project: "b"},
		{name: "explicit missing", explicit: "x.yaml", err: "x.yaml"},
		{name: "folder", files: map[string]string{"ralph.yaml/x": "a"}, err: "not a regular file"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for name, text := range row.files {
				write(t, filepath.Join(dir, name), text)
			}
			explicit := row.explicit
			if explicit != "" {
				explicit = filepath.Join(dir, explicit)
			}
			found, err := Find(dir, explicit, nil)
			if row.err != "" {
				if err == nil || !strings.Contains(err.Error(), row.err) {
					t.Fatalf("got %v, want %s", err, row.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if found.Project != nil {
				got = string(found.Project.Data)
			}
			if got != row.project || (len(found.Notes) > 0) != row.note {
				t.Errorf("got %q, notes %q", got, found.Notes)
			}
		})
	}
}

func TestFindUserFile(t *testing.T) {
	t.Parallel()
	home := t.TempDir()
	write(t, filepath.Join(home, ".config/ralph/config.yaml"), "version: 1\nlimits: {max_iterations: 9}\n")
	found, err := Find(t.TempDir(), "", []string{"HOME=" + home, "XDG_CONFIG_HOME=relative/is/ignored"})
	if err != nil {
		t.Fatal(err)
	}
	r, err := Resolve(Sources{User: found.User})
	if err != nil || r.Limits().MaxIterations != 9 {
		t.Errorf("got %v, %v", r, err)
	}
	if got, want := UserFile([]string{"XDG_CONFIG_HOME=/x"}), filepath.FromSlash("/x/ralph/config.yaml"); got != want {
		t.Errorf("UserFile = %s, want %s", got, want)
	}
	if got := UserFile(nil); got != "" {
		t.Errorf("UserFile = %s", got)
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestDigestIsOfTheBytes(t *testing.T) {
	t.Parallel()
	a, b := resolve(t, "version: 1\n"), resolve(t, "version: 1 \n")
	if a.Digest == b.Digest || len(a.Digest) != 64 {
		t.Errorf("digests %q and %q", a.Digest, b.Digest)
	}
	if d := cmp.Diff(a.Values(), b.Values()); d != "" {
		t.Error(d)
	}
}
