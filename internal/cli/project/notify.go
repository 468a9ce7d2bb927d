package project

import (
	"context"
	"time"

	"ralph/internal/config"
	"ralph/internal/engine/notifier"
	"ralph/internal/engine/worker"
	"ralph/internal/notify"
	"ralph/internal/store/outbox"
)

// moment is how long a command that ends waits for its last messages.
const moment = 3 * time.Second

// askServer is how often the server of a team is asked for what is new about its plans.
const askServer = 2 * time.Second

// Button is an answer that a message offered; ErrNoButton is returned for a token that
// was never given out.
type Button = outbox.Button

var ErrNoButton = outbox.ErrNoButton

// Outbox is where notices of the repository wait for their targets.
func (a *Opener) Outbox(p *Project, reading bool) *outbox.Box {
	return outbox.New(p.Home, a.Now, reading)
}

// NotifyTargets are the addresses of the user's settings. One that cannot be used is
// broken.
func (a *Opener) NotifyTargets(settings *config.Resolved) []notifier.Target {
	var out []notifier.Target
	for _, c := range settings.NotifyTargets() {
		t := notifier.Target{Name: c.Name, Events: c.Events, Quiet: c.Quiet}
		t.Target, t.Broken = notify.New(notify.Options{To: c.To, Secret: c.Secret, Env: a.Env, Dir: a.Dir, Terminal: ownTerminal{a}, Now: a.Now})
		out = append(out, t)
	}
	return out
}

// ownTerminal is the terminal of this process, as long as it has one: a run that goes
// into the background loses it.
type ownTerminal struct{ *Opener }

func (t ownTerminal) Write(p []byte) (int, error) {
	if !t.IsTerminal(t.Err) {
		return 0, notify.ErrNoTerminal
	}
	return t.Err.Write(p)
}

// Notifier tells what happens to the runs of a project; nil where no target is
// configured.
func (a *Opener) Notifier(p *Project) *notifier.Notifier {
	if p.Settings == nil || p.Store.ReadOnly() {
		return nil
	}
	targets := a.NotifyTargets(p.Settings)
	if len(targets) == 0 {
		return nil
	}
	for _, t := range targets {
		if t.Broken != nil {
			a.Say("! notify.targets.%s: %v", t.Name, t.Broken)
		}
	}
	n := notifier.Options{
		Store: p.Store, Box: a.Outbox(p, false), Project: p.Name(), Home: p.Home, Targets: targets,
		Debounce: p.Settings.NotifyDebounce(), Remind: p.Settings.NotifyRemind(), Asking: p.Prompted, AnswerURL: string(p.Settings.Settings.Notify.AnswerURL),
		Mask: worker.Masker(a.Env), Now: a.Now,
	}
	if a.TeamAddress != nil {
		n.Plans, n.Every = p.Plans.Store, askServer
	}
	return notifier.New(n)
}

// Notifying delivers messages in the background, until the function that it returns is
// called.
func (a *Opener) Notifying(ctx context.Context, p *Project) (stop func()) {
	n := a.Notifier(p)
	if n == nil {
		return func() {}
	}
	end := n.Start(ctx, moment)
	return func() {
		end()
		_ = n.Box.Close()
	}
}
