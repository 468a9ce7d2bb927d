package notice

import (
	"fmt"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

// OfLoop returns what there is to tell of a loop in this state.
func OfLoop(project string, s loop.State) []Notice {
	about := loopNotices{project, s}
	var out []Notice
	if q := s.Open(); q != nil && !s.Status.Terminal() {
		out = append(out, about.question(*q))
	}
	switch {
	case s.AwaitsProvider():
		out = append(out, about.provider())
	case s.Stopped() || s.Status == loop.Waiting && s.Reason == loop.Budget:
		out = append(out, about.spent())
	}
	for _, budget := range s.Warned {
		out = append(out, about.warned(budget))
	}
	return append(out, about.ended()...)
}

// loopNotices makes the notices of one loop.
type loopNotices struct {
	project string
	s       loop.State
}

// subject names the loop: by its task where it works for a plan.
func (l loopNotices) subject() string {
	if l.s.InPlan() && l.s.Task.ID != "" {
		return text.Clip(l.s.Task.ID, 40)
	}
	return l.s.ID
}

func (l loopNotices) notice(kind Kind, key, what string) Notice {
	n := Notice{
		Event: kind, Severity: kind.Severity(), Project: l.project, Run: l.s.ID, RunKind: "loop",
		Title: heading(l.project, l.subject(), what), At: l.s.LastAt,
		Key: fmt.Sprintf("%s loop %s %s", kind, l.s.ID, key),
	}
	if l.s.InPlan() {
		n.Plan, n.Task = l.s.Parent, l.s.Task.ID
	}
	return n
}

func (l loopNotices) question(q loop.Question) Notice {
	kind, what := Question, "question"
	if q.Dispute != nil {
		kind, what = Dispute, "disputes "+q.Dispute.About()
	}
	n := l.notice(kind, q.Instance(), what)
	n.Command, n.At = next.AnswerOpen(l.s.ID, &q), q.AskedAt
	return n.asks(q)
}

// asks puts a question into a notice.
func (n Notice) asks(q loop.Question) Notice {
	n.Question, n.Options = q.ID, q.Options
	n.Body = `"` + quote(q.Text) + `"`
	if len(q.Options) > 0 {
		n.Body += "\n[" + quote(strings.Join(q.Options, ", ")) + "]"
	}
	if !q.Deadline.IsZero() {
		n.Body += fmt.Sprintf("\nwithout an answer by %s: %s", q.Deadline.Local().Format("Jan 2 15:04"), quote(q.Default))
	}
	return n
}

func (l loopNotices) provider() Notice {
	since := fmt.Sprint(l.s.ProviderSince.UnixNano())
	if l.s.Reason == loop.ForLogin {
		n := l.notice(LoginRefused, since, "login of "+quote(l.s.Agent.Name)+" refused")
		n.Body, n.Command = quote(l.s.Message), next.Resume(l.run(), "--now")
		return n
	}
	what := map[loop.Reason]string{loop.ForThrottle: "throttled", loop.ForDown: "provider down"}[l.s.Reason]
	if what == "" {
		what = "usage limit"
	}
	n := l.notice(LimitHit, since, what+" of "+quote(l.s.Agent.Name))
	n.Body = quote(l.s.Message)
	if !l.s.Wake.IsZero() {
		n.Body += "\ncontinues by itself, next try at " + l.s.Wake.Local().Format("Jan 2 15:04")
	}
	return n
}

// run is what a person resumes: the plan of a task's loop.
func (l loopNotices) run() string {
	if l.s.InPlan() {
		return l.s.Parent
	}
	return l.s.ID
}

func (l loopNotices) spent() Notice {
	n := l.notice(BudgetSpent, fmt.Sprint(l.s.Iteration), "stopped by a limit")
	n.Body, n.Command = quote(l.s.Message), next.Loop(l.s, next.Facts{})
	return n
}

func (l loopNotices) warned(budget string) Notice {
	n := l.notice(BudgetWarning, budget, "most of a budget is used")
	n.Body, n.Command = "budget: "+quote(budget), next.Show(l.run())
	if l.s.Parent != "" && !strings.HasPrefix(budget, string(loop.TaskLevel)) {
		// Of a shared budget it is told once, whichever loop found out.
		n.Key = fmt.Sprintf("%s plan %s %s", BudgetWarning, l.s.Parent, budget)
	}
	return n
}

// ended tells of an end that no person asked for. A loop that passed for a plan is
// told with the plan, and the session of an agent that drives its loop knows.
func (l loopNotices) ended() []Notice {
	s := l.s
	switch {
	case s.Reason == loop.Imported || s.Reason == loop.Manual || s.Reason == loop.Left || !s.Status.Terminal():
		return nil
	case s.Status != loop.StatusPassed:
		n := l.notice(LoopFailed, "", fmt.Sprintf("%s after %s", s.Status, attempts(s.Iteration)))
		n.Body, n.Command = quote(s.Message), next.Loop(s, next.Facts{})
		if s.FailureRef != "" {
			n.Body += "\nkept on " + quote(s.FailureRef)
		}
		return []Notice{n}
	case s.InPlan() || s.Mode == loop.AgentDriven:
		return nil
	}
	n := l.notice(LoopPassed, "", "passed after "+attempts(s.Iteration))
	n.Body, n.Command = quote(s.Task.Text), next.Loop(s, next.Facts{})
	return []Notice{n}
}

func attempts(n int) string {
	if n == 1 {
		return "1 attempt"
	}
	return fmt.Sprintf("%d attempts", n)
}
