package migrate

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/agent/registry"
	"ralph/internal/cli/launch"
	"ralph/internal/loop"
	"ralph/internal/migrate"
	"ralph/internal/next"
	"ralph/internal/store"
	"ralph/internal/view"
)

// adopt says what a loop becomes here, once it has a name: ended, as it was;
// paused, with a gate and an agent; or ended, since it has none. The answer is
// nil, and m.missing says why, for one that waits: it could continue but for an
// agent.
func (m *migration) adopt(ctx context.Context, f *migrate.Found) func(id string) loop.State {
	ended := func(why string) func(string) loop.State {
		return func(id string) loop.State { return f.End(m.spec(id, f), why, m.now) }
	}
	if f.Standing != migrate.Open {
		return ended("")
	}
	if why := f.Obstacle(); why != "" {
		return ended(why)
	}
	spec := m.spec("x", f)
	var none error
	if spec.Gates, none = m.gatesOf(f); none != nil {
		return ended(none.Error() + anewBy(spec.Mode))
	}
	head, err := m.p.Repo.Head(ctx)
	if err == nil && spec.Mode != loop.AgentDriven {
		spec.Agent, err = m.agentOf(f)
	}
	if err != nil {
		m.missing = err
		return nil
	}
	spec.Base = head.Commit
	if unfit := f.Adopt(spec, m.now).Validate(); unfit != nil {
		return ended(unfit.Error())
	}
	return func(id string) loop.State {
		named := m.spec(id, f)
		named.Gates, named.Agent, named.Base, named.StopIfGreen = spec.Gates, spec.Agent, spec.Base, spec.StopIfGreen
		if spec.Mode == loop.AgentDriven {
			named.Branch = head.Branch
		}
		return f.Adopt(named, m.now)
	}
}

// anewBy is how to start a loop again that cannot continue.
func anewBy(m loop.Mode) string {
	if m == loop.AgentDriven {
		return " (ralph loop init --gate NAME begins it anew)"
	}
	return ` (ralph run "…" --until "COMMAND" starts it anew)`
}

// spec is what every migrated loop has. The gate of one that has ended is only
// known where it was a command: `ralph retry` asks it again.
func (m *migration) spec(id string, f *migrate.Found) loop.Spec {
	set := m.p.Settings.Settings
	s := loop.Spec{
		ID: id, Mode: loop.Supervised, Project: m.p.Name(), Limits: m.p.Settings.Limits(), Root: m.p.TreeOrHome(), Branch: "ralph/" + id,
		Agent: loop.Agent{Name: cmp.Or(f.Agent, string(f.Kind))}, GatesInAgentTree: string(set.GatesIn) == "agent",
		Setup: set.Isolation.Setup, Teardown: set.Isolation.Teardown, Copy: set.Isolation.Copy, Protect: set.Protect, MayChange: set.MayChange, ConfigSHA256: m.p.Settings.Digest,
	}
	if f.Kind == migrate.AgileFlow {
		s.Mode, s.Limits, s.Branch = loop.AgentDriven, m.p.Settings.DrivenLimits(), ""
		s.Agent = loop.Agent{Name: cmp.Or(f.Agent, "agent"), Use: "session"}
		return s
	}
	if command, ok := f.Command(); ok {
		s.Gates, _ = launch.UntilGates([]string{command}, "")
		s.StopIfGreen = true
	}
	return s
}

var errNoCheck = errors.New("it has no command that proves the work done, and ralph.yaml has no gates")

// gatesOf returns the checks of a loop that continues: the one it names, the command
// that was to succeed, or those of ralph.yaml.
func (m *migration) gatesOf(f *migrate.Found) ([]loop.Gate, error) {
	if f.Kind == migrate.AgileFlow {
		name := f.Gate
		if f.Threshold != nil && name == "coverage" {
			name = fmt.Sprintf("%s=%v", name, *f.Threshold)
		}
		gates, err := launch.DrivenGates(m.Opener, m.p, launch.Flags{Gates: []string{name}}, "")
		if err != nil {
			return nil, errors.New("its gate cannot be run: " + strings.TrimPrefix(err.Error(), "--gate: "))
		}
		return gates, nil
	}
	if command, ok := f.Command(); ok {
		return launch.UntilGates([]string{command}, "")
	}
	gates := m.p.Settings.Gates()
	if !slices.ContainsFunc(gates, func(g loop.Gate) bool { return g.Level != loop.Soft && !g.Optional }) {
		if f.Completion != "" {
			return nil, fmt.Errorf("%w; what it says is no command: %q", errNoCheck, f.Completion)
		}
		return nil, errNoCheck
	}
	return gates, nil
}

// agentOf is the agent that worked on it, where that is known here, else the
// one of a new loop.
func (m *migration) agentOf(f *migrate.Found) (loop.Agent, error) {
	if slices.Contains(registry.Names(), f.Agent) {
		if agent, err := launch.Agent(m.Opener, m.p, launch.Flags{Agent: f.Agent}); err == nil {
			return agent, nil
		}
	}
	return launch.Agent(m.Opener, m.p, launch.Flags{})
}

// already tells of a loop that was imported before.
func (m *migration) already(f *migrate.Found, row view.MigratedLoop, before store.Imported) {
	row.Result, row.Message = view.MigrateAlready, "imported on "+before.At.Format(time.DateTime)+" UTC"
	if before.Changed {
		row.Result = view.MigrateChanged
		row.Message = "it has changed there since it was imported, and is not imported twice"
	}
	if before.LoopID == "" {
		row.Message += "; the loop was removed here since"
	} else {
		row.LoopID = &before.LoopID
	}
	m.done.Loops = append(m.done.Loops, row)
	m.remember(f, before.LoopID)
}

// imported reports a loop that was imported now.
func (m *migration) imported(f *migrate.Found, row view.MigratedLoop, s loop.State) {
	row.Result, row.LoopID, row.Task = view.MigrateImported, &s.ID, s.Task.Text
	row.Status, row.Reason, row.Message = s.Status, s.Reason, s.Message
	row.Iteration, row.MaxIterations = s.Iteration, s.Limits.MaxIterations
	if command := next.Loop(s, next.Facts{}); command != "" {
		row.Next = &command
	}
	if s.Status == loop.Paused {
		gate := gateWords(s.Gates)
		row.Gate = &gate
	}
	for _, l := range f.Losses() {
		row.Lost = append(row.Lost, view.Lost{What: l.What, Why: l.Why})
	}
	if fresh(f, m.now) {
		row.Lost = append(row.Lost, view.Lost{What: "the process that still runs it", Why: "it changed in the last minutes; stop it there before you resume it here"})
	}
	m.done.Loops = append(m.done.Loops, row)
	m.remember(f, s.ID)
}

// fresh: the file of an open loop was written just now.
func fresh(f *migrate.Found, now time.Time) bool {
	const lately = 5 * time.Minute
	return f.Standing == migrate.Open && !f.UpdatedAt.IsZero() && now.Sub(f.UpdatedAt) < lately
}

func gateWords(gates []loop.Gate) string {
	words := make([]string, len(gates))
	for i, g := range gates {
		words[i] = cmp.Or(g.Run, g.Name)
		if g.Threshold != nil {
			words[i] += fmt.Sprintf(" (≥ %v)", *g.Threshold)
		}
	}
	return strings.Join(words, ", ")
}

func (m *migration) remember(f *migrate.Found, id string) {
	if f.Current && f.Kind == migrate.Aiwg {
		m.current, m.linkTo = f, id
	}
}
