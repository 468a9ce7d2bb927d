package move

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/engine"
	"ralph/internal/engine/move"
	"ralph/internal/loop"
	"ralph/internal/next"
)

const example = "ralph move ID --to 'temporal://HOST:7233/NAMESPACE?files=/shared/folder', or --to local"

func (a *Commands) MoveCommand() *cobra.Command {
	var to string
	var lost, lostClone bool
	cmd := &cobra.Command{
		Use:     "move ID --to ENGINE",
		GroupID: command.GroupSteer,
		Short:   "Move a loop or plan at rest to the engine of a team, or back",
		Long: `Move a loop or a plan that no process drives (paused, waiting for a person, or ended and
not accepted) from this machine to the server of a team, or from there to this clone: with
its whole history, its evidence and its branch, and a plan with its loops and the plans in
the places of its tasks. It stands there as it stood here, and is continued with ralph
resume. The record that stays behind says where it is.

After a kill or an error at any moment the same command completes the move; until then
neither side continues the loop or plan. A move to a server that has not arrived there is
taken back with --to local. From one server to another a run comes here in between.

A run whose server is lost for good is continued here with --abandon-server, from its
record before the move. What was done there is not here, and workers that still reach
that server continue it apart. It asks first, and needs no server. Where the clone is
lost to which a run moved, or was moving, any other clone continues it on the server with
--to ENGINE --abandon-clone, in the same way.

A loop of a plan, or a plan in the place of a task, moves with it only. Loops and plans
that need this machine cannot be moved: --in-place, --with-changes, isolation.copy, hidden
gates, and loops that an agent drives.`,
		Example: `  ralph move ID --to 'temporal://box:7233/shop?files=/mnt/ralph'
  ralph move plan.md --to 'temporal://box:7233/shop?files=/mnt/ralph'  # with its loops
  ralph resume ID --engine 'temporal://box:7233/shop?files=/mnt/ralph'
  ralph move ID --to local                                  # back to where it came from
  ralph move ID --to local --engine temporal://box:7233/shop # to a clone that never had it`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			standing, err := a.standing()
			if err != nil {
				return err
			}
			ctx, end := a.Interruptible(cmd.Context())
			defer end()
			r := request{given: cmd.Flag("engine").Value.String(), standing: standing, abandon: lost, abandonClone: lostClone}
			return a.move(ctx, command.First(args), to, r)
		},
	}
	a.LoopIDFlag(cmd)
	cmd.Flags().BoolVar(&lost, "abandon-server", false, "with --to local, where the server is lost for good: continue here from before the move; what was done there is not here")
	cmd.Flags().BoolVar(&lostClone, "abandon-clone", false, "with --to ENGINE, where the clone is lost for good to which the run moved or was moving: continue on that server from before the move; what was done in the clone is not there")
	cmd.Flags().StringVar(&to, "to", "", "where the loop or plan is kept from now on: `ENGINE` is the address of a server, or local")
	return cmd
}

// standing returns the engine that commands without --engine are about; empty is this
// machine's.
func (a *Commands) standing() (string, error) {
	if given := a.Getenv(project.TeamVariable); given != "" {
		return given, nil
	}
	return config.UsersEngine(a.Env)
}

// request is one call of the command.
type request struct {
	id string
	// plan: the run is a plan.
	plan bool
	// out: to the server; else to this machine. abandon: without its server, which is lost;
	// abandonClone: without the clone that has it.
	out, abandon, abandonClone bool
	server                     project.Address
	// given is that of the flag --engine, standing that of the environment or the user's
	// settings.
	given, standing string
}

// other is the server that the call names besides the end of the move; empty is none.
func (r request) other() string {
	other := cmp.Or(r.given, r.standing)
	if other == config.LocalEngine {
		return ""
	}
	return other
}

func (a *Commands) move(ctx context.Context, name, to string, r request) error {
	switch {
	case name == "":
		return exit.UsageError(example, "which loop or plan is to be moved?")
	case to == "":
		return exit.UsageError(example, "missing --to: where is %s to be moved?", name)
	case r.abandon && to != config.LocalEngine:
		return exit.UsageError(next.AbandonServer(name), "--abandon-server continues a run on this machine")
	case r.abandonClone && to == config.LocalEngine:
		return exit.UsageError(next.AbandonClone(name, loop.Home{Engine: "ENGINE"}), "--abandon-clone continues a run on its server")
	}
	p, err := a.Open(ctx, false)
	if err != nil {
		return err
	}
	defer p.Close()
	r.out = to != config.LocalEngine
	here, err := a.find(ctx, p, name)
	if err != nil {
		return err
	}
	r.id, r.plan = here.id, here.plan
	if r.abandon {
		return a.abandon(ctx, p, name, r, here)
	}
	if r.server, err = serverOf(r, here.state, to); err != nil {
		return err
	}
	if r.id == "" && r.out && !r.abandonClone {
		return exit.UsageError("ralph status --all lists them; one that another server keeps comes here first: ralph move ID --to local --engine ADDRESS", "there is no loop or plan %q on this machine", name)
	}
	if err := elsewhere(r, here.state); err != nil {
		return err
	}
	if err := a.linked(r.server); err != nil {
		return err
	}
	peer, err := a.Peer(ctx, p, r.server)
	if err != nil {
		return lost(err, r, here)
	}
	defer peer.Close()
	if r.id == "" {
		if r.id, r.plan, err = a.findThere(ctx, peer, name); err != nil {
			return err
		}
	}
	a.About = r.id
	agree := a.agree
	if r.abandonClone {
		agree = a.agreeToLose
	}
	if going, err := agree(ctx, peer, r, here); err != nil || !going {
		return err
	}
	done, err := carryOut(ctx, peer.Mover, r)
	if err != nil {
		return refused(ctx, err, r, peer.There)
	}
	return a.report(done, r, peer.There)
}

// carryOut moves the run.
func carryOut(ctx context.Context, m *move.Mover, r request) (outcome, error) {
	if r.plan {
		act := m.BackPlan
		switch {
		case r.abandonClone:
			act = m.AbandonClonePlan
		case r.out:
			act = m.OutPlan
		case r.abandon:
			act = m.AbandonPlan
		}
		got, err := act(ctx, r.id)
		s := got.State.Unmoved()
		return outcome{s.Status, s.Reason, next.Plan(s, next.PlanFacts{}), got.Already, got.TakenBack, got.Kept}, err
	}
	act := m.Back
	switch {
	case r.abandonClone:
		act = m.AbandonClone
	case r.out:
		act = m.Out
	case r.abandon:
		act = m.Abandon
	}
	got, err := act(ctx, r.id)
	s := got.State.Unmoved()
	return outcome{s.Status, s.Reason, next.Loop(s, next.Facts{}), got.Already, got.TakenBack, got.Kept}, err
}

// serverOf returns the server to or from which a loop moves: the one that was given, else
// the one that the loop's record names.
func serverOf(r request, here loop.Transit, to string) (project.Address, error) {
	if r.out {
		return project.ParseAddressOf("--to", to)
	}
	from, known := recorded(here)
	other := r.other()
	switch {
	case other == "" && !known:
		if r.id != "" {
			return project.Address{}, exit.UsageError(next.Show(r.id), "%s is here already", r.id)
		}
		return project.Address{}, exit.UsageError("add --engine temporal://HOST:7233/NAMESPACE", "no loop or plan of this repository has that ID: which server keeps it?")
	case known && (other == "" || !from.Same(loop.Home{Engine: other})):
		return project.ParseAddressOf("--engine", from.Engine)
	}
	return project.ParseAddressOf("--engine", other)
}

// recorded is the server that the record here names.
func recorded(t loop.Transit) (loop.Home, bool) {
	switch from, to, moving := t.Moving(); {
	case moving && to.Engine != loop.LocalEngine:
		return to, true
	case moving:
		return from, true
	case t.Away():
		to := t.Move.To
		return to, to.Engine != loop.LocalEngine
	case t.Origin != nil:
		return *t.Origin, t.Origin.Engine != loop.LocalEngine
	}
	return loop.Home{}, false
}

// refused adds the way on to an error.
func refused(ctx context.Context, err error, r request, there loop.Home) error {
	again := next.Move(r.id, loop.Home{Engine: loop.LocalEngine})
	switch {
	case r.abandonClone:
		again = next.AbandonClone(r.id, there)
	case r.out:
		again = next.Move(r.id, there)
	case r.abandon:
		again = next.AbandonServer(r.id)
	}
	if stop, stopped := errors.AsType[*exit.Error](context.Cause(ctx)); stopped {
		return &exit.Error{Code: stop.Code, Err: fmt.Errorf("stopped: the move of %s may not be complete", r.id), Hint: next.Show(r.id) + " tells; the same command completes it: " + again}
	}
	if cut, is := errors.AsType[*move.CutOffError](err); is {
		return &exit.Error{Code: exit.Busy, Err: err, Hint: "continue it, and pause it then: " + next.Resume(cut.ID, "-d") + "; " + next.Pause(cut.ID)}
	}
	switch {
	case errors.Is(err, engine.ErrNotNow), (r.abandon || r.abandonClone) && errors.Is(err, engine.ErrRunning):
		return &exit.Error{Code: exit.Busy, Err: err, Hint: "try again: " + again}
	case errors.Is(err, engine.ErrRunning):
		pause := next.Pause(r.id)
		if !r.out {
			pause = next.At(there, pause)
		}
		return &exit.Error{Code: exit.Busy, Err: fmt.Errorf("only a loop or plan at rest can be moved: %w", err), Hint: "pause it first: " + pause}
	case errors.Is(err, engine.ErrExists):
		return exit.UsageError("both stay as they are: "+next.Show(r.id)+"; "+next.At(there, next.Show(r.id)), "%v", err)
	case errors.Is(err, engine.ErrAway):
		return &exit.Error{Code: exit.Missing, Err: err, Hint: "once the server answers, the same command completes the move: " + again}
	}
	return err
}
