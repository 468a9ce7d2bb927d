package worker

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/agent/registry"
	"ralph/internal/durable"
	"ralph/internal/loop"
	"ralph/internal/sandbox"
	"ralph/internal/sandbox/room"
)

// homeIsClean reports whether no agent of the loop can write the user's HOME: each
// works in a layer over it.
func (w *Worker) homeIsClean(s loop.State, r sandbox.Rooms) bool {
	if !r.Layered() || r.Home != "" || w.Confine.Capabilities == nil {
		return false
	}
	return s.Sandbox != loop.SandboxOff && s.Sandbox != "" && w.held(s)
}

// held reports whether a sandbox holds the loop's agents here: with sandbox: auto
// there may be none.
func (w *Worker) held(s loop.State) bool {
	by, err := w.Confine.Capabilities.Choose(context.Background(), s.Sandbox, s.InPlace)
	return err == nil && by != loop.HeldNone
}

// kept is the directory of the layers that the loop keeps: "agent" for its agents,
// "gate" for what set-up and the gates of the base left.
func (w *Worker) kept(what string) (string, error) {
	dir, err := w.Confine.Layers.Dir(w.Files.Dir)
	return filepath.Join(dir, what), err
}

// dropKept removes the layers of the loop.
func (w *Worker) dropKept() {
	w.Confine.Layers.Drop(w.Files.Dir)
	room.RemoveAll(w.homeDir())
}

// layerOf is the directory of one covered directory's changes.
func layerOf(kept, root string) string {
	sum := sha256.Sum256([]byte(root))
	return filepath.Join(kept, hex.EncodeToString(sum[:6]))
}

// coverHome covers the HOME and the caches outside of it for a gate. Below is what
// the set-up and the gates of the base left there, then the user's own. What the
// loop's agents may write there for real is not shown.
func (w *Worker) coverHome(v *view, s loop.State, env []string, first bool) error {
	kept, err := w.kept("gate")
	if err != nil {
		return err
	}
	p := sandbox.Profile{Env: env}
	for _, root := range p.HomeRoots() {
		layer := layerOf(kept, root)
		if first {
			v.layer(root, layer, root)
			continue
		}
		from := []string{root}
		if upper := filepath.Join(layer, "upper"); isDir(upper) {
			freshen(filepath.Join(upper, ".cache", "go-build"))
			from = []string{upper, root}
		}
		v.layer(root, "", from...)
	}
	for _, dir := range w.stateDirs(s, env) {
		v.mount(room.Mount{Kind: room.Empty, At: dir, Mode: 0o700, Optional: true})
	}
	return nil
}

// homeFor is agentHome where there is a layer.
func (w *Worker) homeFor(s loop.State, p sandbox.Profile, layer string) (*room.Spec, error) {
	if layer == "" {
		return nil, nil
	}
	return w.agentHome(s, p, layer)
}

// agentLayer is the directory of the layer over the HOME of the loop's agents; ""
// where they have none.
func (w *Worker) agentLayer(ctx context.Context, s loop.State) (string, error) {
	if !w.homeIsClean(s, w.rooms(ctx)) {
		return "", nil
	}
	return w.kept("agent")
}

// reviewerLayer is the same for one run of a reviewer, which leaves nothing.
func (w *Worker) reviewerLayer(ctx context.Context, s loop.State) (string, error) {
	if !w.homeIsClean(s, w.rooms(ctx)) {
		return "", nil
	}
	root, err := sandbox.LayerRoot()
	if err != nil {
		return "", err
	}
	return os.MkdirTemp(root, "review-")
}

// agentHome covers the HOME of an agent. Its login and its sessions, and what a
// person opened to it, it writes for real; everything else is kept for the loop's
// attempts and thrown away with the loop.
func (w *Worker) agentHome(s loop.State, p sandbox.Profile, kept string) (*room.Spec, error) {
	gates, err := w.kept("gate")
	if err != nil {
		return nil, err
	}
	v := view{}
	roots := p.HomeRoots()
	for _, root := range roots {
		from := []string{root}
		if upper := filepath.Join(layerOf(gates, root), "upper"); isDir(upper) {
			from = []string{upper, root}
		}
		v.layer(root, layerOf(kept, root), from...)
	}
	through := slices.Concat(p.Protected, p.Grants, p.Write, p.Sockets, []string{p.Temp}, w.stateDirs(s, p.Env))
	slices.Sort(through)
	others := w.otherTrees(s)
	for _, path := range slices.Compact(through) {
		switch r, err := filepath.EvalSymlinks(path); {
		case err != nil || !inAny(r, roots):
		case slices.Contains(others, path):
			v.mount(room.Mount{Kind: room.Bind, At: r, From: []string{r}, Optional: true})
		default:
			v.through(path)
		}
	}
	return &v.spec, v.err
}

// otherTrees are the worktrees of other loops and of reviewers: they may be removed
// while a room is made.
func (w *Worker) otherTrees(s loop.State) []string {
	return slices.DeleteFunc(w.Repo.TreePaths(), func(path string) bool {
		return path == s.Worktree || path == s.GateTree || path == s.Root
	})
}

// inAny reports whether a real path lies in one of the directories, and is none of
// them.
func inAny(path string, dirs []string) bool {
	return slices.ContainsFunc(dirs, func(dir string) bool { return strings.HasPrefix(path, dir+"/") })
}

// stateDirs are the existing directories of the loop's agent with its login and
// sessions. Those of any agent count for a command that ralph does not know: it
// may start each of them.
func (w *Worker) stateDirs(s loop.State, env []string) []string {
	p := sandbox.Profile{Env: env}
	if n, ok := registry.Find(s.Agent.Use); ok && len(n.Footprint().State) > 0 {
		p.CreateStateDirs(s.Agent.Use)
		return existing(n.Footprint(), env)
	}
	var out []string
	registry.Collect(func(f agent.Footprint) []string {
		out = append(out, existing(f, env)...)
		return nil
	})
	return out
}

// logins are what the loop's agent needs of the HOME although it may be hidden: its
// settings, login and sessions, and those of a cloud that it uses by its environment.
func (w *Worker) logins(s loop.State, env []string) []string {
	out := w.stateDirs(s, env)
	need := func(f agent.Footprint) []string {
		for _, name := range f.Files {
			out = append(out, agent.Home(env, name))
		}
		for variable, folder := range f.Clouds {
			if agent.Setting(env, variable) != "" {
				out = append(out, agent.Home(env, folder))
			}
		}
		return nil
	}
	if n, ok := registry.Find(s.Agent.Use); ok {
		need(n.Footprint())
	} else {
		registry.Collect(need)
	}
	return out
}

func existing(f agent.Footprint, env []string) []string {
	home := agent.Home(env)
	get := func(name string) string { return agent.Setting(env, name) }
	var out []string
	for _, d := range f.State {
		out = append(out, d.In(home, get))
	}
	for _, name := range f.Folders {
		out = append(out, filepath.Join(home, name))
	}
	return slices.DeleteFunc(out, func(dir string) bool { return !isDir(dir) })
}

// returnFiles copies the single files of the agent's program (a login, its
// settings) from the layer to the user's HOME, since a file cannot be replaced
// where it is mounted. One that the user changed meanwhile, or that is not what it
// was, stays as it is.
func (w *Worker) returnFiles(env []string, before map[string]os.FileInfo) {
	kept, err := w.kept("agent")
	if err != nil {
		return
	}
	for path, was := range before {
		for _, root := range (sandbox.Profile{Env: env}).HomeRoots() {
			below, err := filepath.Rel(root, path)
			if err != nil || !filepath.IsLocal(below) {
				continue
			}
			written := filepath.Join(layerOf(kept, root), "upper", below)
			returnFile(written, path, was)
			_ = os.Remove(written) // the next run begins with the user's
		}
	}
}

// returnFile replaces a file by its copy in a layer.
func returnFile(written, path string, was os.FileInfo) {
	const most = 32 << 20
	info, err := os.Lstat(written)
	if err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return
	}
	now, err := os.Lstat(path)
	if err != nil && was != nil || err == nil && (was == nil || !now.ModTime().Equal(was.ModTime()) || now.Size() != was.Size()) {
		return
	}
	data, err := os.ReadFile(written)
	if err != nil || filepath.Ext(path) == ".json" && !json.Valid(data) {
		return
	}
	_ = durable.Write(path, data)
}

// loneFiles are the single files of the agent's program, as they are now; nil where
// there is none.
func loneFiles(s loop.State, env []string) map[string]os.FileInfo {
	out := map[string]os.FileInfo{}
	n, ok := registry.Find(s.Agent.Use)
	if !ok {
		return out
	}
	for _, name := range n.Footprint().Files {
		path := filepath.Join(agent.Home(env), name)
		info, err := os.Lstat(path)
		if err != nil {
			info = nil
		}
		out[path] = info
	}
	return out
}
