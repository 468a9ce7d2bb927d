package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/agent/script"
	"ralph/internal/durable"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/prompt"
	"ralph/internal/sandbox"
	"ralph/internal/sandbox/room"
)

// Begin writes the prompt of the next attempt, durably, and returns the
// event that records it. Nothing has been started yet.
func (w *Worker) Begin(ctx context.Context, s loop.State, a loop.Action) (loop.AttemptBegan, error) {
	in := w.promptInput(ctx, s, a)
	frozen, err := os.ReadFile(w.Files.Template())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return loop.AttemptBegan{}, fmt.Errorf("read the prompt's template: %w", err)
	}
	in.Template = string(frozen)
	page, err := prompt.Build(in)
	if err != nil {
		return loop.AttemptBegan{}, err
	}
	path := w.Files.Prompt(a.Attempt)
	if err := durable.Write(path, []byte(page.Text)); err != nil {
		return loop.AttemptBegan{}, fmt.Errorf("write the prompt: %w", err)
	}
	sum := sha256.Sum256([]byte(page.Text))
	return loop.AttemptBegan{Attempt: a.Attempt, PromptFile: path, PromptSHA256: hex.EncodeToString(sum[:]), Learned: page.Learned}, nil
}

func (w *Worker) promptInput(ctx context.Context, s loop.State, a loop.Action) prompt.Input {
	in := prompt.Input{
		State: s, Attempt: a.Attempt, Approach: a.Approach, StateFile: w.StateFile,
		Nonce: token("")[1:], Learned: w.learned(ctx, s),
	}
	if l := s.Last(); l != nil && l.N == a.Attempt {
		in.Interrupted = l.Interruptions > 0
		if driver, ok := w.Drivers[s.Agent.Use]; ok {
			in.Resumed = resume(s, driver.Capabilities()) != nil
		}
	}
	if a.Approach.Shift {
		in.Diffs = w.failedDiffs(ctx, s)
	}
	if a.Approach.Expand {
		in.Context = w.expand(ctx, s)
	}
	return in
}

// failedDiffs returns the changes of the newest failed attempts, for the
// prompt that forbids repeating them.
func (w *Worker) failedDiffs(ctx context.Context, s loop.State) []prompt.Diff {
	const perDiff = 4 << 10
	var out []prompt.Diff
	before := s.Base
	for i, at := range s.Recent {
		if i == 0 && at.N > 1 { // the state has forgotten what it began from
			before = at.Commit
			continue
		}
		if at.Commit != "" && at.Commit != before && at.N > s.Iteration-s.Limits.StuckAfter {
			d := prompt.Diff{Attempt: at.N}
			stat, _ := w.Repo.DiffStat(ctx, before, at.Commit)
			d.Stat = fmt.Sprintf("%d files, +%d −%d: %s", stat.Files, stat.Insertions, stat.Deletions, strings.Join(at.Files, ", "))
			patch, _, _ := w.Repo.Diff(ctx, before, at.Commit, perDiff)
			d.Patch, d.Subject = string(patch), w.subjects(ctx, before, at.Commit)
			out = append(out, d)
		}
		if at.Commit != "" {
			before = at.Commit
		}
	}
	return out
}

// subjects are those of the commits that the agent made itself.
func (w *Worker) subjects(ctx context.Context, before, after string) string {
	commits, err := w.Repo.Log(ctx, before, after, 5)
	if err != nil {
		return ""
	}
	var out []string
	for _, c := range commits {
		if !strings.Contains(c.Message, git.LoopTrailer+": ") {
			out = append(out, c.Subject())
		}
	}
	return strings.Join(out, "; ")
}

// expand reads the files that the last failure names, or that mention a symbol
// it lacks, from the newest commit (seed 004's tier 2).
func (w *Worker) expand(ctx context.Context, s loop.State) []prompt.File {
	const maxFiles, perFile = 5, 8 << 10
	commit := s.Commit
	if commit == "" {
		commit = s.Base
	}
	files, err := w.list(ctx, commit)
	if err != nil {
		return nil
	}
	var out []prompt.File
	for _, name := range mentioned(files, s.MissingInfo()) {
		data, err := w.Repo.FileAt(ctx, commit, name)
		if err != nil || len(out) == maxFiles {
			continue
		}
		out = append(out, prompt.File{Name: name, Text: string(data[:min(len(data), perFile)])})
	}
	if len(out) < maxFiles {
		out = append(out, prompt.File{Name: "all files", Text: strings.Join(files[:min(len(files), 200)], "\n")})
	}
	return out
}

// mentioned lists the files whose path or stem is one of names: "no module
// named util.text" is about util/text.py.
func mentioned(files, names []string) []string {
	var out []string
	for _, f := range files {
		stem := strings.TrimSuffix(f, filepath.Ext(f))
		for _, n := range names {
			n = strings.Trim(strings.TrimPrefix(n, "./"), "/")
			dotted := strings.ReplaceAll(n, ".", "/")
			if f == n || stem == n || stem == dotted || strings.HasSuffix(f, "/"+n) ||
				strings.HasSuffix(stem, "/"+n) || strings.HasSuffix(stem, "/"+dotted) {
				out = append(out, f)
				break
			}
		}
	}
	return out
}

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
	mask := redactorFor(env, s.Agent)
	job := agent.Job{
		Agent: s.Agent, Tree: filepath.Join(s.Worktree, s.Prefix), Prompt: w.Files.Prompt(a.Attempt),
		RunDir: run, RunID: token(s.ID), Raw: w.Files.NewOutput(a.Attempt), Mask: mask.Masker, Timeout: a.Timeout, Grace: w.Grace,
		Patience: agent.PatienceFor(s.Agent), Resume: resume(s, driver.Capabilities()),
		Env: overlay(env, cell.env), Sandbox: cell.inside,
		OnSoft: h.soft, Kill: h.Kill, Alive: h, Now: w.Now,
		OnEvent: func(e agent.Event) { e = mask.event(e); h.Event(e); events.add(e) },
	}
	files, settings := loneFiles(s, env), w.settings(s, env)
	out, err := driver.Run(ctx, job)
	w.notes = append(w.notes, changedSettings(settings, w.settings(s, env))...)
	if job.Sandbox != nil && job.Sandbox.Room != nil {
		w.returnFiles(env, files)
	}
	if err != nil {
		return nil, err
	}
	if out.End == loop.EndPermanent {
		w.Confine.Capabilities.Doubt() // where its sandbox could not be built, the next start tries again
	}
	out = mask.outcome(out)
	out.Usage = w.Priced(s.Agent, out.Usage, out.Model)
	// The record of the end stands for the files of the tree: a power cut must not leave
	// empty ones that would be committed as the agent's work. An agent may delete its tree.
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
