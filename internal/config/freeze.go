package config

import (
	"maps"
	"slices"
	"time"

	"ralph/internal/loop"
	"ralph/internal/recovery"
)

// Gates returns the gates in their order, ready to be frozen into a loop. The
// caller applies its multiplier to the timeouts.
func (r *Resolved) Gates() []loop.Gate {
	all := make([]loop.Gate, 0, len(r.Settings.Gates))
	for _, e := range r.Settings.Gates {
		g := e.Value.frozen(e.Name)
		g.Protect = slices.Clone([]string(r.Settings.Protect))
		all = append(all, g)
	}
	return all
}

func (g Gate) frozen(name string) loop.Gate {
	f := loop.Gate{
		Name:      name,
		Kind:      loop.Kind(g.Kind),
		Level:     loop.Level(g.Level),
		Run:       string(g.Run),
		Dir:       string(g.Dir),
		Env:       maps.Clone(map[string]string(g.Env)),
		Timeout:   loop.Deadline(g.Timeout),
		Parse:     string(g.Parse),
		MinTests:  g.MinTests.Ptr(),
		Report:    string(g.Report),
		Mutants:   g.Mutants.Int(),
		Baseline:  g.Threshold.Baseline,
		Scoped:    g.Scope.On(),
		Images:    string(g.Images),
		MinImages: g.Min.Ptr(),
		Optional:  g.Optional.On(),
		Ask:       string(g.Ask),
		NoNetwork: g.Network == "off",
		Network:   g.Network == "on" && g.Hidden.On(),
		Hidden:    g.Hidden.On(),
		Files:     string(g.Files),
		FilesRef:  string(g.FilesRef),
		Flaky:     loop.Flaky{Retries: g.Flaky.Retries.Int(), QuarantineUntil: string(g.Flaky.QuarantineUntil), Owner: string(g.Flaky.Owner)},
	}
	if p := g.Threshold.Percent; p != nil {
		floor := *p
		f.Threshold = &floor
	}
	return f
}

// Limits returns the limits of a loop, without any multiplier.
func (r *Resolved) Limits() loop.Limits {
	l, e := r.Settings.Limits, r.Settings.Escalation
	return loop.Limits{
		MaxIterations: l.MaxIterations.Int(),
		Attempt:       loop.Deadline(l.ImplementTimeout),
		Loop:          loop.Deadline(l.LoopTimeout),
		Session:       loop.Deadline(l.SessionTimeout),
		Fixes:         r.Settings.TestFix.Max.Int(),
		ConfirmPasses: l.ConfirmPasses.Int(),
		StuckAfter:    e.SameError.Int(),
		MaxShifts:     e.StrategyShifts.Int(),
		Regression:    e.Regression.Int(),
		NoChange:      e.NoChange.Int(),
		Plateau:       e.Plateau.Int(),
		Transient:     l.TransientErrors.Int(),
		BackOff:       time.Duration(l.BackOff),
		Wait:          time.Duration(l.Wait),
		Keep:          l.Keep.Percent,
		QuietHours:    string(l.QuietHours),
		Interruptions: l.Interruptions.Int(),
		Questions:     l.Questions.Int(),
	}
}

// DrivenLimits returns the limits of an agent-driven loop: its own number of
// checks, time and detectors; the rest as in any loop.
func (r *Resolved) DrivenLimits() loop.Limits {
	l, own := r.Limits(), r.Settings.AgentLoops
	none := loop.AgentDrivenLimits()
	l.Attempt, l.Session, l.NoChange, l.Plateau, l.Fixes = none.Attempt, none.Session, none.NoChange, none.Plateau, none.Fixes
	l.MaxIterations, l.Loop, l.Regression = own.MaxIterations.Int(), loop.Deadline(own.Timeout), own.Regression.Int()
	l.Stall = r.Settings.Limits.Stall.After
	return l
}

// PerParent returns how many loops of one orchestration may run at once.
func (r *Resolved) PerParent() int { return r.Settings.AgentLoops.PerParent.Int() }

// Agents returns the agents in their order; the first one is the default. A script
// is a file, never a line for a shell.
func (r *Resolved) Agents() []loop.Agent {
	var all []loop.Agent
	for _, e := range r.Settings.Agents {
		all = append(all, e.Value.frozen(e.Name))
	}
	return all
}

// CheckpointEvery returns the work between two checkpoints; 0 is none.
func (r *Resolved) CheckpointEvery() time.Duration { return r.Settings.Serve.CheckpointEvery.After }

// Recovery returns the policy for crashed loops.
func (r *Resolved) RecoveryPolicy() recovery.Policy {
	p := recovery.DefaultPolicy()
	p.Max, p.BackOff = r.Settings.Serve.MaxRescues.Int(), time.Duration(r.Settings.Serve.BackOff)
	return p
}

func (a Agent) frozen(name string) loop.Agent {
	return loop.Agent{
		Name:         name,
		Use:          string(a.Use),
		Argv:         slices.Clone(a.Run.Argv),
		Shell:        a.Run.Shell && a.Use == "command",
		Args:         slices.Clone([]string(a.Args)),
		Env:          maps.Clone(map[string]string(a.Env)),
		Model:        string(a.Model),
		Permissions:  loop.Permissions(a.Permissions),
		Account:      string(a.Account),
		MaxTurns:     a.MaxTurns.Int(),
		MaxSameCalls: a.MaxSameCalls.Int(),
		Stall:        time.Duration(a.Stall),
		Provider:     string(a.Provider),
		BaseURL:      string(a.BaseURL),
		KeyEnv:       string(a.KeyEnv),
		MaxTokens:    a.MaxTokens.Int(),
	}
}

// MaxLoops returns how many loops of this repository may run at once.
func (r *Resolved) MaxLoops() int { return r.Settings.Limits.MaxLoops.Int() }
