package config

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/loop"
)

// resolve reads text as the project file.
func resolve(t *testing.T, text string) *Resolved {
	t.Helper()
	r, err := Resolve(project(text))
	if err != nil {
		t.Fatalf("Resolve: %v", err)
	}
	return r
}

func project(text string) Sources {
	return Sources{Project: &Source{Name: FileName, Data: []byte(text)}}
}

const tour = `version: 1
project: shop-api
agents:
  mine: {use: command, run: [my-agent, --non-interactive]}
  shell: {use: command, run: my-agent | tee log}
  me: {use: human}
  play: {use: script, run: story.json}
  claude: {}
  fast: {use: codex, run: /opt/codex, model: small, permissions: skip, args: [-c, a=b], env: {A: "1"}, max_turns: 9, max_same_calls: 3, stall: 4m}
limits:
  max_iterations: 7
  confirm_passes: 2
  max_loops: 6
  loop_timeout: {soft: 45m, hard: 2h}
  implement_timeout: 30m
  session_timeout: {soft: 7h}
  stall: 5m
  transient_errors: 0
  back_off: 1.5s
escalation:
  same_error: 4
  strategy_shifts: 0
  regression: 3
  no_change: 2
  plateau: 9
gates:
  tests:
    run: go test ./...
    parse: gotest
    timeout: {soft: 1m}
    min_tests: 3
    env: {CI: "1", EMPTY: "", YES: true}
  cov: {run: make cov, report: out/c.info, threshold: 80.5%, dir: ./web/}
  lint: {run: "true", level: soft, timeout: 90s, optional: on}
  extra: {run: ./check}
  visual: {images: screenshots, min: 2}
gates_in: agent
protect: [ralph.yaml, ".github/**"]
isolation:
  setup: npm ci
  copy: [.env.test]
  dir: ../.worktrees
prompt: {dir: .prompts}
`

func TestFullTour(t *testing.T) {
	t.Parallel()
	r := resolve(t, tour)
	protect := []string{"ralph.yaml", ".github/**"}
	const m = time.Minute
	want := []loop.Gate{
		{
			Name: "tests", Kind: "tests", Level: "hard", Run: "go test ./...", Parse: "gotest", MinTests: new(3),
			Timeout: loop.Deadline{Soft: m, Hard: 10 * m}, Env: map[string]string{"CI": "1", "EMPTY": "", "YES": "true"}, Protect: protect,
		},
		{
			Name: "cov", Kind: "coverage", Level: "hard", Run: "make cov", Report: "out/c.info", Threshold: new(80.5), Dir: "web",
			Timeout: loop.Deadline{Soft: 5 * m, Hard: 10 * m}, Protect: protect,
		},
		{Name: "lint", Kind: "lint", Level: "soft", Run: "true", Optional: true, Timeout: loop.Deadline{Hard: 90 * time.Second}, Protect: protect},
		{Name: "extra", Kind: "command", Level: "hard", Run: "./check", Timeout: loop.Deadline{Soft: 5 * m, Hard: 10 * m}, Protect: protect},
		{Name: "visual", Kind: "visual", Level: "hard", Images: "screenshots", MinImages: new(2), Timeout: loop.Deadline{Soft: 5 * m, Hard: 10 * m}, Protect: protect},
	}
	if d := cmp.Diff(want, r.Gates()); d != "" {
		t.Errorf("gates (-want +got):\n%s", d)
	}
	limits := loop.Limits{
		MaxIterations: 7, ConfirmPasses: 2,
		Attempt: loop.Deadline{Hard: 30 * m}, Loop: loop.Deadline{Soft: 45 * m, Hard: 120 * m},
		Session:   loop.Deadline{Soft: 7 * time.Hour, Hard: 8 * time.Hour},
		Transient: 0, BackOff: 1500 * time.Millisecond, Interruptions: 5, Questions: 3,
		StuckAfter: 4, MaxShifts: 0, Regression: 3, NoChange: 2, Plateau: 9,
	}
	if d := cmp.Diff(limits, r.Limits()); d != "" {
		t.Errorf("limits (-want +got):\n%s", d)
	}
	if d := r.DrivenLimits(); d.Stall != 5*m || d.MaxIterations != 5 || d.Loop.Hard != 10*m || d.Regression != 2 || d.StuckAfter != 4 || d.Plateau != 0 {
		t.Errorf("limits of an agent-driven loop: %+v", d)
	}
	agents := []loop.Agent{
		{Name: "mine", Use: "command", Argv: []string{"my-agent", "--non-interactive"}},
		{Name: "shell", Use: "command", Argv: []string{"my-agent | tee log"}, Shell: true},
		{Name: "me", Use: "human"},
		{Name: "play", Use: "script", Argv: []string{"story.json"}},
		{Name: "claude", Use: "claude"},
		{
			Name: "fast", Use: "codex", Argv: []string{"/opt/codex"}, Model: "small", Permissions: loop.PermissionsSkip,
			Args: []string{"-c", "a=b"}, Env: map[string]string{"A": "1"}, MaxTurns: 9, MaxSameCalls: 3, Stall: 4 * m,
		},
	}
	if d := cmp.Diff(agents, r.Agents()); d != "" {
		t.Errorf("agents (-want +got):\n%s", d)
	}
	if r.MaxLoops() != 6 || r.Settings.GatesIn != "agent" || r.Settings.Isolation.Setup[0] != "npm ci" || len(r.Digest) != 64 {
		t.Errorf("got %+v, digest %q", r.Settings, r.Digest)
	}
}

func TestDefaults(t *testing.T) {
	t.Parallel()
	for _, src := range []Sources{{}, project("version: 1"), project("version: 1\ngates:\nlimits:\n")} {
		r, err := Resolve(src)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(loop.DefaultLimits(), r.Limits()); d != "" {
			t.Errorf("limits (-want +got):\n%s", d)
		}
		if len(r.Gates()) != 0 || r.MaxLoops() != 4 {
			t.Errorf("gates %v, max_loops %d", r.Gates(), r.MaxLoops())
		}
	}
}

// TestRefused gives one mistake a row: what is appended to `version: 1`, and
// the whole error.
func TestRefused(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, text, want string }{
		{"typo", "limits:\n  max_iteration: 3", `ralph.yaml:3:3: limits: unknown key "max_iteration"; did you mean "max_iterations"?`},
		{"swapped letters", "gaets: {}", `ralph.yaml:2:1: unknown key "gaets"; did you mean "gates"?`},
		{"too deep", "isolation: {sandbox: off}", `ralph.yaml:2:13: isolation: unknown key "sandbox"; sandbox is a key of its own, at the left margin`},
		{"another name", "gates: {a: {run: x, files_from: y}}", `unknown key "files_from"; did you mean "files"?`},
		{"wrong section", "max_iterations: 3", `ralph.yaml:2:1: unknown key "max_iterations"; did you mean "limits.max_iterations"?`},
		{"nothing near", "zzz: 3", `ralph.yaml:2:1: unknown key "zzz"; known here: version, project, disputes, learn, agents, limits, budget, prices, test_fix, agent_loops, escalation, gates, gates_in, protect, may_change, judges, secrets, refuse, proof, if_green, review, plans, gaps, notify, accept, serve, isolation, sandbox, sandbox_write, sandbox_hide, bus, engine, codec_key, keep_awake, prompt`},
		{"notify of a repository", "notify: {targets: {x: {to: 'exec:touch /tmp/x'}}}", `ralph.yaml:2:20: notify.targets.x: only your own settings have notifications; move the section to your own file`},
		{"unknown notice", "notify: {targets: {x: {to: 'bell:', events: [qestion]}}}", `"qestion" is not a valid event; did you mean "question"?`},
		{"money without a currency", "budget: {task: {money: 5}}", `budget.task.money: "5" is not an amount of money; write dollars, such as 5 USD or $0.50`},
		{"another currency", "budget: {task: {money: 5 EUR}}", `"5 EUR" is not an amount of money`},
		{"no money", "budget: {task: {money: $0}}", `"$0" is not above zero`},
		{"negative money", "budget: {task: {money: $-5}}", `"-5" is not a number`},
		{"endless money", "budget: {task: {money: $inf}}", `"inf" is not a number`},
		{"too much money", "budget: {task: {money: $1000001}}", `"$1000001" is too much; write at most $1000000`},
		{"no tokens", "budget: {plan: {tokens: 0}}", `"0" is less than one token`},
		{"tokens in words", "budget: {plan: {tokens: many}}", `"many" is not a number; write a number of tokens, such as 500k or 2M`},
		{"half a price", "prices: {m: {input: 3}}", `prices.m: input and output are needed; such as {input: 3, output: 15}`},
		{"a price in words", "prices: {m: {input: free, output: 1}}", `"free" is not a number`},
		{"a negative price", "prices: {m: {input: -1, output: 1}}", `"-1" is not a number`},
		{"text for number", "limits: {max_iterations: many}", `ralph.yaml:2:26: limits.max_iterations: "many" is not a whole number; write`},
		{"quoted number", `limits: {max_iterations: "5"}`, `limits.max_iterations: "5" is text, not a number; leave the quotes out`},
		{"zero", "limits: {max_iterations: 0}", `limits.max_iterations: 0 is too small; write 1 or more`},
		{"negative", "limits: {max_iterations: -1}", `limits.max_iterations: -1 is too small`},
		{"max+1", "limits: {max_iterations: 1000001}", `1000001 is too large; write 1000000 or less`},
		{"overflow", "limits: {max_iterations: 99999999999999999999}", `is not a whole number`},
		{"fraction", "limits: {max_iterations: 2.5}", `is not a whole number`},
		{"octal", "limits: {max_iterations: 010}", `is not a whole number`},
		{"NaN", "limits: {max_iterations: .nan}", `is not a whole number`},
		{"list for number", "limits: {max_iterations: [5]}", `limits.max_iterations: a list does not fit here; write a single value`},
		{"no value", "limits:\n  max_iterations:", `limits.max_iterations: there is no value; give it a value or delete the key`},
		{"number for section", "limits: 5", `ralph.yaml:2:9: limits: a single value does not fit here; write keys and values`},
		{"list for section", "gates: [a]", `gates: a list does not fit here`},
		{"no unit", "limits: {loop_timeout: 60}", `limits.loop_timeout: "60" is not a duration; write a number with a unit, such as 90s, 20m or 8h`},
		{"days", "limits: {loop_timeout: 2d}", `"2d" is not a duration`},
		{"zero duration", "limits: {loop_timeout: 0s}", `"0s" is not above zero`},
		{"negative duration", "limits: {back_off: -1s}", `"-1s" is not above zero`},
		{"endless", "limits: {loop_timeout: 100001h}", `is too long; write at most 100000h`},
		{"soft above hard", "limits: {loop_timeout: {soft: 2h, hard: 1h}}", `soft 2h is above hard 1h; make hard the larger one`},
		{"soft above built in", "limits:\n  loop_timeout: {soft: 2h}", `ralph.yaml:3:17: limits.loop_timeout: soft 2h is above the built-in hard limit of 1h; give hard too`},
		{"unknown part", "limits: {loop_timeout: {sotf: 2h}}", `ralph.yaml:2:25: limits.loop_timeout: "sotf" is not a valid part of a deadline; did you mean "soft"?`},
		{"keeps all", "limits: {keep: 100%}", `limits.keep: "100%" leaves nothing to use; write 99% or less`},
		{"keeps words", "limits: {keep: some}", `limits.keep: "some" is not a percentage; write a number from 0 to 99, such as 20%`},
		{"hours in words", "limits: {quiet_hours: nights}", `limits.quiet_hours: "nights": not a range of hours; write hours such as 22:00-07:00 or`},
		{"always quiet", "limits: {quiet_hours: 00:00-00:00}", `"00:00-00:00" covers the whole week`},
		{"threshold NaN", "gates: {coverage: {run: x, threshold: .nan}}", `is not a percentage`},
		{"threshold nan", "gates: {coverage: {run: x, threshold: nan}}", `is not a percentage`},
		{"threshold inf", "gates: {coverage: {run: x, threshold: +Inf}}", `is not a percentage`},
		{"threshold low", "gates: {coverage: {run: x, threshold: -0.1}}", `is not between 0 and 100`},
		{"threshold high", "gates: {coverage: {run: x, threshold: 100.1%}}", `is not between 0 and 100`},
		{"threshold word", "gates: {coverage: {run: x, threshold: baselin}}", `is not a percentage; write a number from 0 to 100, or "baseline"`},
		{"no threshold", "gates:\n  coverage: {run: x}", `ralph.yaml:3:3: gates.coverage: the floor is missing; add`},
		{"unknown kind", "gates: {a: {run: x, kind: test}}", `gates.a.kind: "test" is not a valid gate kind; did you mean "tests"?`},
		{"later kind", "gates: {a: {run: x, kind: review}}", `"review" is not a valid gate kind; write one of: command, tests,`},
		{"unknown level", "gates: {a: {run: x, level: strict}}", `"strict" is not a valid level; write one of: hard, soft`},
		{"unknown parser", "gates: {a: {run: x, parse: junit-xml}}", `"junit-xml" is not a valid result format`},
		{"junit without path", "gates: {a: {run: x, parse: 'junit:'}}", `the path is missing`},
		{"no command", "gates:\n  tests:", `ralph.yaml:3:3: gates.tests: the command is missing; add run`},
		{"key of another kind", "gates: {lint: {run: x, threshold: 3}}", `gates.lint.threshold: a gate of kind lint has no threshold; delete the key, or write`},
		{"gate name", "gates: {../x: {run: x}}", `gates: "../x" is not a valid name`},
		{"capital name", "gates: {Tests: {run: x}}", `"Tests" is not a valid name`},
		{"dir leaves", "gates: {a: {run: x, dir: a/../../b}}", `leads out of the repository`},
		{"dir absolute", "gates: {a: {run: x, dir: /tmp}}", `is not a path inside the repository`},
		{"dir drive", `gates: {a: {run: x, dir: 'C:\x'}}`, `is not a path inside the repository`},
		{"variable name", "gates: {a: {run: x, env: {A-B: 1}}}", `gates.a.env: "A-B" is not a valid variable name`},
		{"glob", "protect: ['[']", `ralph.yaml:2:11: protect: "[" is not a valid glob`},
		{"nested list", "protect: [[a]]", `protect: a list does not fit here`},
		{"agent without use", "agents:\n  a: {run: x}", `ralph.yaml:3:3: agents.a: the kind of agent is missing`},
		{"agent unknown", "agents: {a: {use: clod}}", `"clod" is not a valid agent kind`},
		{"agent without run", "agents: {a: {use: command}}", `agents.a: the program is missing`},
		{"empty argv", "agents: {a: {use: command, run: []}}", `the list is empty; name the program first`},
		{"api without", "agents: {a: {use: api}}", `agents.a: the provider is missing`},
		{"api without model", "agents: {a: {use: api, provider: ollama}}", `agents.a: the model is missing`},
		{"api runs", "agents: {a: {use: api, run: x, provider: ollama, model: m}}", `agents.a.run: a provider's interface runs no command`},
		{"api with a key", "agents: {a: {use: api, provider: ollama, model: m, key_env: sk-0123}}", `this cannot be a variable's name`},
		{"api with a login", "agents: {a: {use: api, provider: ollama, model: m, base_url: 'http://u:p@h'}}", `an address must hold no login`},
		{"api nowhere", "agents: {a: {use: api, provider: ollama, model: m, base_url: 'ftp://h'}}", `is not an HTTP address`},
		{"others have no provider", "agents: {a: {use: claude, provider: ollama}}", `an agent of kind claude has no provider`},
		{"acp without", "agents: {a: {use: acp}}", `agents.a: the program is missing`},
		{"acp in a shell", "agents: {a: {use: acp, run: gemini --acp}}", `agents.a.run: the program must be a list of words`},
		{"claude in a shell", "agents: {a: {use: claude, run: sh ./fc.sh}}", `agents.a.run: the program must be one word, or a list of words; write run: [sh, ./fc.sh]`},
		{"human runs", "agents: {a: {use: human, run: x}}", `agents.a.run: a person runs no command`},
		{"command with a model", "agents: {a: {use: command, run: x, model: y}}", `agents.a.model: an agent of kind command has no model; delete the key, or use one of claude, codex, gemini, opencode, copilot, qwen`},
		{"command with permissions", "agents: {a: {use: command, run: x, permissions: skip}}", `agents.a.permissions: an agent of kind command has no permissions`},
		{"permissions", "agents: {claude: {permissions: all}}", `"all" is not a valid permission level; write one of: default, skip`},
		{"turns", "agents: {claude: {max_turns: 0}}", `0 is too small`},
		{"switch", "gates: {a: {run: x, optional: maybe}}", `"maybe" is neither on nor off`},
		{"twice", "project: a\nproject: b", `the key "project" was already given in line 2; keep one of them`},
		{"merge", "gates: {a: &a {run: x}, b: {<<: *a}}", `merging with << is not supported`},
		{"tag", "project: !!binary aGk=", `the tag "!!binary" is not supported`},
		{"custom tag", "project: !secret x", `the tag "!secret" is not supported`},
		{"NUL", `project: "a\0b"`, `bytes that are not text`},
		{"second document", "---\nversion: 1", `ralph.yaml:2:1: a second document starts here`},
		{"broken", "gates: [", `this is not valid YAML`},
		{"tab", "gates:\n\ttests: x", "ralph.yaml:3:1: a tab indents this line; indent with spaces; this is not valid YAML"},
		{"tab after a value", "gates:\n  a: x\n\tb: y", "ralph.yaml:4:1: a tab indents this line"},
		{"open quote", `project: "abc`, "ralph.yaml:2:10: the quote that begins here has no end; close it; this is not valid YAML"},
		{"open quote, and more", "project: 'abc\nlearn: off", "ralph.yaml:2:10: the quote that begins here has no end"},
		{"foreign", "event_loop: {}", `ralph.yaml:2:1: the key "event_loop" belongs to another runner; this looks like a file of ralph-orchestrator`},
		{"list key", "? [a]\n: b", `a list cannot be a key`},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, err := Resolve(project("version: 1\n" + row.text + "\n"))
			if err == nil {
				t.Fatal("accepted")
			}
			first, ok := errors.AsType[*Error](err)
			if !ok {
				t.Fatalf("%T holds no *Error", err)
			}
			if !strings.Contains(first.Error(), row.want) {
				t.Errorf("got  %s\nwant %s", first, row.want)
			}
			if first.Line == 0 || first.Column == 0 || first.Hint == "" {
				t.Errorf("no place or hint: %+v", first)
			}
		})
	}
}

func TestWholeFileRefused(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, text, want string }{
		{"no bytes", "", "ralph.yaml:1:1: the version is missing; start the file with `version: 1`"},
		{"comments only", "# hello\n", "the version is missing"},
		{"null", "~\n", "the version is missing"},
		{"no version", "project: x\n", "the version is missing"},
		{"version typo", "verison: 1\n", "the version is missing"},
		{"version 2", "version: 2\n", `ralph.yaml:1:10: version is "2"; this ralph reads version 1`},
		{"version text", "version: '1'\n", `leave the quotes out`},
		{"a list", "- version: 1\n", "a list does not fit here"},
		{"prose", "hello\n", "a single value does not fit here"},
		{"foreign without version", "cli: {}\nhats: {}\n", "ralph-orchestrator"},
		{"binary", "\x00\x01\x02\xff", "ralph.yaml"},
		{"too large", "version: 1\n" + strings.Repeat("# fill\n", 1<<18), "too many"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			_, err := Resolve(project(row.text))
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %v, want %s", err, row.want)
			}
		})
	}
}

func TestAllMistakesAtOnce(t *testing.T) {
	t.Parallel()
	_, err := Resolve(project("version: 1\nzzz: 1\nlimits: {max_iterations: 0, plateu: 2}\ngates: {a: {run: x, level: h}}\n"))
	errs, ok := errors.AsType[Errors](err)
	if !ok || len(errs) != 4 {
		t.Fatalf("got %v", err)
	}
	if errs[0].Line != 2 || errs[3].Line != 4 {
		t.Errorf("not in the order of places:\n%v", err)
	}
}

func TestForms(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"CRLF":    "version: 1\r\nproject: x\r\n",
		"BOM":     "\ufeffversion: 1\nproject: x\n",
		"UTF-16":  "\xff\xfev\x00e\x00r\x00s\x00i\x00o\x00n\x00:\x00 \x001\x00\n\x00p\x00r\x00o\x00j\x00e\x00c\x00t\x00:\x00 \x00x\x00",
		"JSON":    `{"version": 1, "project": "x"}`,
		"anchors": "version: 1\nproject: &p x\ngates: {tests: {run: *p}}\n",
		"marker":  "---\nversion: 1\nproject: x\n...\n",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := resolve(t, text).Settings.Project; got != "x" {
				t.Errorf("project = %q", got)
			}
		})
	}
}

// A switch and a choice read the same word alike, in quotes or not.
func TestQuotedWords(t *testing.T) {
	t.Parallel()
	for _, on := range []string{`on`, `"on"`, `'on'`} {
		set := resolve(t, "version: 1\nreview: {spec: "+on+", quality: "+on+"}\n").Settings.Review
		if set.Spec != "on" || !set.Quality.On() {
			t.Errorf("%s: spec %q, quality %q", on, set.Spec, set.Quality)
		}
	}
}

func TestAliasBombIsBounded(t *testing.T) {
	t.Parallel()
	bomb := func(agents int) error {
		var b strings.Builder
		b.WriteString("version: 1\nprotect: &l [" + strings.Repeat("a, ", 9_999) + "a]\nagents:\n")
		for i := range agents {
			b.WriteString("  a" + string(rune('a'+i)) + ": {use: command, run: *l}\n")
		}
		_, err := Resolve(project(b.String()))
		return err
	}
	if err := bomb(8); err != nil {
		t.Errorf("90,000 values: %v", err)
	}
	if err := bomb(9); err == nil || !strings.Contains(err.Error(), "more than 100000 values; use fewer aliases") {
		t.Errorf("100,000 values and more: %v", err)
	}
}

// TestDeepNesting: the parser gives up before the stack does.
func TestDeepNesting(t *testing.T) {
	t.Parallel()
	for _, text := range []string{strings.Repeat("[", 500_000), "version: 1\nproject: " + strings.Repeat("{a: ", 200_000)} {
		if _, err := Resolve(project(text)); err == nil {
			t.Error("accepted")
		}
	}
}

// A gate of any name whose command runs tests is judged by their results.
func TestKindByCommand(t *testing.T) {
	t.Parallel()
	file := &Source{Name: "ralph.yaml", Data: []byte("version: 1\ngates:\n  unit: {run: run-tests}\n  mine: {run: run-tests, kind: command}\n  build: {run: make}\n  tests: {run: other}\n")}
	r, err := Resolve(Sources{Project: file, Infer: func(run string) (loop.Kind, string) {
		if run == "run-tests" {
			return loop.KindTests, "auto"
		}
		return loop.KindCommand, ""
	}})
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, g := range r.Gates() {
		got[g.Name] = string(g.Kind) + " " + g.Parse
	}
	want := map[string]string{"unit": "tests auto", "mine": "command ", "build": "command ", "tests": "tests "}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}
