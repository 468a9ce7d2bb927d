package notice

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// OfPlan returns what there is to tell of the run of a plan in this state. What its
// loops ask is told with them.
func OfPlan(project string, s plan.State) []Notice {
	about := planNotices{project, s}
	var out []Notice
	for _, q := range s.OpenQuestions() {
		out = append(out, about.question(q))
	}
	if s.Status == loop.Paused && (s.Reason == loop.Budget || s.Reason == loop.ForLimit) {
		n := about.notice(BudgetSpent, fmt.Sprint(s.Attempts), "stopped by a limit")
		n.Body, n.Command = quote(s.Message), next.Plan(s, next.PlanFacts{})
		out = append(out, n)
	}
	if s.Status.Terminal() && s.Reason != loop.Manual && s.Reason != loop.Left {
		out = append(out, about.ended())
	}
	return out
}

// planNotices makes the notices of one plan.
type planNotices struct {
	project string
	s       plan.State
}

func (p planNotices) notice(kind Kind, key, what string) Notice {
	return Notice{
		Event: kind, Severity: kind.Severity(), Project: p.project, Run: p.s.ID, RunKind: "plan",
		Title: heading(p.project, p.s.ID, what), At: p.s.LastAt,
		Key: fmt.Sprintf("%s plan %s %s", kind, p.s.ID, key),
	}
}

func (p planNotices) question(q plan.Question) Notice {
	what := "question"
	if q.Task != "" {
		what += " about " + text.Clip(q.Task, 40)
	}
	n := p.notice(Question, q.Instance(), what)
	n.Task, n.Command, n.At = q.Task, next.AnswerOwn(p.s.ID, q), q.AskedAt
	return n.asks(q.Question)
}

// ended counts what became of the tasks. A plan that is run again ends again.
func (p planNotices) ended() Notice {
	s := p.s
	count := map[plan.Status]int{}
	var failed []string
	for _, t := range s.Tasks {
		if t.Gone {
			continue
		}
		if count[t.Status]++; t.Status == plan.Failed {
			failed = append(failed, text.Clip(t.ID, 40)+": "+text.Clip(t.Message, 120))
		}
	}
	what := fmt.Sprintf("%s: %d of %d done", s.Status, count[plan.Done], total(count))
	if n := count[plan.Failed]; n > 0 {
		what += fmt.Sprintf(", %d failed", n)
	}
	n := p.notice(PlanEnded, fmt.Sprint(s.EndedAt.UnixNano()), what)
	lines := slices.Concat([]string{quote(s.Message)}, failed[:min(len(failed), 3)])
	if !s.StartedAt.IsZero() && s.EndedAt.After(s.StartedAt) {
		lines = append(lines, "took "+text.Duration(s.EndedAt.Sub(s.StartedAt)))
	}
	n.Body = strings.TrimSpace(strings.Join(lines, "\n"))
	n.Command = next.Plan(s, next.PlanFacts{})
	if n.Command == "" {
		n.Command = next.Show(s.ID)
	}
	if s.Status != loop.StatusPassed {
		n.Severity = Warn
	}
	return n
}

func total(count map[plan.Status]int) (n int) {
	for _, c := range count {
		n += c
	}
	return n
}

// Restart is what a supervisor did for a run whose process died.
type Restart struct {
	Run, Kind string
	// Left: it is not restarted any more. Try counts the restarts since it last made
	// progress.
	Left bool
	Try  int
	// Why the process was taken for dead.
	Why string
	At  time.Time
}

// OfRestart returns the notice of a restart.
func OfRestart(project string, r Restart) Notice {
	kind, what := Recovered, "its process died; restarted"
	if r.Left {
		kind, what = GivenUp, "its process dies again and again; left to you"
	}
	n := Notice{
		Event: kind, Severity: kind.Severity(), Project: project, Run: r.Run, RunKind: r.Kind, Title: heading(project, r.Run, what),
		Body: quote(r.Why), Command: next.Show(r.Run), At: r.At, Key: fmt.Sprintf("%s %s %s %d", kind, r.Kind, r.Run, r.At.UnixNano()),
	}
	if r.Left {
		n.Command = next.Resume(r.Run)
	} else if r.Try > 1 {
		n.Body = strings.TrimSpace(fmt.Sprintf("%s (try %d)", n.Body, r.Try))
	}
	return n
}

// Over returns the notice that a limit is over of which was told.
func Over(limit Notice, at time.Time) Notice {
	n := limit
	_, rest, _ := strings.Cut(limit.Key, " ")
	n.Event, n.Severity, n.At, n.Key = LimitOver, LimitOver.Severity(), at, string(LimitOver)+" "+rest
	subject := limit.Task
	if subject == "" {
		subject = limit.Run
	}
	n.Title, n.Body, n.Command = heading(n.Project, text.Clip(subject, 40), "limit over"), "it continues", ""
	return n
}

// OfTest returns the message of `ralph notify test`.
func OfTest(project, target string, at time.Time) Notice {
	n := Notice{
		Event: Test, Severity: Info, Project: project, At: at, Key: fmt.Sprintf("%s %s %d", Test, target, at.UnixNano()),
		Title: heading(project, "", "test of target "+target), Body: "Messages for this target arrive.", Command: next.Status(""),
	}
	return n.Identify("test")
}
