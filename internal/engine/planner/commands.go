package planner

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"ralph/internal/gate"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// Commands that a plan names are proposals: one becomes a gate when a person has
// accepted this very text for this plan.

// Proposals are the commands that a plan proposes as checks, each once.
func Proposals(p plan.Plan) []string {
	all := slices.Clone(p.Commands)
	for _, t := range p.Tasks {
		all = append(all, t.Commands...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Approve records that the user accepted a command of a plan.
func (p *Planner) Approve(ctx context.Context, id, command string) error {
	return p.Approvals.Approve(ctx, id, digestOf(command), p.By)
}

// Approved returns the approved commands of a plan as gates that run in the folder
// dir of a tree, and the commands that are still open. Trust approves all of them.
func (p *Planner) Approved(ctx context.Context, id string, pl plan.Plan, dir string, trust bool) (gates map[string]loop.Gate, open []string, err error) {
	gates = map[string]loop.Gate{}
	for _, c := range Proposals(pl) {
		ok := trust
		if !ok {
			if ok, err = p.Approvals.Approved(ctx, id, digestOf(c)); err != nil {
				return nil, nil, err
			}
		}
		if ok {
			gates[c] = CommandGate(c, dir)
		} else {
			open = append(open, c)
		}
	}
	return gates, open, nil
}

// useApproved makes commands gates of the next loops that the user has approved since
// the run was asked for: by a command, or by an answer. It asks about those that came since
// then and are not approved.
func (r *run) useApproved(ctx context.Context) error {
	for _, c := range Proposals(r.doc.plan) {
		if _, known := r.spec.Commands[c]; known {
			continue
		}
		ok, err := r.Approvals.Approved(ctx, r.spec.ID, digestOf(c))
		if err == nil && !ok && slices.Contains(r.state.Checks, c) {
			ok, err = true, r.Approve(ctx, r.spec.ID, c)
		}
		if err != nil {
			return err
		}
		if ok {
			gates := map[string]loop.Gate{c: CommandGate(c, r.gatesDir())}
			maps.Copy(gates, r.spec.Commands) // running jobs may read the former map
			r.spec.Commands = gates
		}
	}
	return r.askProposed(ctx)
}

// askProposed records which open tasks wait for a person to approve their commands.
func (r *run) askProposed(ctx context.Context) error {
	commands, changed := map[string][]string{}, false
	wanted := r.doc.plan.WantedIDs(r.state.Rules.Only)
	for i := range r.state.Tasks { // at each step, and tasks can be thousands
		t := &r.state.Tasks[i]
		task, there := r.doc.task(t.ID)
		if !there || t.Gone || t.Status != plan.Pending || wanted != nil && !slices.Contains(wanted, t.ID) {
			continue
		}
		for _, c := range task.Commands {
			_, approved := r.spec.Commands[c]
			if !approved && !slices.Contains(r.spec.Shown, c) && !t.GoesWithout(c) {
				commands[t.ID] = append(commands[t.ID], c)
			}
		}
		changed = changed || !t.ProposesAll(commands[t.ID])
	}
	if !changed {
		return nil
	}
	return r.commit(ctx, plan.Proposed{Stamp: r.stamp(), Commands: commands})
}

// gatesDir is the folder of a tree in which the commands of the plan run: that of the
// request, which another process may have made in another folder.
func (r *run) gatesDir() string {
	for _, g := range r.spec.Commands {
		return g.Dir
	}
	return r.Repo.Prefix
}

// CommandGate is a command of a plan as a gate. Its name is given where it is
// used.
func CommandGate(command, dir string) loop.Gate {
	kind, parse := gate.Infer(command)
	return loop.Gate{Kind: kind, Parse: parse, Level: loop.Hard, Run: command, Dir: dir, Timeout: loop.GateTimeout(kind)}
}

func digestOf(command string) string {
	sum := sha256.Sum256([]byte(command))
	return hex.EncodeToString(sum[:])
}
