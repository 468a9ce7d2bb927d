package notify

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/config"
	"ralph/internal/engine/notifier"
	"ralph/internal/notice"
	"ralph/internal/store/outbox"
	"ralph/internal/text"
)

func (a *Commands) NotifyCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "notify",
		GroupID: command.GroupSupervise,
		Short:   "Messages about questions, endings and limits: where they go, whether they arrive",
		Long: `Messages about what happens to loops and plans: a question, a plan that ended, a login
that was refused. Targets are in your own settings, below notify (docs/notifications.md).
The process that runs a loop sends them, and so does ralph serve. What a target did not
take is sent again later.`,
		Example: `  ralph notify list             # the targets of your settings
  ralph notify test phone       # send one message, see what comes back
  ralph notify status           # what waits, and the last errors
  ralph notify send             # send now what waits in this repository`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.list(cmd.Context()) },
	}
	cmd.AddCommand(
		&cobra.Command{
			Use: "list", Short: "The targets of your settings", Example: "  ralph notify list", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return a.list(cmd.Context()) },
		},
		&cobra.Command{
			Use: "test [TARGET]", Short: "Send one message to a target, or to all",
			Long: `Send one message to a target, or to all. The exit code is 0 when each took it, else 1.
Events and quiet hours of a target do not count.`,
			Example: "  ralph notify test phone", Args: cobra.MaximumNArgs(1),
			RunE: func(cmd *cobra.Command, args []string) error { return a.test(cmd.Context(), args) },
		},
		&cobra.Command{
			Use: "status", Short: "What waits for each target, and the last errors", Example: "  ralph notify status", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return a.status(cmd.Context()) },
		},
		&cobra.Command{
			Use: "send", Short: "Send now what waits in this repository",
			Long: `Send now what waits in this repository, also where a target is to be tried again only
later. The exit code is 1 when something still waits that is due.`,
			Example: "  ralph notify send", Args: cobra.NoArgs,
			RunE: func(cmd *cobra.Command, _ []string) error { return a.send(cmd.Context()) },
		},
	)
	return cmd
}

// targets of the settings, outside of a repository of the user's; an error where there is
// none. The project is nil then.
func (a *Commands) targets(ctx context.Context) ([]config.Target, []notifier.Target, *project.Project, error) {
	p, err := a.Locate(ctx)
	var settings *config.Resolved
	if err == nil {
		err = a.Configure(p)
		settings = p.Settings
	} else {
		p = nil
		settings, err = a.own()
	}
	if err != nil {
		return nil, nil, nil, err
	}
	named := settings.NotifyTargets()
	if len(named) == 0 {
		return nil, nil, nil, exit.UsageError("add notify: {targets: {desk: {to: \"desktop:\"}}} to "+config.UserFile(a.Env), "no notification target is configured")
	}
	return named, a.NotifyTargets(settings), p, nil
}

// own are the user's settings.
func (a *Commands) own() (*config.Resolved, error) {
	found, err := config.Find(a.Dir, a.ExplicitConfig(), a.Env)
	if err != nil {
		return nil, err
	}
	return config.Resolve(config.Sources{Env: a.Env, Project: found.Project, User: found.User})
}

// line is what is known about a target, for programs.
type line struct {
	Target string `json:"target"`
	// To is the kind of the address: the rest may hold a key.
	To         string   `json:"to,omitempty"`
	Events     []string `json:"events,omitempty"`
	QuietHours bool     `json:"quiet_now,omitempty"`
	// Delivered and Error are the result of a test.
	Delivered *bool  `json:"delivered,omitempty"`
	Error     string `json:"error,omitempty"`

	Waiting  int       `json:"waiting,omitempty"`
	Sent     int       `json:"sent,omitempty"`
	Dropped  int       `json:"dropped,omitempty"`
	GivenUp  int       `json:"given_up,omitempty"`
	Next     time.Time `json:"next_try,omitzero"`
	LastSent time.Time `json:"last_sent,omitzero"`
}

const schema = "ralph.notified/v1"

func (a *Commands) object(lines []line) error {
	return a.Object(map[string]any{"schema": schema, "targets": lines})
}

func (a *Commands) list(ctx context.Context) error {
	named, targets, _, err := a.targets(ctx)
	if err != nil {
		return err
	}
	lines := make([]line, len(named))
	for i, t := range targets {
		l := line{Target: t.Name, To: kindOf(named[i].To), QuietHours: t.Quiet.Contains(a.Now().Local())}
		for _, k := range notice.Kinds() {
			if t.Wants(k) {
				l.Events = append(l.Events, string(k))
			}
		}
		if t.Broken != nil {
			l.Error = t.Broken.Error()
		}
		lines[i] = l
	}
	if a.JSON {
		return a.object(lines)
	}
	for _, l := range lines {
		a.Print(fmt.Sprintf("%s  %s", text.Pad(l.Target, 12), l.To) + map[bool]string{true: "  (quiet hours now)"}[l.QuietHours])
		for _, row := range text.Wrap(strings.Join(l.Events, ", "), 66, 0) {
			a.Print("              " + row)
		}
		if l.Error != "" {
			a.Print("            ! " + l.Error)
		}
	}
	return nil
}

// kindOf is the part of an address that holds no key.
func kindOf(to string) string {
	if strings.HasPrefix(to, "$") {
		return to
	}
	scheme, _, _ := strings.Cut(to, ":")
	return scheme
}

// patience is how long a test waits for each target.
const patience = 15 * time.Second

func (a *Commands) test(ctx context.Context, args []string) error {
	named, targets, p, err := a.targets(ctx)
	if err != nil {
		return err
	}
	if len(args) == 1 {
		i := slices.IndexFunc(targets, func(t notifier.Target) bool { return t.Name == args[0] })
		if i < 0 {
			return exit.UsageError("ralph notify list shows them", "no target is named %q", args[0])
		}
		named, targets = named[i:i+1], targets[i:i+1]
	}
	name := "ralph"
	if p != nil {
		name = p.Name()
	}
	lines := make([]line, len(targets))
	var all sync.WaitGroup
	for i, t := range targets {
		all.Go(func() {
			err := t.Broken
			if err == nil {
				sending, cancel := context.WithTimeoutCause(ctx, patience, errors.New("timed out"))
				err = t.Send(sending, notice.OfTest(name, t.Name, a.Now()))
				cancel()
			}
			lines[i] = line{Target: t.Name, To: kindOf(named[i].To), Delivered: new(err == nil)}
			if err != nil {
				lines[i].Error = err.Error()
			}
		})
	}
	all.Wait()
	return a.tested(lines)
}

func (a *Commands) tested(lines []line) error {
	failed := slices.ContainsFunc(lines, func(l line) bool { return !*l.Delivered })
	if a.JSON {
		if err := a.object(lines); err != nil {
			return err
		}
	} else {
		for _, l := range lines {
			if *l.Delivered {
				a.Print(fmt.Sprintf("ok    %s  %s", l.Target, l.To))
			} else {
				a.Print(fmt.Sprintf("FAIL  %s  %s: %s", l.Target, l.To, l.Error))
			}
		}
	}
	if failed {
		return exit.With(exit.Failed)
	}
	return nil
}

func (a *Commands) status(ctx context.Context) error {
	p, err := a.Open(ctx, true)
	if err != nil {
		return err
	}
	defer p.Close()
	box := a.Outbox(p, true)
	defer box.Close()
	accounts, err := box.Accounts(ctx)
	if err != nil {
		return err
	}
	if a.JSON {
		lines := make([]line, len(accounts))
		for i, c := range accounts {
			lines[i] = line{Target: c.Target, Waiting: c.Waiting, Sent: c.Sent, Dropped: c.Dropped, GivenUp: c.Failed, Next: c.Next, LastSent: c.LastSent, Error: c.Error}
		}
		return a.object(lines)
	}
	if len(accounts) == 0 {
		a.Say("no message about a run here was sent or waits (ralph notify test is not counted)")
	}
	for _, c := range accounts {
		a.Print(told(c, a.Now()))
	}
	return nil
}

// told is how deliveries to a target went, in words.
func told(c outbox.Account, now time.Time) string {
	out := fmt.Sprintf("%s  %d sent", text.Pad(c.Target, 12), c.Sent)
	if !c.LastSent.IsZero() {
		out += ", last " + text.Age(c.LastSent, now)
	}
	if c.Waiting > 0 {
		out += fmt.Sprintf("; %d waiting", c.Waiting)
		if c.Next.After(now) {
			out += ", next try " + text.Clock(c.Next, now)
		}
	}
	if c.Dropped > 0 {
		out += fmt.Sprintf("; %d not needed any more", c.Dropped)
	}
	if c.Failed > 0 {
		out += fmt.Sprintf("; %d given up", c.Failed)
	}
	if c.Error != "" && (c.Waiting > 0 || c.Failed > 0) {
		out += "\n            ! " + c.Error
	}
	return out
}
