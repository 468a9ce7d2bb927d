// Package worker is ralph worker: it drives the loops of a team on this machine.
package worker

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/text"
)

type flags struct {
	repo    string
	slots   int
	most    int
	silence time.Duration
	labels  []string
}

// Commands are the commands with what they need.
type Commands struct{ *project.Opener }

// New returns the commands of this group.
func New(o *project.Opener) *Commands { return &Commands{o} }

func (a *Commands) WorkerCommand() *cobra.Command {
	var f flags
	cmd := &cobra.Command{
		Use:     "worker",
		GroupID: command.GroupSupervise,
		Short:   "Run the loops of a team on this machine",
		Long: `Drive loops that were started with ralph run --engine, until ctrl-c. The worker takes each
loop that no other worker has, works in a mirror of the repository below its own state
directory, and pushes the work to refs/heads/ralph/ID of the remote, and nothing else.
When it ends, or dies, another worker continues its loops.

Agents, their logins and the tools of the gates must be on this machine. Everybody who may
write to the server decides what runs here: docs/team.md.`,
		Example: `  ralph worker --engine temporal://127.0.0.1:7233/shop --repo git@host:shop.git
  ralph worker --engine 'temporal://box/shop?files=/mnt/ralph' --repo /srv/shop.git
  ralph worker --repo git@host:team/shop.git --label gpu`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.named(f); err != nil {
				return err
			}
			switch {
			case f.slots < 1 || f.slots > mostSlots:
				return exit.UsageError("--slots 2", "--slots %d: use 1 to %d", f.slots, mostSlots)
			case f.most < 0:
				return exit.UsageError("--max-loops 8", "--max-loops %d: use 0 or more", f.most)
			case f.silence < shortest || f.silence > longest:
				return exit.UsageError("--heartbeat-timeout 10s", "--heartbeat-timeout %s: use %s to %s", f.silence, shortest, longest)
			}
			if err := loop.CheckLabels(f.labels); err != nil {
				return exit.UsageError("--label gpu", "%v", err)
			}
			return a.work(cmd.Context(), f)
		},
	}
	cmd.PersistentFlags().StringVar(&f.repo, "repo", "", "the remote repository, by its `URL` or path; its name must be that of the remote of those who start loops")
	fl := cmd.Flags()
	fl.IntVar(&f.slots, "slots", 2, "drive at most `N` loops at once")
	fl.IntVar(&f.most, "max-loops", 0, "run at most `N` loops of the repository at once on all its workers; give all the same number (0: only slots count)")
	fl.DurationVar(&f.silence, "heartbeat-timeout", usual, "let others take the loops when this worker was silent for `DURATION`")
	cmd.PersistentFlags().StringVar(&a.CodecKey, "codec-key", "", "encrypt what the server stores with the key, 32 random bytes, in `FILE` (also: RALPH_CODEC_KEY)")
	fl.StringArrayVar(&f.labels, "label", nil, "take loops that run on `NAME`, too, such as gpu or docker (may be given again)")
	cmd.AddCommand(a.doctorCommand(&f), a.listCommand(&f), a.cleanCommand(&f))
	return cmd
}

// named refuses a command that does not name the server and the repository.
func (a *Commands) named(f flags) error {
	switch {
	case a.TeamAddress == nil:
		return exit.UsageError("--engine temporal://HOST:7233/NAMESPACE", "which server keeps the loops?")
	case f.repo == "":
		return exit.UsageError("--repo git@host:team/shop.git", "which repository do the loops work on?")
	}
	return nil
}

// The bounds of the flags. Heartbeats are sent every fifth of the timeout, so that a worker
// may stand still for half of it. The usual one lets another worker continue within 15 s
// of a kill: the timeout, a look each second, and the acquisition. A worker that stood
// still for longer keeps its loops unless another one with a free slot took them.
const (
	mostSlots = 64
	shortest  = 3 * time.Second
	usual     = 10 * time.Second
	longest   = 10 * time.Minute
)

func (a *Commands) work(ctx context.Context, f flags) error {
	a.Silence = f.silence
	p, err := a.OpenMirror(ctx, f.repo)
	if err != nil {
		return err
	}
	defer p.Close()
	if err := a.able(ctx, p); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(ctx, syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	a.Say("worker for %s: %s, slots: %d; ctrl-c hands its loops over", f.repo, a.TeamAddress.Host, f.slots)
	w := p.TeamWorker()
	w.Slots, w.Say = f.slots, func(format string, args ...any) {
		a.Say("%s  %s", a.Now().Format(time.TimeOnly), fmt.Sprintf(format, args...))
	}
	w.Labels, w.Most = f.labels, f.most
	self := process(f)
	var announces sync.WaitGroup
	defer announces.Wait()
	announces.Go(func() {
		p.Announce(ctx, func() engine.WorkerProcess {
			self.Loops, self.Plans = w.Load()
			p.RefreshAccounts(ctx)
			self.Accounts = a.troubles(ctx)
			return self
		})
	})
	ended := make(chan struct{})
	go func() { defer close(ended); w.Run(ctx) }()
	<-ctx.Done()
	stop() // a second signal ends the worker at once
	select {
	case <-ended:
	case <-time.After(handOver):
		a.Say("! its loops were not handed over within %s: others take them once the heartbeats are missing", handOver)
	}
	return nil
}

// troubles are the accounts of this machine's agents that do not serve now, as far as this
// machine or its team found out.
func (a *Commands) troubles(ctx context.Context) (out []engine.AccountTrouble) {
	all, err := a.Accounts(ctx)
	if err != nil {
		return []engine.AccountTrouble{{Label: "accounts", Trouble: "their health cannot be read"}}
	}
	for _, one := range all {
		if one.Trouble != "" && len(out) < engine.MostAccounts {
			out = append(out, engine.AccountTrouble{Label: text.Clip(one.Label, mostWords), Trouble: text.Clip(one.Trouble, mostWords), Until: one.Until})
		}
	}
	return out
}

// mostWords bounds what a worker tells of an account.
const mostWords = 80

// handOver is how long a worker that is to end waits for its loops to be handed over. A
// server that is away does not take them.
const handOver = 30 * time.Second

// process is this worker as it announces itself.
func process(f flags) engine.WorkerProcess {
	id := make([]byte, 8)
	_, _ = rand.Read(id)
	host, _ := os.Hostname()
	version, _ := command.Build()
	return engine.WorkerProcess{
		ID: hex.EncodeToString(id), Host: host, Process: os.Getpid(), Version: version,
		Labels: f.labels, Slots: f.slots, Started: time.Now(),
	}
}
