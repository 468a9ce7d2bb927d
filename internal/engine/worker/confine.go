package worker

import (
	"context"
	"errors"
	"path/filepath"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/review"
	"ralph/internal/sandbox"
	"ralph/internal/sandbox/room"
)

// Confine sandboxes the processes of a worker; the zero value sandboxes
// nothing.
type Confine struct {
	Capabilities *sandbox.Capabilities
	// Layers are those that loops of this process keep.
	Layers *sandbox.Kept
	// Protected are the paths that no agent and no gate may write, besides the repository
	// and the worktrees: ralph's own folders.
	Protected []string
	// Settings are patterns of the user's own settings, which hold addresses and keys:
	// hidden wherever anything is.
	Settings []string
	// ControlSocket opens a way through which the agent of a loop may ask ralph from
	// inside, for the time of one run; nil opens none.
	ControlSocket func(context.Context, loop.State) (ControlSocket, error)
	// DrivenSandbox sandboxes the gates of agent-driven loops; empty: they run as the agent
	// does, without a sandbox. DrivenWrite may be written, and DrivenAsked is as
	// loop.Spec.SandboxAsked.
	DrivenSandbox loop.Sandbox
	DrivenWrite   []string
	DrivenAsked   bool
	// Memory is how many bytes a clean room may hold in memory; 0 is as in room.Spec.
	// A gate that needs more runs in a copy.
	Memory int64
}

// doubtSandbox forgets which sandboxes work here where a process could not start, or
// lacked something. It reports whether anything was forgotten: once more may help then.
func (w *Worker) doubtSandbox(err error, cannotStart bool) bool {
	cut, ok := errors.AsType[*proc.Cut](err)
	return (cannotStart || ok && cut.Cause == loop.CauseLack) && w.Confine.Capabilities.Doubt()
}

// ControlSocket is a socket that serves one agent.
type ControlSocket interface {
	// Path of the socket.
	Path() string
	// Address is the socket's address for the agent: the path and a key.
	Address() string
	Close()
}

// confined is the sandbox of one process that is about to start.
type confined struct {
	inside *proc.Sandbox
	by     loop.Holder
	// env goes over the process's environment.
	env  []string
	temp string
	// leave removes the variables that stand in HOME for this process.
	leave func()
	// socket is where the agent asks; nil without one.
	socket ControlSocket
}

// release removes everything made for the process.
func (h confined) release() {
	if h.socket != nil {
		h.socket.Close()
	}
	if h.leave != nil {
		h.leave()
	}
	if h.temp != "" {
		proc.RemoveTempDir(h.temp)
	}
}

// confineIn chooses the sandbox of a process that starts in a room, which build makes
// for the complete profile; nil is no room.
func (w *Worker) confineIn(ctx context.Context, s loop.State, p sandbox.Profile, build func(sandbox.Profile) (*room.Spec, error)) (h confined, err error) {
	h.by = loop.HeldNone
	if w.Confine.Capabilities == nil {
		return h, nil
	}
	inPlace := s.InPlace && len(p.Grants) > 0 && p.Grants[0] == s.Root
	if h.by, err = w.Confine.Capabilities.Choose(ctx, s.Sandbox, inPlace); err != nil {
		return h, err
	}
	p.Protected = append(w.protected(s), p.Protected...)
	p.Write, p.Asked = expand(s.SandboxWrite, p.Env), s.SandboxAsked
	p.Visible = append(p.Visible, s.Root, selfPath())
	if p.Hide = append(p.Hide, s.SandboxHide...); len(s.SandboxHide) > 0 {
		p.Hide = append(p.Hide, w.Confine.Settings...)
	}
	w.secludes(s, &p)
	p.Keep = append(p.Keep, s.Root, w.Repo.CommonDir)
	if h.temp, err = tempDir(); err != nil {
		return h, err
	}
	p.Temp = h.temp
	view, err := build(p)
	if err == nil {
		err = h.enter(ctx, w.Confine.Capabilities, s, p, view)
	}
	if err != nil {
		h.release()
		return confined{by: loop.HeldNone}, err
	}
	return h, nil
}

// enter makes the sandbox of a profile, in a room or in none.
func (h *confined) enter(ctx context.Context, k *sandbox.Capabilities, s loop.State, p sandbox.Profile, view *room.Spec) (err error) {
	p = p.In(view)
	if h.by != loop.HeldNone || view != nil {
		h.env = []string{"TMPDIR=" + h.temp, "TMP=" + h.temp, "TEMP=" + h.temp}
	}
	if h.by == loop.HeldLandlock {
		p.CreateStateDirs(s.Agent.Use)
	}
	if h.by != loop.HeldNone {
		p = p.Scan()
		if h.leave, err = p.CreatePlaceholders(); err != nil {
			return err
		}
	}
	var over []room.Mount
	if h.by == loop.HeldLandlock && view != nil && !p.NoNetwork {
		// Unlike Landlock's rules, mounts leave open what is made later beside them.
		over, p.Hide = p.HideMounts(), nil
		over = append(p.HoldMounts(), over...)
	}
	if h.inside, h.by, err = k.Sandbox(ctx, h.by, p); err != nil || view == nil {
		return err
	}
	if h.inside == nil {
		h.inside = &proc.Sandbox{}
	}
	full := *view
	if h.by != loop.HeldBubblewrap { // which has its own
		full.Mounts = append(p.PrivateTemp(h.by == loop.HeldNone), full.Mounts...)
	}
	full.Over = over
	h.inside.Room = &full
	return nil
}

// protected returns the repository with everything in it, all its trees, and
// ralph's own files.
func (w *Worker) protected(s loop.State) []string {
	out := append([]string{w.Repo.CommonDir, w.Repo.MainRoot, s.Root, w.TreeRoot}, w.Confine.Protected...)
	return append(out, w.Repo.TreePaths()...)
}

// readOnly are the parts of a tree of ours, and of its git directory, that a process
// in it may not write.
func (w *Worker) readOnly(tree string) []string {
	kept := []string{filepath.Join(tree, ".git"), filepath.Join(tree, ".ralph")}
	if admin := w.Repo.AdminDir(tree); admin != "" {
		kept = append(kept, filepath.Join(admin, "commondir"), filepath.Join(admin, "gitdir"))
	}
	return kept
}

// tempDir creates the folder for temporary files of one run.
func tempDir() (string, error) {
	dir, err := proc.TempDir("", "run")
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(dir)
}

// expand makes paths below the home directory absolute.
func expand(paths, env []string) []string {
	home := ""
	for _, kv := range env {
		if v, ok := strings.CutPrefix(kv, "HOME="); ok {
			home = v
		}
	}
	out := make([]string, 0, len(paths))
	for _, p := range paths {
		if rest, ok := strings.CutPrefix(p, "~/"); ok {
			p = filepath.Join(home, rest)
		}
		out = append(out, p)
	}
	return out
}

func selfPath() string {
	path, _ := proc.Self()
	return path
}

// namedIn are the absolute paths in the words of a command line: a person who
// names one means it to be seen.
func namedIn(words []string) []string {
	var out []string
	for _, word := range words {
		for _, part := range strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(" \t\n'\"`;|&()<>=:,{}$", r) }) {
			if filepath.IsAbs(part) {
				out = append(out, filepath.Clean(part))
			}
		}
	}
	return out
}

// Unmet are folders of the spec that its processes may not write all the same.
func (w *Worker) Unmet(s loop.Spec) []sandbox.Unwritable {
	p := w.hidingOf(s)
	p.Protected = w.protected(loop.State{Spec: s})
	return p.Unwritable()
}

// Hides returns the entries of the spec's list that hide something from its agent
// here.
func (w *Worker) Hides(s loop.Spec) []string {
	return w.hidingOf(s).Hidden()
}

// hidingOf returns what of a profile decides what is hidden from the spec's agent.
func (w *Worker) hidingOf(s loop.Spec) sandbox.Profile {
	state, env := loop.State{Spec: s}, w.Env.Agent()
	return sandbox.Profile{
		Hide: s.SandboxHide, Env: env, Keep: append(w.logins(state, env), s.Root, w.Repo.CommonDir),
		Write: expand(s.SandboxWrite, env), Asked: s.SandboxAsked,
	}
}

// CanConfine reports whether a loop's wish for a sandbox can be fulfilled here.
func (w *Worker) CanConfine(ctx context.Context, s loop.Spec) error {
	if w.Confine.Capabilities == nil {
		return nil
	}
	_, err := w.Confine.Capabilities.Choose(ctx, s.Sandbox, s.InPlace)
	return err
}

// ConfineReviewer holds reviewers of the loop's work, more tightly than an agent:
// nothing of the repository is theirs to write, the tree that they look at
// included. What they leave there would meet the next reviewer.
func (w *Worker) ConfineReviewer(s loop.State) func(context.Context, loop.Agent) (review.Sandboxed, error) {
	return func(ctx context.Context, a loop.Agent) (review.Sandboxed, error) {
		if a.OnlyAnswers() { // there is no process to hold
			return review.Sandboxed{}, nil
		}
		p := sandbox.Profile{Visible: namedIn(a.Argv)}
		var own []string
		for name, value := range a.Env {
			own = append(own, name+"="+value)
			p.Visible = append(p.Visible, namedIn([]string{value})...)
		}
		p.Env = w.Env.Agent(own...)
		s.Agent = a
		p.Keep = append(w.logins(s, p.Env), w.TreeRoot)
		layer, err := w.reviewerLayer(ctx, s)
		if err != nil {
			return review.Sandboxed{}, err
		}
		release := func() { room.RemoveAll(layer) }
		cell, err := w.confineIn(ctx, s, p, func(p sandbox.Profile) (*room.Spec, error) { return w.homeFor(s, p, layer) })
		if err != nil {
			release()
			return review.Sandboxed{}, err
		}
		return review.Sandboxed{
			Sandbox: cell.inside, By: cell.by, Env: overlay(p.Env, cell.env), Release: func() { cell.release(); release() },
		}, nil
	}
}
