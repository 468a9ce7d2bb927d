package project

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"ralph/internal/agent/registry"
	"ralph/internal/cli/exit"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
	"ralph/internal/sandbox"
	"ralph/internal/text"
)

// confine is how the loops of this command hold their agents.
func (a *Opener) confine(p *Project) worker.Confine {
	own := []string{filepath.Join(a.StateHome(), "ralph")}
	pages := WebDir(a.StateHome())
	settings := []string{sandbox.Literal(pages)}
	for _, dir := range []string{a.Getenv("XDG_CONFIG_HOME"), filepath.Join(a.Getenv("HOME"), ".config")} {
		if filepath.IsAbs(dir) {
			own = append(own, filepath.Join(dir, "ralph"))
			settings = append(settings, sandbox.Literal(filepath.Join(dir, "ralph")))
		}
	}
	c := worker.Confine{Capabilities: a.Sandboxes, Layers: new(sandbox.Kept), Protected: own, Settings: settings, DrivenSandbox: a.DrivenSandbox, DrivenWrite: a.DrivenWrite, DrivenAsked: a.DrivenAsked}
	if a.ControlSocket != nil {
		c.ControlSocket = a.ControlSocket(a, p)
	}
	return c
}

// makeHidden makes the folders that a sandbox hides: what is not there cannot be hidden, and
// may come while an agent runs. Commands that only read make none.
func (a *Opener) makeHidden() error {
	err := os.MkdirAll(WebDir(a.StateHome()), 0o700)
	if err == nil {
		return nil
	}
	err = fmt.Errorf("make the state directory of ralph: %w", err)
	if errors.Is(err, syscall.ENOTDIR) || errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission) {
		return &exit.Error{Code: exit.Config, Err: err, Hint: "XDG_STATE_HOME must name a directory that ralph can write; without it, ralph uses ~/.local/state"}
	}
	return err
}

// SandboxLine says what will hold the agent and which folders that it should write
// it may not, or why it may not start.
func (a *Opener) SandboxLine(ctx context.Context, p *Project, s loop.Spec) (string, error) {
	if err := a.preflight(ctx, p, s); err != nil {
		return "", err
	}
	by, err := a.Sandboxes.Choose(ctx, s.Sandbox, s.InPlace)
	if err != nil {
		return "", err
	}
	return strings.Join(append([]string{a.sandboxLine(p, s, by)}, hiddenGates(s, by)...), "\n        "), nil
}

// hiddenGates tells of each hidden gate what agents cannot read, or that they can.
func hiddenGates(s loop.Spec, by loop.Holder) (lines []string) {
	if by == loop.HeldNone && s.HasHidden() {
		return []string{"the agent can read what hidden gates run: nothing keeps it from their files"}
	}
	for _, g := range s.Gates {
		if g.Hidden {
			lines = append(lines, "hidden gate "+text.Line(g.Name)+": agents cannot read "+text.Line(cmp.Or(g.Files, "its command")))
		}
	}
	return lines
}

func (a *Opener) sandboxLine(p *Project, s loop.Spec, by loop.Holder) string {
	switch {
	case CannotNest(s.Agent, by):
		return a.held(p, s, by) + fmt.Sprintf("\n        the sandbox of %s itself is off: it cannot start inside of this one", s.Agent.Use)
	case by != loop.HeldNone:
		return a.held(p, s, by)
	case s.Sandbox == loop.SandboxOff || s.Sandbox == "":
		return "sandbox none: it is switched off; the agent has your rights"
	}
	return "sandbox none works here: the agent has your rights; ralph doctor tells why"
}

// held describes the sandbox by, and which folders it closes.
func (a *Opener) held(p *Project, s loop.Spec, by loop.Holder) string {
	w := a.WorkerFactory(p)("")
	lines := []string{"sandbox " + string(by)}
	if hides := w.Hides(s); len(hides) > 0 {
		lines[0] += ", hides " + text.Clean(text.Few(hides, 3))
	}
	for _, u := range w.Unmet(s) {
		lines = append(lines, "        "+text.Clean(u.Path)+" may not be written: "+text.Clean(u.Why)+" ("+text.Clean(u.Fix)+")")
	}
	return strings.Join(lines, "\n")
}

// CannotNest reports whether the agent's own sandbox fails in ralph's, so that its
// driver switches it off.
func CannotNest(g loop.Agent, by loop.Holder) bool {
	n, ok := registry.Find(g.Use)
	return ok && n.Footprint().OwnSandbox && g.Permissions != loop.PermissionsSkip && by == loop.HeldLandlock
}
