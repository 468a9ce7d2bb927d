package worker

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"ralph/internal/agent"
	"ralph/internal/agent/script"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/sandbox"
	"ralph/internal/sandbox/room"
)

// agent runs the driver once.
func (w *Worker) agent(ctx context.Context, s loop.State, a loop.Action, h *Hooks) (loop.Event, error) {
	driver, ok := w.Drivers[s.Agent.Use]
	if !ok {
		return loop.AgentEnded{Outcome: loop.Outcome{End: loop.EndPermanent, Message: fmt.Sprintf("no driver %q in this program", s.Agent.Use)}}, nil
	}
	run, err := w.Files.NewRun(a.Attempt, "agent")
	if err != nil {
		return nil, err
	}
	events, err := openEventLog(w.Files.Events(a.Attempt))
	if err != nil {
		return nil, err
	}
	defer events.Close()
	if err := w.reclaim(ctx, s); err != nil {
		return nil, err
	}
	if err := w.quarantine(ctx, s); err != nil {
		return nil, err
	}
	cell, err := w.confineAgent(ctx, s, a.Attempt)
	if Interruption(err).Interrupts() {
		return nil, err
	}
	if err != nil {
		// An agent that has to be sandboxed and cannot be does not run.
		return loop.AgentEnded{Outcome: loop.Outcome{End: loop.EndPermanent, Message: err.Error(), Sandbox: loop.HeldNone}}, nil
	}
	defer cell.release()
	env := w.agentEnv(s, a.Attempt)
	own, err := withRalph(env, cell.temp)
	if err != nil {
		return nil, err
	}
	mask := redactorFor(env, s.Agent)
	job := agent.Job{
		Agent: s.Agent, Tree: filepath.Join(s.Worktree, s.Prefix), Prompt: w.Files.Prompt(a.Attempt),
		RunDir: run, RunID: token(s.ID), Raw: w.Files.NewOutput(a.Attempt), Mask: mask.Masker, Timeout: a.Timeout, Grace: w.Grace,
		Patience: agent.PatienceFor(s.Agent), Resume: resume(s, driver.Capabilities()),
		Env: overlay(env, cell.env, own), Sandbox: cell.inside,
		OnSoft: h.Soft, Kill: h.Kill, Alive: h, Now: w.Now,
		OnEvent: func(e agent.Event) { e = mask.event(e); h.Event(e); events.add(e) },
	}
	files, settings := loneFiles(s, env), w.settings(s, env)
	out, err := driver.Run(ctx, job)
	w.doubtSandbox(err, out.End == loop.EndPermanent) // the next start tries again
	w.notes = append(w.notes, changedSettings(settings, w.settings(s, env))...)
	if job.Sandbox != nil && job.Sandbox.Room != nil {
		w.returnFiles(env, files)
	}
	if err == nil {
		err = keeps("the agent", cell.temp, out.End != loop.EndFailed)
	}
	if err != nil {
		return nil, err
	}
	out = mask.outcome(out)
	out.Usage = w.Priced(s.Agent, out.Usage, out.Model)
	// The record of the end stands for the files of the tree: a power cut must not leave
	// empty ones that would be committed as the agent's work.
	if _, err := os.Stat(s.Worktree); errors.Is(err, fs.ErrNotExist) && out.End == loop.EndDone {
		return nil, &proc.Cut{What: "the worktree of the agent", How: "was deleted while it worked", Cause: loop.CauseLack}
	}
	if err := w.Repo.Sync(s.Worktree); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if driver.Capabilities().Person {
		return loop.AgentEnded{Outcome: out}, nil
	}
	if out.Provider == loop.NoLogin && out.Fix == "" {
		out.Fix = agent.LoginFix(driver, s.Agent)
	}
	out.Sandbox = cell.by
	if out.End == loop.EndDone {
		out.Dispute = s.DisputeIn(out.Words)
	}
	return loop.AgentEnded{Outcome: out}, nil
}

// confineAgent holds the agent of an attempt. In place the whole repository is
// read-only for it: ralph commits.
func (w *Worker) confineAgent(ctx context.Context, s loop.State, attempt int) (confined, error) {
	p := sandbox.Profile{Grants: []string{s.Worktree}, Env: w.agentEnv(s, attempt), Visible: namedIn(s.Agent.Argv)}
	p.Keep = append(w.logins(s, p.Env), w.Files.Prompt(attempt))
	p.ReadOnly = w.readOnly(s.Worktree)
	if s.Agent.Use == "script" { // its player remembers what it has played
		marks := filepath.Join(w.Files.Attempt(attempt), script.Marks)
		if err := os.MkdirAll(marks, 0o700); err != nil {
			return confined{}, fmt.Errorf("make the folder of the player's marks: %w", err)
		}
		p.Grants = append(p.Grants, marks)
	}
	if !s.InPlace {
		p.Grants = append(append(p.Grants, w.Repo.QuarantineDir(s.ID)), w.Repo.QuarantineWritable(s.Worktree)...)
	}
	for _, v := range s.Agent.Env {
		p.Visible = append(p.Visible, namedIn([]string{v})...)
	}
	layer, err := w.agentLayer(ctx, s)
	if err != nil {
		return confined{}, err
	}
	home := func(p sandbox.Profile) (*room.Spec, error) { return w.homeFor(s, p, layer) }
	if w.Confine.ControlSocket == nil {
		return w.confineIn(ctx, s, p, home)
	}
	if by, err := w.Confine.Capabilities.Choose(ctx, s.Sandbox, s.InPlace); err != nil || by == loop.HeldNone {
		return w.confineIn(ctx, s, p, home)
	}
	socket, err := w.Confine.ControlSocket(ctx, s)
	if err != nil {
		return confined{by: loop.HeldNone}, err
	}
	p.Visible = append(p.Visible, filepath.Dir(socket.Path()))
	p.Sockets = append(p.Sockets, filepath.Dir(socket.Path()))
	cell, err := w.confineIn(ctx, s, p, home)
	if err != nil {
		socket.Close()
		return cell, err
	}
	cell.socket = socket
	cell.env = append(cell.env, "RALPH_SOCKET="+socket.Address())
	return cell, nil
}

// agentEnv returns the user's own environment, the variables that identify
// the loop, and those configured for the agent.
func (w *Worker) agentEnv(s loop.State, attempt int) []string {
	prompt := w.Files.Prompt(attempt)
	extra := append(w.marks(s), "RALPH_ITERATION="+strconv.Itoa(attempt), "RALPH_PROMPT_FILE="+prompt)
	for name, value := range s.Agent.Env {
		extra = append(extra, name+"="+value)
	}
	return w.Env.Agent(extra...)
}

// resume returns the session that a usage limit cut off in the middle of its
// work: the agent that continues it need not read everything again.
func resume(s loop.State, can agent.Capabilities) *agent.Resume {
	last := s.Last()
	if last == nil || !can.Resume || last.Agent.End != loop.EndLimit || last.Agent.Session == "" || last.By != "" && last.By != s.Agent.Name {
		return nil
	}
	if n := last.Agent.Usage.ToolCalls; n == nil || *n == 0 {
		return nil // there is no session to continue
	}
	used := last.SessionUsed
	if used == (loop.Usage{}) {
		used = last.Agent.Usage // a record of an older version
	}
	return &agent.Resume{Session: last.Agent.Session, Used: used}
}

// marks are the variables that identify the loop to a child, and name what is the
// loop's own on the machine.
func (w *Worker) marks(s loop.State) []string {
	return append(w.ownMarks(s), "RALPH_LOOP_ID="+s.ID, "RALPH_TASK_ID="+s.Task.ID, "RALPH_STATE_FILE="+w.StateFile)
}
