package view

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"

	"github.com/google/go-cmp/cmp"
)

func keysOf(t *testing.T, v any) []string {
	t.Helper()
	b, err := Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// TestFormatsAreStable: fields may be added here, never removed or renamed.
func TestFormatsAreStable(t *testing.T) {
	t.Parallel()
	empty := loop.State{Spec: loop.Spec{Gates: []loop.Gate{{Name: "g"}}}}
	for name, c := range map[string]struct {
		v    any
		want string
	}{
		"ralph.loop/v1": {LoopOf(Item{empty, Facts{}}, now).Object(), "accepted active_ms agent archived attempts attempts_made base branch budgets commit communication_paths cost_unknown disputes ended_at evidence_file failure_ref fingerprints forced_over gates group iteration limit_wait_ms live look loop_id max_iterations message mode next overlaps owner parent project proof question reason rescue schema scope spent started_at status step task task_id usage wake_at worktree"},
		"gate":          {LoopOf(Item{empty, Facts{}}, now).Object().Gates[0], "attempt canary canary_why commit counted_files duration_ms exit_code fingerprint flaky hidden kind level lost name output_file output_sha256 reason room sandbox status tests threshold timed_out value weak"},
		"attempt":       {AttemptObject{}, "agent agent_end agent_run approach changed commit cost_unknown ended_at error failed_gate files fingerprint interruptions n notes runs started_at usage verdict"},
		"agent run":     {AgentRun{}, "context_used context_window denials message model permissions sandbox session tested unknown_lines untested usage version"},
		"usage":         {loop.Usage{}, "cache_read_tokens cache_write_tokens cost_micro_usd input_tokens output_tokens tool_calls turns"},
		"checkpoint/v1": {CheckpointsOf("", []loop.Checkpoint{{}}).Checkpoints[0], "at commit iteration loop_id n schema seq status"},
		"rescue":        {RecoveryObject{}, "last_at left next_at tries why"},
		"status/v1":     {ListOf(nil, nil, now), "counts loops more plans schema"},
		"report/v1":     {Summarize("", nil, nil, now), "accepted agents completed counts disputes ended_at failed iterations learned look_twice loops moments moments_left_out more needs_you plans project ready running schema scripted spent started_at title total waiting"},
		"failed task":   {FailedTask{}, "agent attempts branch cost error fingerprint last_gate loop_id max_attempts next plan_id quality_warnings reason status stuck stuck_why task task_id"},
	} {
		if diff := cmp.Diff(strings.Fields(c.want), keysOf(t, c.v)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func TestStatusIsCrashedOnlyWhileRunning(t *testing.T) {
	t.Parallel()
	for _, i := range everyItem() {
		got := Status(i.State, Facts{Crashed: true})
		if want := i.State.Status == loop.Running; (got == Crashed) != want {
			t.Errorf("%s: %s shown as %s", i.State.ID, i.State.Status, got)
		}
	}
}

// TestSectionsAndStoryAreWhatIsPrinted: faces with a screen of their own say
// what the lists and the story of a loop say, in the same order.
func TestSectionsAndStoryAreWhatIsPrinted(t *testing.T) {
	t.Parallel()
	var titles []string
	rest := List(everyItem(), nil, "", true, 0, now, Palette{})
	next := func(words string) {
		t.Helper()
		_, after, found := strings.Cut(rest, words)
		if !found {
			t.Fatalf("%q does not follow in\n%s", words, rest)
		}
		rest = after
	}
	for _, s := range Sections(loopRuns(everyItem(), now)) {
		titles = append(titles, s.Title)
		if s.NeedsYou != (s.Title == "NEEDS YOU") {
			t.Errorf("%s: needs you is %v", s.Title, s.NeedsYou)
		}
		next(s.Title)
		for _, run := range s.Runs {
			r := run.Row(now, Palette{})
			for _, words := range []string{r.Status, r.ID, r.Progress, r.Age, strings.Fields(r.Details[0])[0], r.Next} {
				next(words)
			}
		}
	}
	if diff := cmp.Diff([]string{"NEEDS YOU", "READY TO ACCEPT", "RUNNING", "WAITING", "ENDED"}, titles); diff != "" {
		t.Error(diff)
	}
	for _, i := range everyItem() {
		rest = LoopOf(Item{i.State, i.Facts}, now).Show(now, Palette{})
		for _, part := range LoopOf(Item{i.State, i.Facts}, now).Story(now, Palette{}) {
			if part.Title != Known {
				next(part.Title)
			}
			next(part.Text)
		}
		if strings.TrimSpace(rest) != "" {
			t.Errorf("%s: the story leaves out %q", i.State.ID, rest)
		}
	}
}

func TestEveryStopHasANextCommand(t *testing.T) {
	t.Parallel()
	for status, reasons := range loop.Reasons() {
		for _, r := range reasons {
			s := started("id-1", "t", now)
			s.Status, s.Reason = status, r
			if next := (Item{State: s}).next(); !strings.HasPrefix(next, "ralph ") {
				t.Errorf("%s/%s: next is %q", status, r, next)
			}
		}
	}
	if paused().next() == "" || crashed().next() != "ralph resume ralph-order-totals-3" {
		t.Error("paused or crashed without a command")
	}
}

func TestAlreadyGreenCanBeForcedByCopying(t *testing.T) {
	t.Parallel()
	s := alreadyGreen().State
	s.Gates = s.Gates[:1]
	s.Task.Text = "it's $(here)"
	if got, want := (Item{State: s}).next(), `ralph run 'it'\''s $(here)' --until 'go test ./...' --force`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	s.Task.Text = "two\nlines"
	if got := (Item{State: s}).next(); !strings.HasPrefix(got, `ralph run "…" --until 'go`) {
		t.Error(got)
	}
}

func TestNumbersThatJSONLacks(t *testing.T) {
	t.Parallel()
	i := exhausted()
	i.State.Recent[1].Results[1].Value = new(math.NaN())
	i.State.Recent[1].Results[1].Threshold = new(math.Inf(1))
	if _, err := Encode(LoopOf(Item{i.State, i.Facts}, now).Object()); err != nil {
		t.Fatal(err)
	}
	if text := LoopOf(Item{i.State, i.Facts}, now).Show(now, Palette{}); strings.Contains(text, "NaN") {
		t.Error("NaN is shown")
	}
}

func TestMoneyAndTokens(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		u            loop.Usage
		cost, tokens string
	}{
		{loop.Usage{}, "n/a", "n/a"},
		{loop.Usage{CostMicroUSD: new(int64(0)), CostSource: "reported", InputTokens: new(int64(0))}, "$0.00 (reported)", "0"},
		{loop.Usage{CostMicroUSD: new(int64(14_204_000)), CostSource: "estimated", OutputTokens: new(int64(1999))}, "$14.20 (est.)", "1.9k"},
		{loop.Usage{CostMicroUSD: new(int64(1)), CacheReadTokens: new(int64(2_600_000))}, "$0.000001 (source unknown)", "2.6M"},
	} {
		if cost(c.u) != c.cost || tokens(c.u) != c.tokens {
			t.Errorf("got %s and %s, want %s and %s", cost(c.u), tokens(c.u), c.cost, c.tokens)
		}
	}
}

// TestWhoDidNotWorkCostsNothing: a loop that was green before any work, or never
// began, has no row among what agents have cost; one that began has.
func TestWhoDidNotWorkCostsNothing(t *testing.T) {
	t.Parallel()
	idle := Item{State: loop.New(spec("idle", "t"), now)}
	if r := Summarize("", []Item{idle}, nil, now); len(r.Agents) != 0 {
		t.Errorf("%+v", r.Agents)
	}
	busy := idle
	busy.State.Iteration = 1
	if r := Summarize("", []Item{idle, busy}, nil, now); len(r.Agents) != 1 || r.Agents[0].Iterations != 1 {
		t.Errorf("%+v", r.Agents)
	}
}

func TestDurationAndAge(t *testing.T) {
	t.Parallel()
	for d, want := range map[time.Duration]string{
		-1: "0.0s", 0: "0.0s", 60 * time.Millisecond: "0.0s", 9990 * time.Millisecond: "9.9s", 41 * time.Second: "41s",
		192 * time.Second: "3m12s", 64 * time.Minute: "1h04m", 51 * time.Hour: "2d03h",
	} {
		if got := text.Duration(d); got != want {
			t.Errorf("text.Duration(%d) = %s, want %s", d, got, want)
		}
	}
	for d, want := range map[time.Duration]string{-5: "0s", 59 * time.Second: "59s", 47 * time.Hour: "47h", 48 * time.Hour: "2d"} {
		if got := text.Age(now.Add(-d), now); got != want {
			t.Errorf("text.Age(%s) = %s, want %s", d, got, want)
		}
	}
}

func TestClip(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in   string
		n    int
		want string
	}{
		{"", 5, ""}, {"abcde", 5, "abcde"}, {"abcdef", 5, "abcd…"}, {"漢字漢", 5, "漢字…"}, {"ab   cd", 5, "ab cd"}, {"ab cdef", 4, "ab…"},
	} {
		if got := text.Clip(c.in, c.n); got != c.want || text.Width(got) > c.n {
			t.Errorf("text.Clip(%q, %d) = %q", c.in, c.n, got)
		}
	}
}

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		in       string
		n, lines int
		want     []string
	}{
		{"", 5, 3, []string{""}},
		{"ab cd ef", 5, 3, []string{"ab cd", "ef"}},
		{"abcdefgh", 3, 2, []string{"abc", "de…"}},
		{"漢字漢", 1, 2, []string{"漢", "…"}},
	} {
		if diff := cmp.Diff(c.want, text.Wrap(c.in, c.n, c.lines)); diff != "" {
			t.Errorf("text.Wrap(%q, %d, %d): %s", c.in, c.n, c.lines, diff)
		}
	}
}

func TestTellingBeginsAtTheError(t *testing.T) {
	t.Parallel()
	r := loop.Result{Excerpt: strings.Repeat("ok\n\n", 50) + "\tError: boom\r\n-----\n  at x\n"}
	if diff := cmp.Diff([]string{"    Error: boom", "  at x"}, telling(r)); diff != "" {
		t.Error(diff)
	}
	r.Excerpt = strings.Repeat("test_fails (t.T.test_fails) ... ok\n", 9) + "test_x (t.T.test_x) ... FAIL\n\n====\nFAIL: test_x (t.T.test_x)\n----\nTraceback (most recent call last):\n  File \"t.py\", line 4, in test_x\n    self.assertEqual(3, 4)\nAssertionError: 3 != 4\n"
	if got := telling(r); got[0] != "FAIL: test_x (t.T.test_x)" || got[len(got)-1] != "AssertionError: 3 != 4" {
		t.Error(got)
	}
	r.Excerpt = "1\n2\n3\n4\n5\n6\n7\n8\n"
	if got := telling(r); len(got) != mostTelling || got[5] != "8" {
		t.Error(got)
	}
	if got := telling(loop.Result{}); len(got) != 0 {
		t.Error(got)
	}
}

func TestStuckWords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		s    loop.State
		want bool
		why  string
	}{
		"stuck":     {stuckLoop().State, true, "same error 5×, strategy shift failed"},
		"exhausted": {exhausted().State, false, "last error seen 1×"},
		"no work":   {timedOut().State, false, "no gate failed twice alike"},
	} {
		if got, why := stuck(c.s, c.s.Recent); got != c.want || why != c.why {
			t.Errorf("%s: %v, %q", name, got, why)
		}
	}
	s := stuckLoop().State
	for n := range s.Recent {
		s.Recent[n].Results[0].Tests = &loop.Tests{Run: 118, Failed: 9 - n}
	}
	if got := streak(s); got != 1 {
		t.Errorf("fewer failing tests are progress: streak %d", got)
	}
}

// TestObjectsAreReadBack: programs of our own read what is written.
func TestObjectsAreReadBack(t *testing.T) {
	t.Parallel()
	for _, i := range everyItem() {
		o := LoopOf(i, now).Object()
		var back Object
		if err := json.Unmarshal([]byte(encode(t, o)), &back); err != nil || back.Group != o.Group {
			t.Errorf("%s: group %v, %v", o.LoopID, back.Group, err)
		}
	}
	var g Group
	if err := json.Unmarshal([]byte(`"nothing"`), &g); err == nil {
		t.Error("an unknown group is read")
	}
}
