package loop

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// disputing is a world whose agent raises a dispute in its first runs.
func disputing(t *testing.T, runs int, change func(*Spec), files ...string) *world {
	w := newWorld(t, change)
	n := 0
	w.agent = func(Action) Outcome {
		if n++; n > runs {
			return Outcome{End: EndDone}
		}
		return Outcome{End: EndDone, Dispute: &Dispute{Gate: "tests", Why: "it wants 3, the task says 4", Files: files}}
	}
	return w
}

func (w *world) untilHuman() {
	w.t.Helper()
	for w.s.Status != Waiting || w.s.Reason != ForHuman {
		if !w.turn() {
			w.t.Fatalf("stands in %s/%s", w.s.Status, w.s.Step)
		}
	}
}

// TestDisputeUpheld: the files that a dispute names may change from then on, and no
// attempt is used.
func TestDisputeUpheld(t *testing.T) {
	t.Parallel()
	w := disputing(t, 1, nil, "price_test.go")
	w.untilHuman()
	if q := w.s.Open(); q == nil || !strings.Contains(q.Text, "it wants 3") || !strings.Contains(q.Text, "price_test.go") || w.s.Iteration != 1 {
		t.Fatalf("%+v", q)
	}
	w.refuses(Answered{Stamp: w.stamp(), Text: "maybe", By: "ann"})
	w.refuses(Answered{Stamp: w.stamp(), Text: SayUphold, By: ByPolicy})
	w.do(Answered{Stamp: w.stamp(), Text: "Uphold", By: "ann"})
	s := w.ends(StatusPassed, Green, 1)
	if d := cmp.Diff([]string{"price_test.go"}, s.MayChange); d != "" || s.Disputes[0].Ruling != Upheld || s.Disputes[0].By != "ann" {
		t.Errorf("%s%+v", d, s.Disputes)
	}
}

// TestDisputeOnTheBase: where no work was judged, the question names what fails on the base, as it
// names later what fails on the work.
func TestDisputeOnTheBase(t *testing.T) {
	t.Parallel()
	red := func(name string) Result {
		r := failing(name)
		r.Reason, r.Tests = "1 of 4 tests failing", &Tests{Run: 4, Failed: 1, Failing: []string{name}}
		return r
	}
	w := disputing(t, 2, nil)
	w.gate = onBase(red("TestTotal"), red("TestTax"))
	w.untilHuman()
	if want := "The gate, on the base, without its work: 1 of 4 tests failing\nFailing: TestTotal\n"; !strings.Contains(w.s.Open().Text, want) {
		t.Errorf("on the base: %s", w.s.Open().Text)
	}
	hidden := w.s.BaseResults[0]
	hidden.Hidden = true
	concealed := State{BaseResults: []Result{hidden}}
	if got := concealed.lastFailure("tests"); strings.Contains(got, "TestTotal") {
		t.Errorf("of a hidden gate: %s", got)
	}
	tax := red("TestTax")
	tax.Gate = "tests"
	judged := State{BaseResults: w.s.BaseResults, Recent: []Attempt{{N: 1, Results: []Result{tax}}}}
	if got := judged.lastFailure("tests"); got != "The gate: 1 of 4 tests failing\nFailing: TestTax\n" {
		t.Errorf("on the work: %s", got)
	}
	green := State{BaseResults: []Result{passing()}}
	if got := green.lastFailure("tests"); got != "" {
		t.Errorf("green on the base: %s", got)
	}
}

// TestDisputeAskedAgain: the same argument a second time says so, with the first answer.
func TestDisputeAskedAgain(t *testing.T) {
	t.Parallel()
	w := disputing(t, 2, nil, "price_test.go")
	w.untilHuman()
	if strings.Contains(w.s.Open().Text, "again") {
		t.Error(w.s.Open().Text)
	}
	w.do(Answered{Stamp: w.stamp(), Text: "uphold tests/**", By: "ann"})
	w.untilHuman()
	if first, _, _ := strings.Cut(w.s.Open().Text, "\n"); first != `The agent disputes gate tests again (asked 2 times; the last answer was "uphold tests/**"): it wants 3, the task says 4` {
		t.Error(first)
	}
}

// TestDisputesForgeNoLine: an agent's argument adds no line to the question that ralph could
// have written, and no option has one.
func TestDisputesForgeNoLine(t *testing.T) {
	t.Parallel()
	for _, end := range []string{"\n", "\r", "\r\n", "\u2028", "\u2029", "\v", "\f", "\u0085"} {
		w := newWorld(t, nil)
		w.agent = func(Action) Outcome {
			return Outcome{End: EndDone, Dispute: &Dispute{Gate: "tests", Why: "it wants 3" + end + "uphold: the work may change README.md", Files: []string{"a_test.go"}}}
		}
		w.untilHuman()
		lines := linesOf(w.s.Open().Text)
		for i, l := range lines {
			if strings.HasPrefix(l, SayUphold+": the work may change README") {
				t.Errorf("%q: line %d is forged: %q", end, i+1, l)
			}
		}
		if !strings.Contains(w.s.Open().Text, "\n> uphold: the work may change README.md\n") {
			t.Errorf("%q: the argument is not quoted: %s", end, w.s.Open().Text)
		}
	}
	w := newWorld(t, nil)
	w.agent = func(Action) Outcome {
		return Outcome{End: EndAsked, Question: &Question{Text: "which?", Options: []string{"a\nnext: ralph accept x --yes"}, Default: "a\nnext: ralph accept x --yes"}}
	}
	w.untilHuman()
	if q := w.s.Open(); q.Options[0] != "a next: ralph accept x --yes" || q.Default != q.Options[0] {
		t.Errorf("%q, default %q", q.Options, q.Default)
	}
}

// TestUpholdOtherFiles: a person permits what the dispute did not name.
func TestUpholdOtherFiles(t *testing.T) {
	t.Parallel()
	w := disputing(t, 1, nil)
	w.untilHuman()
	if q := w.s.Open(); !strings.Contains(q.Text, "uphold GLOB…") {
		t.Error(q.Text)
	}
	w.refuses(Answered{Stamp: w.stamp(), Text: "uphold", By: "ann"})
	w.do(Answered{Stamp: w.stamp(), Text: "uphold a_test.go tests/**", By: "ann"})
	if d := cmp.Diff([]string{"a_test.go", "tests/**"}, w.s.MayChange); d != "" {
		t.Error(d)
	}
}

// TestDisputeOfSetAside: a dispute that names no files is about those that the verdict
// set aside.
func TestDisputeOfSetAside(t *testing.T) {
	t.Parallel()
	w := disputing(t, 1, nil)
	gate := w.s.Gates[0].Name
	s := w.s.clone()
	s.Tally = &Tally{Results: []Result{{Gate: gate, Judging: &Judging{SetAside: []string{"a_test.go", "b_test.go"}}}}}
	d := Dispute{Gate: gate, Why: "w"}
	d.Files = s.disputedFiles(d)
	if diff := cmp.Diff([]string{"a_test.go", "b_test.go"}, d.Files); diff != "" || !strings.Contains(s.disputed(d), "may change a_test.go, b_test.go from now on.") {
		t.Error(diff, s.disputed(d))
	}
}

// TestDisputesAreBounded: the third is refused with words, and the attempt is judged.
func TestDisputesAreBounded(t *testing.T) {
	t.Parallel()
	w := disputing(t, 3, nil)
	for range MaxDisputes {
		w.untilHuman()
		w.do(Answered{Stamp: w.stamp(), Text: SayDismiss, By: "ann"})
	}
	s := w.ends(StatusPassed, Green, 1)
	if len(s.Disputes) != 3 || s.Disputes[1].Ruling != Dismissed || s.Disputes[2].Ruling != Unheard || len(s.MayChange) != 0 {
		t.Errorf("%+v", s.Disputes)
	}
	if notes := strings.Join(s.Last().Notes, "\n"); !strings.Contains(notes, "may raise 2 disputes") {
		t.Errorf("notes: %q", notes)
	}
}

// TestDisputePolicy: where no person will come, a dispute is dismissed at once.
func TestDisputePolicy(t *testing.T) {
	t.Parallel()
	s := disputing(t, 1, func(s *Spec) { s.DisputePolicy = DisputesDismiss }).ends(StatusPassed, Green, 1)
	if d := s.Disputes[0]; d.Ruling != Dismissed || d.By != ByPolicy || len(s.MayChange) != 0 {
		t.Errorf("%+v", d)
	}
}

// TestDisputeDuringRun: one that is raised by a command ends the run all the same,
// also where the person answers before the agent stops.
func TestDisputeDuringRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, nil)
	for w.s.Step != StepAgent || w.s.Status != Running {
		w.turn()
	}
	dispute := Asked{Question: Question{Dispute: &Dispute{Gate: "tests", Why: "contradicts"}}}
	refused := dispute
	refused.Stamp = w.stamp()
	w.refuses(refused) // no agent is at work
	w.do(AttemptBegan{Stamp: w.stamp()})
	dispute.Stamp = w.stamp()
	w.do(dispute)
	w.do(Answered{Stamp: w.stamp(), Text: SayDismiss})
	w.do(AgentEnded{Stamp: w.stamp(), Outcome: Outcome{End: EndDone}})
	if w.s.Step != StepAgent || w.s.Status != Running || Next(w.s).Attempt != 1 {
		t.Fatalf("%s/%s attempt %d", w.s.Status, w.s.Step, Next(w.s).Attempt)
	}
	w.ends(StatusPassed, Green, 1)
}

// TestCheckDispute refuses what a person could not judge.
func TestCheckDispute(t *testing.T) {
	t.Parallel()
	s := newWorld(t, func(s *Spec) { s.Gates = append(s.Gates, Gate{Name: "lint", Level: Soft}) }).s
	for _, d := range []Dispute{
		{Gate: "nosuch", Why: "x"},
		{Gate: "lint", Why: "x"},
		{Gate: "tests", Why: " "},
		{Gate: "tests", Why: "x", Files: []string{"**"}},
		{Gate: "tests", Why: "x", Files: []string{"/etc/x"}},
		{Gate: "tests", Why: "x", Files: []string{"../x"}},
		{Gate: "tests", Why: "x", Files: []string{"a\nb"}},
	} {
		if s.CheckDispute(d) == nil {
			t.Errorf("%+v was taken", d)
		}
	}
	if err := s.CheckDispute(Dispute{Gate: "tests", Why: "x", Files: []string{"a/b_test.go"}}); err != nil {
		t.Error(err)
	}
}

// TestDisputeIn: only the last line of a final message raises a dispute.
func TestDisputeIn(t *testing.T) {
	t.Parallel()
	s := newWorld(t, nil).s
	for text, want := range map[string]string{
		"I looked.\n\nRALPH-DISPUTE: tests: it wants 3\n": "it wants 3",
		"RALPH-DISPUTE: tests: x\nand more":               "",
		"the file says RALPH-DISPUTE: tests: x":           "",
		"RALPH-DISPUTE: nosuch: x":                        "",
		"RALPH-DISPUTE: tests:":                           "",
		"RALPH-DISPUTE: testsuite: x":                     "",
		"":                                                "",
	} {
		got := ""
		if d := s.DisputeIn(text); d != nil {
			got = d.Why
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
