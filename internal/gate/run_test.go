package gate

import (
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/testing/runnable"
	"ralph/internal/testing/tier"
)

// place is a tree with files, and where a gate keeps its things.
type place struct {
	t    *testing.T
	tree string
	runs string
	n    int
}

func newPlace(t *testing.T, files map[string]string) *place {
	t.Helper()
	if runtime.GOOS == "windows" {
		tier.SkipLacking(t, "sh")
	}
	p := &place{t: t, tree: t.TempDir(), runs: t.TempDir()}
	for name, content := range files {
		p.write(name, content)
	}
	return p
}

func (p *place) write(name, content string) {
	p.t.Helper()
	file := filepath.Join(p.tree, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		p.t.Fatal(err)
	}
	if err := runnable.Write(file, content); err != nil {
		p.t.Fatal(err)
	}
}

func (p *place) request(g loop.Gate) Request {
	p.n++
	dir := filepath.Join(p.runs, string(rune('a'+p.n)))
	if g.Name == "" {
		g.Name = "g"
	}
	return Request{
		Gate: g, Tree: p.tree, Commit: "c0ffee", Where: "gate",
		RunDir: filepath.Join(dir, "run"), Run: "t1", LogFile: filepath.Join(dir, "gates", "g.log"),
		Env: []string{"PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME"), "GOCACHE=" + os.Getenv("GOCACHE")}, Grace: 200 * time.Millisecond,
	}
}

func (p *place) run(g loop.Gate) loop.Result {
	p.t.Helper()
	return p.do(p.request(g))
}

func (p *place) do(r Request) loop.Result {
	p.t.Helper()
	res, err := Run(p.t.Context(), r)
	if err != nil {
		p.t.Fatal(err)
	}
	checkResult(p.t, r, res)
	return res
}

// checkResult: what holds for every result.
func checkResult(t *testing.T, r Request, res loop.Result) {
	t.Helper()
	if res.Gate != r.Gate.Name || res.Kind != r.Gate.Kind || res.Commit != r.Commit || res.Where != r.Where || res.Reason == "" {
		t.Errorf("incomplete: %+v", res)
	}
	if (res.Fingerprint == "") != (res.Verdict == loop.Passed) {
		t.Errorf("%s with fingerprint %q", res.Verdict, res.Fingerprint)
	}
	if res.Verdict == loop.Passed && (res.TimedOut || res.CannotStart || res.Signal != "" || r.Gate.Run != "" && (res.ExitCode == nil || *res.ExitCode != 0)) {
		t.Errorf("passed: %+v", res)
	}
	if strings.Contains(res.Reason, "\n") || len(res.Missing) > 10 {
		t.Errorf("reason or missing: %+v", res)
	}
}

func want(t *testing.T, res loop.Result, v loop.Verdict, reason string) {
	t.Helper()
	if ok, err := regexp.MatchString("^(?:"+reason+")$", res.Reason); res.Verdict != v || err != nil || !ok {
		t.Errorf("got %s %q, want %s %q", res.Verdict, res.Reason, v, reason)
	}
}

func TestCommand(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		gate   loop.Gate
		want   loop.Verdict
		reason string
	}{
		"passes":                 {loop.Gate{Run: "true"}, loop.Passed, "exit code 0"},
		"fails":                  {loop.Gate{Run: "exit 3"}, loop.Failed, "exit code 3"},
		"no command":             {loop.Gate{}, loop.Error, "the gate has no command"},
		"unknown kind":           {loop.Gate{Kind: "magic", Run: "true"}, loop.Error, `unknown kind of gate "magic"`},
		"review is not ours":     {loop.Gate{Kind: loop.KindReview, Run: "true"}, loop.Error, `unknown kind of gate "review"`},
		"unknown parser":         {loop.Gate{Run: "true", Parse: "tarot"}, loop.Error, `unknown parser "tarot"`},
		"empty junit path":       {loop.Gate{Run: "true", Parse: "junit:"}, loop.Error, `unknown parser "junit:"`},
		"signal":                 {loop.Gate{Run: "kill -SEGV $$"}, loop.Failed, "ended by a signal: SIGSEGV"},
		"missing tool":           {loop.Gate{Run: "no-such-tool-x --all"}, loop.Error, "command not found: no-such-tool-x"},
		"missing script":         {loop.Gate{Run: "./none.sh"}, loop.Error, "command not found: ./none.sh"},
		"not executable":         {loop.Gate{Run: "./data/plain"}, loop.Error, "command cannot be executed: ./data/plain"},
		"optional missing":       {loop.Gate{Run: "no-such-tool-x", Optional: true}, loop.Skipped, "command not found: no-such-tool-x"},
		"optional, later":        {loop.Gate{Run: "true && no-such-tool-x", Optional: true}, loop.Skipped, "command not found: no-such-tool-x"},
		"optional fails":         {loop.Gate{Run: "exit 1", Optional: true}, loop.Failed, "exit code 1"},
		"optional, lying script": {loop.Gate{Run: "sh lie.sh", Optional: true}, loop.Error, "command not found: .*"},
		"optional, named lie":    {loop.Gate{Run: "sh lie-sh.sh", Optional: true}, loop.Error, "command not found: sh"},
		"optional, lost script":  {loop.Gate{Run: "./gone.sh", Optional: true}, loop.Error, "command not found: ./gone.sh"},
		"in a folder":            {loop.Gate{Run: "test -f plain && test $(basename $PWD) = data", Dir: "data"}, loop.Passed, "exit code 0"},
		"folder missing":         {loop.Gate{Run: "true", Dir: "nowhere"}, loop.Error, "cannot start: there is no folder nowhere in the tree"},
		"folder outside":         {loop.Gate{Run: "true", Dir: "../x"}, loop.Error, "cannot start: .*not inside the tree"},
		"environment":            {loop.Gate{Run: `test "$A" = "b c" && test -z "$SECRET" && test -n "$HOME"`, Env: map[string]string{"A": "b c"}}, loop.Passed, "exit code 0"},
		"no Python module":       {loop.Gate{Run: "PATH=$PWD/bin:$PATH; python3 -m pytest -q"}, loop.Error, "Python has no module pytest"},
		"an import fails":        {loop.Gate{Run: "PATH=$PWD/bin:$PATH; python3 -m other"}, loop.Failed, "exit code 1"},
		"words decide nothing":   {loop.Gate{Run: "echo ALL TESTS PASSED; echo DONE; exit 1"}, loop.Failed, "exit code 1"},
		"failed words neither":   {loop.Gate{Run: "echo '=== 3 failed in 0.1s ==='"}, loop.Passed, "exit code 0"},
		"lint":                   {loop.Gate{Kind: loop.KindLint, Run: "echo 'a.go:1:2: unused x'; exit 1"}, loop.Failed, "exit code 1"},
		"types":                  {loop.Gate{Kind: loop.KindTypes, Run: "true"}, loop.Passed, "exit code 0"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, map[string]string{
				"data/plain": "x", "lie.sh": "echo 'x: nothing-here: not found'; exit 127", "lie-sh.sh": "echo 'x: sh: not found'; exit 127",
				"bin/python3": "#!/bin/sh\necho /usr/bin/python3: No module named pytest; exit 1\n",
			})
			if err := errors.Join(os.Chmod(filepath.Join(p.tree, "data/plain"), 0o644), os.Chmod(filepath.Join(p.tree, "bin/python3"), 0o755)); err != nil {
				t.Fatal(err)
			}
			if c.gate.Kind == "" {
				c.gate.Kind = loop.KindCommand
			}
			want(t, p.run(c.gate), c.want, c.reason)
		})
	}
}

// TestKilled: a command that others killed has no result, also where its shell reports
// the end of the process; it has neither passed nor failed.
func TestKilled(t *testing.T) {
	t.Parallel()
	for _, run := range []string{"kill -9 $$", "kill $$", "sh -c 'kill -9 $$'; exit $?", "sh -c 'kill $$' || exit 143", "exit 137", "timeout -k 5 1h sh -c 'kill -9 $$'; exit 137"} {
		p := newPlace(t, nil)
		res, err := Run(t.Context(), p.request(loop.Gate{Kind: loop.KindCommand, Run: run}))
		if cause := proc.CauseOf(err); cause != loop.CauseSignal || res.Verdict != "" {
			t.Errorf("%s: %s, %q, %v", run, cause, res.Verdict, err)
		}
	}
}

func TestResultIsEvidence(t *testing.T) {
	t.Parallel()
	p := newPlace(t, nil)
	res := p.run(loop.Gate{Name: "build", Kind: loop.KindCommand, Level: loop.Soft, Run: "printf 'out\\n\\033[31mfatal error: cart.h: No such file or directory\\033[0m\\n' >&2; exit 2"})
	log, err := os.ReadFile(res.OutputFile)
	if err != nil || !strings.HasPrefix(string(log), "out\n\x1b[31mfatal") || res.OutputBytes != int64(len(log)) || len(res.OutputSHA256) != 64 {
		t.Errorf("log %q, %v, %+v", log, err, res)
	}
	if res.Excerpt != "out\nfatal error: cart.h: No such file or directory" || len(res.Missing) != 1 || res.Missing[0] != "cart.h" {
		t.Errorf("%q %q", res.Excerpt, res.Missing)
	}
	if res.Level != loop.Soft || res.Duration <= 0 || res.StartedAt.IsZero() || strings.Join(res.Argv[:2], " ") != "sh -c" || *res.ExitCode != 2 {
		t.Errorf("%+v", res)
	}
}

func TestDeadlines(t *testing.T) {
	t.Parallel()
	p := newPlace(t, nil)
	soft := make(chan struct{})
	r := p.request(loop.Gate{Kind: loop.KindTests, Parse: "auto", Run: "echo x >> ran; echo '1..1'; echo ok 1; sleep 60", Timeout: loop.Deadline{Hard: time.Hour}})
	r.Soft, r.Hard, r.OnSoft = 20*time.Millisecond, 2*time.Second, func() { close(soft) }
	res := p.do(r)
	want(t, res, loop.Failed, "timed out after 2s")
	if !res.TimedOut {
		t.Error("TimedOut is not set")
	}
	<-soft
	if ran, err := os.ReadFile(filepath.Join(p.tree, "ran")); err != nil || string(ran) != "x\n" {
		t.Errorf("the gate ran %q, %v", ran, err)
	}
}

func TestDeadlineIsTheShorter(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ gate, loop, want time.Duration }{{0, 0, 0}, {1, 0, 1}, {0, 2, 2}, {1, 2, 1}, {3, 2, 2}} {
		r := Request{Gate: loop.Gate{Timeout: loop.Deadline{Soft: c.gate, Hard: c.gate}}, Soft: c.loop, Hard: c.loop}
		if d := r.deadline(); d.Hard != c.want || d.Soft != c.want {
			t.Errorf("%+v: %v", c, d)
		}
	}
}

func TestStoppedHasNoResult(t *testing.T) {
	t.Parallel()
	p := newPlace(t, nil)
	cause := errors.New("enough")
	ctx, cancel := context.WithCancelCause(t.Context())
	r := p.request(loop.Gate{Kind: loop.KindCommand, Run: "sleep 60"})
	r.Soft, r.OnSoft = time.Millisecond, func() { cancel(cause) }
	if res, err := Run(ctx, r); !errors.Is(err, cause) || res.Verdict != "" {
		t.Errorf("cancelled: %+v, %v", res, err)
	}
	kill := make(chan struct{})
	r = p.request(loop.Gate{Kind: loop.KindCommand, Run: "sleep 60"})
	r.Kill, r.Soft, r.OnSoft = kill, time.Millisecond, func() { close(kill) }
	if res, err := Run(t.Context(), r); !errors.Is(err, errStopped) || res.Verdict != "" {
		t.Errorf("killed: %+v, %v", res, err)
	}
}

func TestLogThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	p := newPlace(t, map[string]string{"file": "x"})
	r := p.request(loop.Gate{Kind: loop.KindCommand, Run: "true"})
	r.LogFile = filepath.Join(p.tree, "file", "g.log")
	if _, err := Run(t.Context(), r); err == nil {
		t.Error("a result without a log")
	}
}

func TestHostileOutput(t *testing.T) {
	t.Parallel()
	p := newPlace(t, nil)
	res := p.run(loop.Gate{Kind: loop.KindTests, Parse: "auto", Run: "head -c 3000000 /dev/urandom; yes '' | head -c 200000; head -c 5000000 /dev/zero | tr '\\0' x; exit 1"})
	want(t, res, loop.Failed, "exit code 1")
	if res.OutputBytes != 8_200_000 || len(res.Excerpt) > 100_000 {
		t.Errorf("%d bytes, excerpt of %d", res.OutputBytes, len(res.Excerpt))
	}
	res = p.run(loop.Gate{Kind: loop.KindCommand, Run: "exit 1"})
	if res.Excerpt != "" || res.Fingerprint == "" {
		t.Errorf("no output: %+v", res)
	}
}

func TestFingerprintsSurviveTheTree(t *testing.T) {
	t.Parallel()
	one := func(message string) loop.Result {
		p := newPlace(t, nil)
		return p.run(loop.Gate{Kind: loop.KindCommand, Run: `echo "$PWD/src/a.py:$$: error: ` + message + ` (pid $$) $(mktemp -u)"; exit 1`})
	}
	a, b, c := one("boom"), one("boom"), one("bang")
	if a.Fingerprint != b.Fingerprint || a.Fingerprint == c.Fingerprint {
		t.Errorf("%s %s %s\n%s\n%s", a.Fingerprint, b.Fingerprint, c.Fingerprint, a.Excerpt, b.Excerpt)
	}
}

func TestFingerprintsSurviveTheTemporaryFolder(t *testing.T) {
	t.Parallel()
	one := func(temp string) string {
		p := newPlace(t, nil)
		r := p.request(loop.Gate{Kind: loop.KindCommand, Run: `echo "error: cannot read $TMPDIR/out"; exit 1`})
		r.Env = append(r.Env, "TMPDIR="+temp)
		return p.do(r).Fingerprint
	}
	if one("/scratch/ralph-run-7-1607462314") != one("/scratch/ralph-run-29132-3607462314") {
		t.Error("the folder matters")
	}
}

func TestCoverageGate(t *testing.T) {
	t.Parallel()
	lcov := func(hit int) string {
		return "printf 'SF:a\\nLF:100\\nLH:" + map[int]string{0: "0", 71: "71", 80: "80"}[hit] + "\\nend_of_record\\n' > lcov.info"
	}
	on := func(run string, report string, floor *float64) loop.Gate {
		return loop.Gate{Kind: loop.KindCoverage, Run: run, Report: report, Threshold: floor}
	}
	base := func(v float64) *loop.Result { return &loop.Result{Value: &v} }
	for name, c := range map[string]struct {
		gate     loop.Gate
		files    map[string]string
		old      bool
		base     bool
		baseline *loop.Result
		want     loop.Verdict
		reason   string
		value    float64
	}{
		"enough":               {gate: on(lcov(80), "lcov.info", new(80.0)), want: loop.Passed, reason: "coverage 80 % >= 80 %", value: 80},
		"too little":           {gate: on(lcov(71), "lcov.info", new(80.0)), want: loop.Failed, reason: "coverage 71 % < 80 %", value: 71},
		"found by itself":      {gate: on(lcov(71), "", new(80.0)), want: loop.Failed, reason: "coverage 71 % < 80 %", value: 71},
		"printed":              {gate: on(`printf 'ok  \tp\t0.1s\tcoverage: 71.2%% of statements\n'`, "", new(80.0)), want: loop.Failed, reason: "coverage 71.2 % < 80 %", value: 71.2},
		"nothing printed":      {gate: on("true", "", new(80.0)), want: loop.Error, reason: "no coverage in the output .* and no fresh report"},
		"floor 0":              {gate: on(lcov(0), "lcov.info", new(0.0)), want: loop.Passed, reason: "coverage 0 % >= 0 %"},
		"no floor":             {gate: on(lcov(71), "lcov.info", nil), want: loop.Passed, reason: "coverage 71 %", value: 71},
		"no floor, no report":  {gate: on("true", "lcov.info", nil), want: loop.Error, reason: "report lcov.info was not written"},
		"NaN floor":            {gate: on(lcov(71), "lcov.info", new(math.NaN())), want: loop.Error, reason: "the threshold NaN is not between 0 and 100", value: 71},
		"floor above 100":      {gate: on(lcov(71), "lcov.info", new(101.0)), want: loop.Error, reason: "the threshold 101 is not between 0 and 100", value: 71},
		"exit code":            {gate: on(lcov(80)+"; exit 1", "lcov.info", new(50.0)), want: loop.Failed, reason: `exit code 1 \(coverage 80 %\)`, value: 80},
		"failed tests":         {gate: on(lcov(80)+"; echo '= 1 failed, 3 passed in 0.1s ='; exit 1", "lcov.info", new(50.0)), want: loop.Failed, reason: `1 of 4 tests failed \(coverage 80 %\)`, value: 80},
		"stale":                {gate: on("true", "lcov.info", new(50.0)), files: map[string]string{"lcov.info": "SF:a\nLF:1\nLH:1\nend_of_record\n"}, old: true, want: loop.Error, reason: "report lcov.info is older than the gate's start"},
		"just committed":       {gate: on("true", "lcov.info", new(50.0)), files: map[string]string{"lcov.info": "SF:a\nLF:1\nLH:1\nend_of_record\n"}, want: loop.Error, reason: "report lcov.info was there before and was not written again"},
		"copied with its time": {gate: on("cp -p old lcov.info", "lcov.info", new(50.0)), files: map[string]string{"old": "SF:a\nLF:1\nLH:1\nend_of_record\n"}, old: true, want: loop.Error, reason: "report lcov.info is older than the gate's start"},
		"written again":        {gate: on(lcov(80), "lcov.info", new(50.0)), files: map[string]string{"lcov.info": "SF:a\nLF:100\nLH:80\nend_of_record\n"}, old: true, want: loop.Passed, reason: "coverage 80 % >= 50 %", value: 80},
		"stale one found":      {gate: on("true", "", new(50.0)), files: map[string]string{"coverage.out": "mode: set\n"}, old: true, want: loop.Error, reason: "no coverage.*; coverage.out is older than the gate's start"},
		"unparsable":           {gate: on("echo hello > lcov.info", "lcov.info", new(50.0)), want: loop.Error, reason: "report lcov.info: no known coverage format"},
		"NaN":                  {gate: on(`echo '<coverage line-rate="NaN"/>' > c.xml`, "c.xml", new(0.0)), want: loop.Error, reason: "report c.xml: .*"},
		"a folder":             {gate: on("mkdir lcov.info", "lcov.info", new(0.0)), want: loop.Error, reason: "report lcov.info cannot be read: it is not a regular file"},
		"a pipe":               {gate: on("mkfifo lcov.info", "lcov.info", new(0.0)), want: loop.Error, reason: "report lcov.info cannot be read: it is not a regular file"},
		"a link out":           {gate: on("ln -s /etc/passwd lcov.info", "lcov.info", new(0.0)), want: loop.Error, reason: "report lcov.info cannot be read: .*"},
		"outside":              {gate: on("true", "../lcov.info", new(0.0)), want: loop.Error, reason: "report .*is not inside the tree"},
		"base":                 {gate: loop.Gate{Kind: loop.KindCoverage, Run: lcov(71), Baseline: true}, base: true, want: loop.Passed, reason: "coverage 71 %", value: 71},
		"baseline reached":     {gate: loop.Gate{Kind: loop.KindCoverage, Run: lcov(71), Baseline: true}, baseline: base(71 + 1e-9), want: loop.Passed, reason: "coverage 71 % >= 71 %", value: 71},
		"baseline missed":      {gate: loop.Gate{Kind: loop.KindCoverage, Run: lcov(71), Baseline: true}, baseline: base(71.01), want: loop.Failed, reason: "coverage 71 % < 71.01 %", value: 71},
		"baseline unknown":     {gate: loop.Gate{Kind: loop.KindCoverage, Run: lcov(71), Baseline: true}, want: loop.Error, reason: "the coverage of the base is not known.*", value: 71},
		"baseline had none":    {gate: loop.Gate{Kind: loop.KindCoverage, Run: lcov(71), Baseline: true}, baseline: &loop.Result{}, want: loop.Error, reason: "the coverage of the base is not known.*", value: 71},
		"both floors":          {gate: loop.Gate{Kind: loop.KindCoverage, Run: lcov(71), Baseline: true, Threshold: new(60.0)}, baseline: base(75), want: loop.Failed, reason: "coverage 71 % < 75 %", value: 71},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlace(t, c.files)
			if c.old {
				for f := range c.files {
					past := time.Now().Add(-time.Hour)
					if err := os.Chtimes(filepath.Join(p.tree, f), past, past); err != nil {
						t.Fatal(err)
					}
				}
			}
			r := p.request(c.gate)
			r.Base, r.Baseline = c.base, c.baseline
			res := p.do(r)
			want(t, res, c.want, c.reason)
			if v := res.Value; (v == nil) != (c.value == 0 && name != "floor 0") || v != nil && math.Abs(*v-c.value) > 1e-9 {
				t.Errorf("value %v, want %v", v, c.value)
			}
		})
	}
}
