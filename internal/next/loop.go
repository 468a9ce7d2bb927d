package next

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

// Facts are observations about a loop beyond its recorded state.
type Facts struct {
	// Live: a process runs it. Crashed: its process is gone.
	Live, Crashed bool
}

// Loop returns the command to type now; empty while the loop runs by itself.
func Loop(s loop.State, f Facts) string {
	if _, to, moving := s.Moving(); moving {
		return Move(s.ID, to)
	}
	if s.Away() {
		return At(s.Move.To, Show(s.ID))
	}
	unfinished := s.Status == loop.Running || s.Status == loop.Pending || s.Status == loop.Waiting
	switch {
	case s.Reason == loop.Damaged:
		return Doctor("--fix")
	case unfinished && s.Open() != nil:
		return AnswerOpen(s.ID, s.Open())
	case f.Crashed && unfinished && s.InPlan():
		return Resume(s.Parent)
	case f.Crashed && unfinished:
		return Resume(s.ID)
	case s.Status == loop.Pending && f.Live:
		return ""
	case s.Status == loop.Waiting && s.Reason == loop.ForHuman:
		return AnswerOpen(s.ID, s.Open())
	case s.Reason == loop.Imported:
		return Show(s.ID)
	case s.InPlan():
		return taskLoop(s)
	}
	switch s.Status {
	case loop.StatusPassed:
		return afterPass(s)
	case loop.StatusFailed, loop.Aborted:
		return afterFailure(s)
	case loop.Paused, loop.Pending:
		return Resume(s.ID, raise(s))
	case loop.Waiting:
		if s.Reason == loop.ForLoop || s.Reason == loop.Budget {
			return Status("")
		}
		return Resume(s.ID, "--now")
	}
	return ""
}

// OtherAgent returns what does the task of a loop with another agent, where the provider of
// its own does not serve it; empty where a plan runs it.
func OtherAgent(s loop.State) string {
	if !s.AwaitsProvider() || s.InPlan() || s.Status.Terminal() {
		return ""
	}
	return Abort(s.ID) + " && " + Retry(s.ID, "--agent NAME")
}

// raise is the flag that raises a budget that is used up. That of a session
// belongs to a process: another one has its own.
func raise(s loop.State) string {
	if s.Reason == loop.Budget && s.SpentLevel != loop.SessionLevel {
		return "--budget " + twice(s)
	}
	return ""
}

// twice is a budget of twice the amount that a loop had of its own, as --budget takes it;
// a blank where another level's was used up, or it had several amounts.
func twice(s loop.State) string {
	if s.SpentLevel != loop.TaskLevel {
		return "…"
	}
	b := s.Budget
	all := loop.Amounts{MoneyMicroUSD: 2 * b.MoneyMicroUSD, Tokens: 2 * b.Tokens, Attempts: 2 * b.Attempts, Wall: 2 * b.Wall}.Settings()
	if len(all) != 1 {
		return "…"
	}
	return all[0]
}

func afterPass(s loop.State) string {
	switch {
	case s.Reason == loop.AlreadyGreen && len(s.Gates) == 1:
		return runTask(quoted(s.Task.Text), "--until", quoted(s.Gates[0].Run), "--force")
	case s.Mode == loop.AgentDriven:
		return Archive(s.ID)
	case s.Reason == loop.AlreadyGreen:
		return runTask("…", "--force")
	case s.Accepted != "":
		return Archive(s.ID)
	case s.Conflict() != nil:
		return Retry(s.ID)
	case !s.Acceptable() && s.RetriedBy != "":
		return Show(s.RetriedBy)
	}
	return Accept(s.ID)
}

func afterFailure(s loop.State) string {
	switch {
	case s.RetriedBy != "":
		return Show(s.RetriedBy)
	case s.ToolMissing():
		return Retry(s.ID)
	case s.Unprovable():
		return Retry(s.ID, "--proof none")
	case s.Reason == loop.SetupError:
		return Doctor()
	case s.Reason == loop.AgentError:
		return Logs(s.ID)
	case s.Reason == loop.Manual && s.Mode == loop.AgentDriven:
		return Archive(s.ID)
	case s.Reason == loop.Budget, s.Reason == loop.Manual:
		return Retry(s.ID, raise(s))
	case Unproved(s) != "" && needsNoProof(s.Last().Proof) != loop.KindFeature:
		return Unproved(s)
	}
	return Show(s.ID, "--evidence")
}

// taskLoop is for the loop of a plan's task, which is resumed and accepted with its
// plan.
func taskLoop(s loop.State) string {
	switch s.Status {
	case loop.Paused:
		return Resume(s.Parent, raise(s))
	case loop.StatusFailed, loop.Aborted:
		return Show(s.ID, "--evidence")
	case loop.Running:
		return ""
	}
	return Show(s.Parent)
}

// Unproved does the task of a loop again from the work for which only a proof was missing:
// with a kind of which none is asked where no test could show the work, else without a
// proof. It is empty where another failure ended the loop, or no work is kept.
func Unproved(s loop.State) string {
	a := s.Last()
	if s.Status != loop.StatusFailed || s.InPlan() || s.RetriedBy != "" || s.Mode == loop.AgentDriven || s.FailureRef == "" ||
		a == nil || a.FailedGate != loop.FailedProof || a.Proof == nil {
		return ""
	}
	if kind := needsNoProof(a.Proof); kind != loop.KindFeature {
		return Retry(s.ID, "--with-work", "--kind "+string(kind))
	}
	return Retry(s.ID, "--with-work", "--proof none")
}

// Permitted does the task of a loop again from the work that failed for the judge files that it
// changed, or for tests that these lack, and permits these: each gate that keeps it from passing
// is green with them. It is empty
// where another failure ended the loop, or no work is kept.
func Permitted(s loop.State) string {
	a := s.Last()
	if s.Status != loop.StatusFailed || s.InPlan() || s.RetriedBy != "" || s.Mode == loop.AgentDriven || s.FailureRef == "" || a == nil {
		return ""
	}
	var files []string
	all := true
	for _, r := range a.Results {
		switch j := r.Judging; {
		case r.Level == loop.Soft || r.Verdict == loop.Passed:
		case j == nil || len(j.SetAside) == 0 || j.Verdict == loop.Passed && !strings.Contains(r.Reason, loop.RemedyLost):
			return ""
		default:
			files, all = append(files, j.SetAside...), all && j.Changed == len(j.SetAside)
		}
	}
	if len(files) == 0 {
		return ""
	}
	slices.Sort(files)
	files = slices.Compact(files)
	if !all || len(files) > mostPermitted || slices.ContainsFunc(files, func(f string) bool { return strings.ContainsAny(f, `*?[{\`) }) {
		return Retry(s.ID, "--with-work", "--may-change", Blank)
	}
	flags := []string{"--with-work"}
	for _, f := range files {
		flags = append(flags, "--may-change "+word(f))
	}
	return Retry(s.ID, flags...)
}

// mostPermitted files are named in a command; of more the reader names a pattern.
const mostPermitted = 5

// needsNoProof is the kind of work that no test can show: documents, or tests alone. Other
// work is a feature.
func needsNoProof(p *loop.Proof) loop.TaskKind {
	switch {
	case p.Why == loop.OnlyTests:
		return loop.KindChore
	case len(p.Undone) > 0 && len(p.Undone) == p.UndoneCount && !slices.ContainsFunc(p.Undone, func(f string) bool { return !documents.MatchString(f) }):
		return loop.KindDocs
	}
	return loop.KindFeature
}

var documents = lazyregexp.New(`(?i)\.(?:md|markdown|rst|adoc)$|(?:^|/)docs?/.*\.txt$`)
