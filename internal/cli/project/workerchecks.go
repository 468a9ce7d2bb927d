package project

import (
	"context"
	"fmt"
	"strings"

	"ralph/internal/agent/registry"
	"ralph/internal/cli/exit"
	"ralph/internal/engine/team"
	"ralph/internal/engine/worker"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// Check is one thing that a worker needs.
type Check struct {
	Name string `json:"check"`
	// Level is ok, warn or fail.
	Level string `json:"level"`
	What  string `json:"what"`
	Fix   string `json:"fix,omitempty"`
}

// The levels of a Check.
const (
	CheckOK   = "ok"
	CheckWarn = "warn"
	CheckFail = "fail"
)

// CheckWorker proves, without an agent, that this machine can work for a team. The project
// is nil where it could not be opened, which is why then.
func (a *Opener) CheckWorker(ctx context.Context, p *Project, why error) []Check {
	if p == nil {
		f := exit.Classify(why)
		return []Check{{"start", CheckFail, f.Err.Error(), f.Hint}}
	}
	all := []Check{
		{"git", CheckOK, p.Repo.Version, ""},
		{"server", CheckOK, a.TeamAddress.Host + " keeps the loops of " + p.travel.Files.Project, ""},
		{"remote", CheckOK, "git reads " + p.remote, ""},
		p.checkContent(ctx), p.checkPush(ctx), p.checkFiles(ctx), a.checkSandbox(ctx, p),
	}
	return append(all, a.checkPrograms(ctx, p)...)
}

// checkContent looks at what trees of the remote's branch would lack on any worker. Loops
// that need it are refused where they are started.
func (p *Project) checkContent(ctx context.Context) Check {
	const name = "content"
	tip, err := p.Repo.RefCommit(ctx, remoteHead)
	var c team.Content
	if err == nil {
		c, err = team.ContentOf(ctx, p.Repo, tip)
	}
	switch {
	case err != nil:
		return Check{name, CheckFail, err.Error(), ""}
	case len(c.Filters) > 0:
		return Check{name, CheckFail, ".gitattributes names content filters (" + strings.Join(c.Filters, ", ") + "), which no worker runs: Git LFS and the like do not work with a team", "run these loops on one machine: --engine local"}
	case c.Submodules:
		return Check{name, CheckWarn, "the repository has submodules: only loops with set-up commands are started", "fetch them in isolation.setup: git submodule update --init --recursive"}
	}
	return Check{name, CheckOK, "no submodules, no content filters", ""}
}

func (p *Project) checkPush(ctx context.Context) Check {
	const name, fix = "push", "give this machine's key or login the right to push to refs/heads/ralph/*"
	tip, err := p.Repo.RefCommit(ctx, remoteHead)
	if err == nil {
		err = p.travel.TryPush(ctx, "ralph/_worker-"+p.Hash(), tip)
	}
	if err != nil {
		return Check{name, CheckFail, err.Error(), fix}
	}
	return Check{name, CheckOK, "branches below refs/heads/ralph can be pushed and deleted", ""}
}

func (p *Project) checkFiles(ctx context.Context) Check {
	const name = "files"
	in := p.travel.Files.In
	if in == nil {
		return Check{name, CheckWarn, "no folder and no object store is shared: output and evidence stay on the machine that made them", "add ?files=/shared/folder or ?files=s3://BUCKET/PREFIX to the address"}
	}
	if err := p.travel.Files.Check(ctx); err != nil {
		fix := "give this machine credentials that may write, read, list and delete objects there, or change files= in the address"
		if _, is := in.(team.Folder); is {
			fix = "mount the folder here, writable for this user, or change files= in the address"
		}
		return Check{name, CheckFail, err.Error(), fix}
	}
	return Check{name, CheckOK, in.String() + ": files can be written, listed, read and deleted", ""}
}

func (a *Opener) checkSandbox(ctx context.Context, p *Project) Check {
	const name = "sandbox"
	by, err := a.Sandboxes.Choose(ctx, loop.Sandbox(p.Settings.Settings.Sandbox), false)
	switch {
	case err != nil:
		return Check{name, CheckFail, err.Error(), "ralph doctor tells why"}
	case by == loop.HeldNone:
		return Check{name, CheckWarn, "none: agents have your rights, and the key that pushes", "ralph doctor tells why"}
	}
	return Check{name, CheckOK, string(by), ""}
}

// checkPrograms looks for the agents that the user configured, and for those that ralph
// knows. Which one a loop needs is recorded with it.
func (a *Opener) checkPrograms(ctx context.Context, p *Project) (all []Check) {
	env := worker.Environment(a.Env).Agent()
	for _, g := range p.Settings.Agents() {
		if absent := absentCommand(ctx, g, p.TreeOrHome(), env); absent != "" {
			all = append(all, Check{"agent " + g.Name, CheckFail, absent + ": command not found", "install it, or take it out of your settings"})
		}
	}
	var found []string
	for _, n := range registry.Natives() {
		if _, err := proc.LookPath(n.Program()); err == nil {
			found = append(found, n.Program())
		}
	}
	if len(found) == 0 {
		return append(all, Check{"agents", CheckWarn, "none of " + strings.Join(registry.Names(), ", ") + " is on PATH: only loops with --agent-cmd can work here", "install the agents that your team uses"})
	}
	return append(all, Check{"agents", CheckOK, fmt.Sprintf("on PATH: %s; ralph doctor tells about their logins", strings.Join(found, ", ")), ""})
}
