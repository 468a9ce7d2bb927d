package loop

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// mostState is the promise of the package: a state takes no more bytes, whatever
// number of attempts a loop makes. Workflows hold it.
const mostState = 256 << 10

func bytesOf(t testing.TB, v any) int {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return len(data)
}

// TestAStateHasAMaximum: two thousand attempts, each with questions and guidance,
// whose agents and gates print as much as they can.
func TestAStateHasAMaximum(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, line               string
		gates, attempts, plateau int
	}{
		{"many attempts", "the output of a test", 1, 2000, 0},
		{"no plateau in thousands of attempts", "the output of a test", 1, 2500, 1 << 20},
		{"long output", strings.Repeat("the output of a test ", 400), 2, 30, 0},
		{"many gates", strings.Repeat("the output of a test ", 40), 24, 30, 0},
		{"escaped output", strings.Repeat("<\x01é&\xff", 1000), 3, 30, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text := strings.Repeat(c.line+"\n", 10)
			w := newWorld(t, func(s *Spec) {
				s.Limits.MaxIterations, s.Limits.StuckAfter, s.Limits.NoChange, s.Limits.Plateau = c.attempts+1, 5000, 0, c.plateau
				s.Limits.Loop, s.Limits.Session, s.Limits.BackOff = Deadline{}, Deadline{}, 0
				for i := range c.gates - 1 {
					s.Gates = append(s.Gates, Gate{Name: fmt.Sprint("gate", i), Kind: KindTests, Level: Hard})
				}
			})
			asked := map[int]bool{}
			w.agent = func(a Action) Outcome {
				if a.Attempt%3 == 0 && !asked[a.Attempt] {
					asked[a.Attempt] = true
					return Outcome{End: EndAsked, Model: fmt.Sprint("model", a.Attempt), Question: &Question{Text: text, Options: []string{"yes", "no"}}}
				}
				return Outcome{End: EndDone, Message: text, Model: fmt.Sprint("model", a.Attempt), Usage: Usage{Turns: new(int64(1))}}
			}
			files := strings.Fields(strings.Repeat("internal/a/long/path/to/some/file.go ", 1000))
			w.commit = func(n int) Committed {
				return Committed{Commit: fmt.Sprintf("c%d", n), Changed: true, Differs: true, Files: files, Notes: []string{text}}
			}
			w.gate = func(a Action) Result {
				failing := strings.Fields(strings.Repeat("package/TestWithALongName ", 50))
				return Result{
					Kind: KindTests, Verdict: Failed, Reason: text, Excerpt: text, Missing: files[:100], Argv: files[:100],
					Fingerprint: fmt.Sprintf("%08x", w.s.Iteration), Value: new(float64(w.s.Iteration % 7)),
					Tests: &Tests{Run: 60, Failed: 50, Failing: failing},
				}
			}
			worst := 0
			for w.s.Iteration < c.attempts {
				if w.s.Open() != nil {
					w.do(Answered{Stamp: w.stamp(), Text: "yes"})
					w.do(Steered{Stamp: w.stamp(), Text: strings.Repeat("go left ", 100)})
				}
				if !w.turn() {
					t.Fatalf("it ended: %s %s", w.s.Status, w.s.Message)
				}
				if n := w.s.Iteration; n%100 < 20 {
					worst = max(worst, bytesOf(t, w.s))
				}
			}
			if worst > mostState {
				t.Errorf("the state takes %d bytes, more than %d", worst, mostState)
			}
			judged, _ := w.s.Judged()
			if judged < c.attempts-1 || len(w.s.Questions) > mostQuestions || w.s.asked() < c.attempts/3 {
				t.Errorf("counts: %d judged, %d questions of %d", judged, len(w.s.Questions), w.s.asked())
			}
			t.Logf("at most %d bytes", worst)
		})
	}
}

// TestQuestionsKeepTheirNumbers, also when the oldest are dropped.
func TestQuestionsKeepTheirNumbers(t *testing.T) {
	t.Parallel()
	var s State
	for n := range 3 * mostQuestions {
		s.question(noon, Question{Text: "which?"})
		s.bound()
		if id := s.Questions[len(s.Questions)-1].ID; id != fmt.Sprint("q", n+1) || s.asked() != n+1 {
			t.Fatalf("question %d is %s of %d", n+1, id, s.asked())
		}
	}
}

// TestJSONBytes: the estimate is never below the truth.
func TestJSONBytes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := string(rapid.SliceOf(rapid.Byte()).Draw(t, "bytes")) + rapid.String().Draw(t, "text")
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		if have := jsonBytes(s) + 2; have < len(data) {
			t.Fatalf("%q: %d, in truth %d", s, have, len(data))
		}
		most := rapid.IntRange(200, 2000).Draw(t, "most")
		for _, cut := range []string{cutText(s, most), cutMiddle(s, most)} {
			if n := jsonBytes(cut); n > most {
				t.Fatalf("%d of %d bytes: %q", n, most, cut)
			}
		}
	})
}
