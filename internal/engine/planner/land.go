package planner

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// land puts the commits of a task on the tip, or reports the obstacle.
func (r *run) land(ctx context.Context, a plan.Action, f *job) (jobFunc, error) {
	t := *r.state.Task(a.Task)
	if t.Repair != "" {
		return r.repair(t, f), nil
	}
	repairLoop, err := r.loopID(ctx, t.ID, "-land", 1)
	title := r.doc.title(t.ID)
	return func(ctx context.Context) ([]plan.Event, error) {
		var got engine.Integrated
		_, err := r.reach(ctx, f, nil, func() (err error) { got, err = r.integrate(ctx, t); return err })
		if err == nil {
			if err := r.keepLandingEvidence(ctx, t, got); err != nil {
				return nil, err
			}
			return []plan.Event{plan.Landed{Stamp: r.stamp(), Task: t.ID, Commit: got.Commit, Output: r.save(title, t, got.Commit)}}, nil
		}
		clash, conflicts := errors.AsType[git.ErrConflict](err)
		_, red := errors.AsType[*engine.NotGreenError](err)
		switch {
		case !conflicts && !red:
			return nil, err
		case t.Repaired:
			return []plan.Event{plan.NotLanded{Stamp: r.stamp(), Task: t.ID, Message: "repaired once, it does not fit what landed meanwhile: " + err.Error()}}, nil
		case conflicts:
			err = clash
		}
		return []plan.Event{plan.Repairing{Stamp: r.stamp(), Task: t.ID, Loop: repairLoop, Why: err.Error(), Files: clash.Paths}}, nil
	}, err
}

// integrate puts the work of a task on the tip. The landed work of a child plan is
// the parent's then.
func (r *run) integrate(ctx context.Context, t plan.TaskState) (got engine.Integrated, err error) {
	if !t.Child {
		return r.Loops.Integrate(ctx, t.Loop, t.Commit, t.Onto)
	}
	rec, err := r.Store.Read(ctx, t.Loop)
	if err != nil {
		return engine.Integrated{}, err
	}
	lease, err := r.acquire(ctx, rec.State, nil, false)
	if err != nil {
		return engine.Integrated{}, err
	}
	defer func() { err = errors.Join(err, r.release(ctx, lease)) }()
	if got, err = r.workOf(lease.State()).Integrate(ctx, t.Onto); err != nil {
		return got, err
	}
	return got, r.recordAccepted(ctx, lease, engine.Accepted{Branch: Branch(r.spec.ID), Commit: got.Commit})
}

// repair lets a loop of few attempts merge both sides. It begins with the merge,
// conflicts included, and is judged as the task was.
func (r *run) repair(t plan.TaskState, f *job) jobFunc {
	spec := r.taskSpec(t)
	title := r.doc.title(t.ID)
	return func(ctx context.Context) ([]plan.Event, error) {
		merged, conflicts, err := r.Repo.MergeMarked(ctx, t.Onto, t.Commit, git.Message{
			Text: "Merge " + spec.Branch + " for " + t.ID, Time: r.Now(),
			Trailers: []git.Trailer{{Key: git.LoopTrailer, Value: t.Repair}},
		})
		if err != nil {
			return nil, err
		}
		spec.ID, spec.Base, spec.Branch = t.Repair, merged, r.branchName(t.Repair)
		spec.Task.Text = repairText(t, spec.Task.Text, conflicts)
		spec.Task.Merges = true
		spec.Task.Plan.Start = "" // a conflict is no task's damage
		spec.Task.Scope = union(spec.Task.Scope, conflicts)
		if len(conflicts) > 0 {
			spec.Gates = append(spec.Gates, noMarkers(conflicts))
		}
		s, err := r.runLoop(ctx, spec, t.ID, f)
		if err != nil {
			return nil, err
		}
		result := s.Commit
		if s.Status == loop.StatusPassed && result != "" && len(conflicts) > 0 {
			if result, err = r.Repo.CommitContent(ctx, result, mergeMessage(t, title, s), t.Onto, t.Commit); err != nil {
				return nil, err
			}
		}
		return []plan.Event{r.repaired(t, s, title, result)}, keepEvidence(r.Dir(r.lease.ID()), result, newest(s))
	}
}

// mergeMessage returns the message of the commit that lands: one merge of both sides with
// the content that was proved. The steps to it, of which the first holds
// conflict markers, stay on the branch of the repair loop.
func mergeMessage(t plan.TaskState, title string, s loop.State) git.Message {
	m := git.Message{
		Text: "Merge " + t.ID + ": " + title, Time: s.EndedAt,
		Trailers: []git.Trailer{{Key: git.LoopTrailer, Value: t.Repair}},
	}
	if label := s.ProofLabel(); label != "" {
		m.Trailers = append(m.Trailers, git.Trailer{Key: git.ProofTrailer, Value: label})
	}
	return m
}

// repaired is the result of the repair loop, and landed as commit.
func (r *run) repaired(t plan.TaskState, s loop.State, title, commit string) plan.Event {
	switch {
	case !s.Status.Terminal():
		return r.stopped(t.ID, s)
	case s.Status == loop.StatusPassed && s.Commit != "":
		return plan.Repaired{Stamp: r.stamp(), Task: t.ID, Loop: s.ID, Commit: commit, Attempts: s.Made(), Output: r.save(title, t, commit), Concerns: plan.RepairCodes(s.Concerns())}
	}
	return plan.NotLanded{
		Stamp: r.stamp(), Task: t.ID, Attempts: s.Made(), Reason: unpaidOnly(s.Reason), Granted: s.Granted(),
		Message: fmt.Sprintf("does not fit what landed before: %s; its repair did not help: %s", t.Message, s.Message),
	}
}

// unpaidOnly: work that no budget could pay for may be landed when there is
// more budget; no other end of a repair is tried again.
func unpaidOnly(r loop.Reason) loop.Reason {
	if r == loop.Budget {
		return r
	}
	return ""
}

// repairText shows both sides to the agent.
func repairText(t plan.TaskState, task string, conflicts []string) string {
	title, _, _ := strings.Cut(task, "\n") // the first line names the commit
	return "Repair " + t.ID + ": " + title + "\n\n" + repairInstructions(t, task, conflicts)
}

func repairInstructions(t plan.TaskState, task string, conflicts []string) string {
	if len(conflicts) == 0 {
		return fmt.Sprintf("The work of task %s was merged with other tasks that landed before it. Each was proved alone; together they do not pass: %s.\n\n"+
			"Fix the result so that both keep their purpose. This is the task that is being landed:\n\n%s", t.ID, t.Message, task)
	}
	return fmt.Sprintf("The work of task %s conflicts with other tasks that landed before it, in: %s.\n\n"+
		"Your tree holds the merge with conflict markers: what landed before stands first (%s), the task's own side second (%s). "+
		"Resolve every conflict so that both keep their purpose, and remove the markers. This is the task that is being landed:\n\n%s",
		t.ID, strings.Join(conflicts, ", "), git.Short(t.Onto), git.Short(t.Commit), task)
}

// noMarkers is a gate that no marker of a conflict passes.
func noMarkers(files []string) loop.Gate {
	quoted := make([]string, len(files))
	for i, f := range files {
		quoted[i] = "'./" + strings.ReplaceAll(f, "'", `'\''`) + "'"
	}
	return loop.Gate{
		Name: "no-conflict-markers", Kind: loop.KindCommand, Level: loop.Hard, Parse: "exit",
		Run:     "! grep -snE '^(<<<<<<< |>>>>>>> )' " + strings.Join(quoted, " "),
		Timeout: loop.GateTimeout(loop.KindLint),
	}
}

// Branch is the integration branch of a plan: the tasks land there.
func Branch(id string) string { return "ralph/" + id + "/_landed" }

// syncBranch brings the integration branch to the tip that was recorded.
func (r *run) syncBranch(ctx context.Context) error {
	ref := "refs/heads/" + r.state.Branch
	at, err := r.Repo.RefCommit(ctx, ref)
	switch {
	case err != nil:
		return err
	case at == "":
		return r.Repo.StartBranch(ctx, r.state.Branch, r.state.Tip)
	case at == r.state.Tip:
		return nil
	}
	behind, err := r.Repo.IsAncestor(ctx, at, r.state.Tip)
	if err != nil {
		return err
	}
	if !behind {
		return &movedError{r.state.Branch, at, r.state.Tip}
	}
	return r.Repo.UpdateRef(ctx, ref, r.state.Tip, at)
}

// movedError: the integration branch is not where the plan left it.
type movedError struct{ branch, at, left string }

func (e *movedError) Error() string {
	return fmt.Sprintf("branch %s was moved by another process: it is at %s, the plan left it at %s; put it back (git branch -f %s %s) and run the plan again",
		e.branch, git.Short(e.at), git.Short(e.left), e.branch, git.Short(e.left))
}

// syncBranchAfter brings the integration branch to the tip, after an event that may
// have moved it. A branch that another process has moved ends the run: ralph
// does not guess which of the two is meant.
func (r *run) syncBranchAfter(ctx context.Context, after plan.Event) error {
	switch after.(type) {
	case plan.Opened, plan.Landed, plan.Repaired, plan.Proof:
	default:
		return nil
	}
	err := r.retryInterrupted(ctx, nil, func() error { return r.syncBranch(ctx) })
	if moved, ok := errors.AsType[*movedError](err); ok && !r.state.Status.Terminal() {
		return r.commit(ctx, plan.Broken{Stamp: r.stamp(), Message: moved.Error()})
	}
	return err
}
