package worker

import (
	"cmp"
	"context"
	"fmt"
	"os"

	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/proof/judge"
	"ralph/internal/sandbox"
	"ralph/internal/sandbox/room"
)

// evaluationTree is the tree in which a gate judges: the loop's gate worktree at the
// commit, or at the variant of it.
func (w *Worker) evaluationTree(ctx context.Context, s loop.State, e evaluation) (tree, where string, err error) {
	if s.GatesInAgentTree && !e.OnBase && e.variant == "" && !e.Gate.Hidden {
		return s.Worktree, AgentTree, nil
	}
	commit := cmp.Or(e.variant, e.Commit)
	if err := w.Repo.CheckoutDetached(ctx, s.GateTree, commit); err != nil {
		return "", "", fmt.Errorf("check out %s for the gates: %w", git.Short(commit), err)
	}
	return s.GateTree, GateTree, nil
}

// cleanRoom is the clean room of one process: the view of the file system that it
// starts in, and what its profile and environment need for that.
type cleanRoom struct {
	kind loop.Room
	// spec is the view; nil where there are no layers.
	spec *room.Spec
	// grants are writable for the process, beside its tree.
	grants []string
	// env replaces the environment of the process; nil keeps it.
	env []string
	// scratch holds the layers, and temp the temporary files of the room itself. Both are of
	// tempDir, or "".
	scratch, temp string
	// spent is the copy of a HOME, deleted afterwards; "" for none.
	spent string
	// taken removes files from the tree; nil where there are none.
	taken func()
}

func (c cleanRoom) remove() {
	if c.taken != nil {
		c.taken()
	}
	room.RemoveAll(c.spent)
	for _, dir := range []string{c.scratch, c.temp} {
		if dir != "" {
			proc.RemoveTempDir(dir)
		}
	}
}

// rooms returns what this machine offers to the loop.
func (w *Worker) rooms(ctx context.Context) sandbox.Rooms {
	dir, err := sandbox.LayerRoot()
	if err != nil {
		return sandbox.Rooms{Kind: loop.RoomCopy, Why: err.Error()}
	}
	return w.Confine.Capabilities.Rooms(ctx, dir)
}

// gateRoom prepares the room of a gate in its worktree, which is at the commit that
// is judged. With layers neither the tree nor the git directory nor the HOME is
// changed by what runs there; without, the tree is made anew. What gates of the base
// alone leave in the HOME stays for the loop's later gates.
func (w *Worker) gateRoom(ctx context.Context, s loop.State, tree string, env []string, e evaluation) (cleanRoom, error) {
	r, base := w.rooms(ctx), e.ofBaseAlone(s)
	// A build cache would hold what a hidden gate compiled, for the agents to read.
	first := base && !e.Gate.Hidden
	files, err := w.heldOut(ctx, *e.Gate)
	if err != nil {
		return cleanRoom{}, err
	}
	files = cmp.Or(e.over, files)
	if r.Layered() && !e.copied && !foreignGroup(tree) {
		c, err := w.layeredRoom(s, r, tree, files, e.added, env, first)
		if err == nil && base && e.name == "" {
			c.spec.Watch, err = w.watched(ctx, e.Commit)
		}
		return c, err
	}
	return w.copiedRoom(ctx, tree, files, e.added, env, first)
}

// watched are the files of the base whose opening by a gate is recorded.
func (w *Worker) watched(ctx context.Context, base string) ([]string, error) {
	files, err := w.files(ctx, base)
	if err != nil {
		return nil, fmt.Errorf("list the files of the base: %w", err)
	}
	return judge.Watched(files), nil
}

// copiedRoom makes the tree anew: nothing in it is from an earlier run. The files in
// over, "" for none, are copied over it; those in added replace nothing.
func (w *Worker) copiedRoom(ctx context.Context, tree, over, added string, env []string, first bool) (cleanRoom, error) {
	if err := w.Repo.CleanIgnored(ctx, tree); err != nil {
		return cleanRoom{}, fmt.Errorf("make a clean tree for a gate: %w", err)
	}
	if err := copyTree(setupFiles(tree), tree); err != nil {
		return cleanRoom{}, fmt.Errorf("copy what the set-up left into the gate's tree: %w", err)
	}
	if added != "" {
		if err := copyTree(added, tree); err != nil {
			return cleanRoom{}, fmt.Errorf("copy the packages of the work into the gate's tree: %w", err)
		}
	}
	c := cleanRoom{kind: loop.RoomCopy}
	if dir := w.Repo.AdminDir(tree); dir != "" {
		c.grants = append(c.grants, dir)
	}
	home, err := c.homeOf(w, env, first)
	if err != nil {
		return c, err
	}
	if c.temp, err = tempDir(); err != nil {
		return c, err
	}
	c.env = overlay(homeEnv(env, home), []string{"TMPDIR=" + c.temp, "TMP=" + c.temp, "TEMP=" + c.temp})
	if over != "" {
		if c.taken, err = layOver(over, tree); err != nil {
			c.remove()
			return c, fmt.Errorf("copy the files of a hidden gate: %w", err)
		}
	}
	return c, nil
}

// homeOf gives the room a HOME of the loop's own, or a copy of that which is deleted
// afterwards.
func (c *cleanRoom) homeOf(w *Worker, env []string, keep bool) (string, error) {
	home, err := w.ownHome(env)
	if err != nil {
		return "", err
	}
	if !keep {
		fresh := home + ".run"
		room.RemoveAll(fresh)
		if err := copyTree(home, fresh); err != nil {
			return "", fmt.Errorf("copy the HOME of gates: %w", err)
		}
		home, c.spent = fresh, fresh
	}
	c.grants, c.env = append(c.grants, home), homeEnv(env, home)
	return home, nil
}

// layeredRoom covers the tree, its git directory and the HOME with layers. The files
// in over, "" for none, lie over those of the tree, and those in added below all others.
func (w *Worker) layeredRoom(s loop.State, r sandbox.Rooms, tree, over, added string, env []string, first bool) (c cleanRoom, err error) {
	v, c, err := w.layeredHome(s, r, tree, env, first)
	if err != nil {
		return c, err
	}
	v.spec.Tree = tree
	if admin := w.Repo.AdminDir(tree); admin != "" {
		v.layer(admin, "", admin)
		c.grants = append(c.grants, admin)
	}
	layers := []string{tree}
	if over != "" {
		layers = []string{over, tree}
	}
	if files := setupFiles(tree); isDir(files) {
		layers = append(layers, files)
	}
	if added != "" {
		layers = append(layers, added)
	}
	v.layer(tree, "", layers...)
	return c.in(v)
}

// layeredHome begins a room of layers around a tree: the HOME is covered, the repository
// read-only, and other trees are empty.
func (w *Worker) layeredHome(s loop.State, r sandbox.Rooms, tree string, env []string, first bool) (v view, c cleanRoom, err error) {
	c.kind = r.Kind
	if c.scratch, err = tempDir(); err != nil {
		return v, c, err
	}
	v = view{memory: r.Kind == loop.RoomOverlay, scratch: c.scratch, spec: room.Spec{Scratch: c.scratch, Memory: w.Confine.Memory}}
	if !v.memory {
		v.spec.Scratch = ""
	}
	clean := w.homeIsClean(s, r)
	if clean {
		err = w.coverHome(&v, s, env, first)
	}
	for _, dir := range []string{w.Repo.CommonDir, w.TreeRoot} {
		v.readOnly(dir)
	}
	for _, dir := range w.treesBeside(tree) {
		v.mount(room.Mount{Kind: room.Empty, At: dir, Mode: 0o700, Optional: true})
	}
	if !clean { // it lies in the repository
		c.env, c.grants, err = w.replaceHome(&v, env, first)
	}
	if err != nil {
		c.remove()
	}
	return v, c, err
}

// in completes a room by its view.
func (c cleanRoom) in(v view) (cleanRoom, error) {
	if v.err != nil {
		c.remove()
		return c, v.err
	}
	c.spec = &v.spec
	return c, nil
}

// writableRoom prepares a room in which the tree is as it is, and can be written: that of
// set-up commands, whose HOME is kept for the loop's gates, and of gates in an agent's
// tree, whose HOME is not.
func (w *Worker) writableRoom(ctx context.Context, s loop.State, tree string, env []string, keep bool) (cleanRoom, error) {
	r := w.rooms(ctx)
	if !r.Layered() {
		c := cleanRoom{kind: loop.RoomTree}
		if _, err := c.homeOf(w, env, keep); err != nil {
			return c, err
		}
		if admin := w.Repo.AdminDir(tree); admin != "" {
			c.grants = append(c.grants, admin)
		}
		return c, nil
	}
	v, c, err := w.layeredHome(s, r, tree, env, keep)
	if err != nil {
		return c, err
	}
	if admin := w.Repo.AdminDir(tree); admin != "" {
		v.layer(admin, "", admin)
		c.grants = append(c.grants, admin)
	}
	v.through(tree)
	v.spec.Tree = tree
	return c.in(v)
}

// agentTreeRoom prepares the room of a gate in the tree of an agent that a sandbox holds:
// what the gate writes into the HOME, where it runs code of the agent's, is kept for nothing.
// A gate of an agent that none holds runs as that does.
func (w *Worker) agentTreeRoom(ctx context.Context, s loop.State, tree string, env []string) (c cleanRoom, err error) {
	if s.Sandbox != "" && s.Sandbox != loop.SandboxOff && w.Confine.Capabilities != nil {
		c, err = w.writableRoom(ctx, s, tree, env, false)
	}
	c.kind = loop.RoomTree
	return c, err
}

// isDir reports whether there is a directory at path.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
