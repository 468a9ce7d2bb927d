package serve

import (
	"context"
	"errors"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine/local"
	"ralph/internal/git"
	"ralph/internal/proc"
)

// serveFlags are what `ralph serve` was told.
type serveFlags struct {
	repos              []string
	all                bool
	interval           time.Duration
	listen             string
	web                bool
	install, uninstall bool
}

func (a *Commands) ServeCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:     "serve",
		GroupID: command.GroupSupervise,
		Short:   "Supervise loops and plans: resume what crashed, through nights and reboots",
		Long: `Supervise the loops and plans of this repository that run on this machine. Serve resumes
each whose process died: after a usage limit once it resets, after a crash with a wait
that doubles. A run that makes no progress is left to you, and status shows it. Serve
takes over from a process that hangs.

Loops run in processes of their own: they survive the end of serve. Several may run at
once. Everything that is done stands with its reason in .ralph/log.jsonl.

With --engine the workers of the team resume its loops and plans; serve sends you the
messages about them, and takes answers.

With --listen it takes answers to questions by the buttons of notifications
(docs/notifications.md): put a server that speaks TLS before it, or listen on an address
of your own network.`,
		Example: `  ralph serve                          # this repository, until ctrl-c
  ralph serve --all                    # all in which loops were started in the background
  ralph serve --install                # write a unit for systemd that runs it after each boot
  ralph serve --repo ~/a --repo ~/b
  ralph serve --all --listen 127.0.0.1:7878
  ralph serve --all --web              # and the pages of ralph web`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, name := range []string{"port", "host", "token-file", "open", "web-listen", "tls-cert", "tls-key"} {
				if cmd.Flags().Changed(name) && !f.web {
					return exit.UsageError("add --web", "--%s is about the pages of ralph web", name)
				}
			}
			switch {
			case f.interval < shortest || f.interval > longest:
				return exit.UsageError("--interval 5s", "--interval %s: use 100ms to 1h", f.interval)
			case f.install:
				return a.installUnit(cmd.Context(), f)
			case f.uninstall:
				return a.uninstallUnit(cmd.Context(), f)
			}
			return a.serve(cmd.Context(), f)
		},
	}
	fl := cmd.Flags()
	fl.StringArrayVar(&f.repos, "repo", nil, "supervise the repository of `DIR` (repeatable)")
	fl.BoolVar(&f.all, "all", false, "supervise every repository in which loops were started in the background")
	fl.DurationVar(&f.interval, "interval", 5*time.Second, "check every `DURATION`")
	fl.StringVar(&f.listen, "listen", "", "take the answers of notifications' buttons at `ADDRESS`, such as 127.0.0.1:7878")
	fl.BoolVar(&f.web, "web", false, "also serve the pages of ralph web")
	a.pages.Flags(cmd, "web-listen")
	fl.BoolVar(&f.install, "install", false, "write a systemd user unit that does this, and print how to start it")
	fl.BoolVar(&f.uninstall, "uninstall", false, "remove that unit")
	cmd.MarkFlagsMutuallyExclusive("repo", "all")
	cmd.MarkFlagsMutuallyExclusive("install", "uninstall")
	cmd.MarkFlagsMutuallyExclusive("web", "install")
	return cmd
}

// The limits of --interval, and how often serve --all reads the list of
// repositories again.
const (
	shortest, longest = 100 * time.Millisecond, time.Hour
	listed            = 30 * time.Second
)

// served supervises several repositories.
type served struct {
	*Commands
	every time.Duration
	// print serializes output.
	print sync.Mutex
	all   sync.WaitGroup
	roots []string
	// alone: it has been reported that there is no repository to supervise. shows: the
	// pages of ralph web are shown as well.
	alone   bool
	shows   bool
	answers *answers
}

// serve supervises loops until it is stopped.
func (a *Commands) serve(ctx context.Context, f serveFlags) error {
	if runtime.GOOS == "windows" {
		return &exit.Error{Code: exit.Missing, Err: proc.ErrNoBackground, Hint: "ralph resume --crashed resumes what crashed, one after another"}
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	ended := make(chan os.Signal, 2)
	signal.Notify(ended, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer signal.Stop(ended)
	s := &served{Commands: a, every: f.interval, shows: f.web}
	s.answers = &answers{served: s}
	defer s.all.Wait()
	defer stop(errServed)
	if f.listen != "" {
		ended, err := s.answers.listen(ctx, f.listen)
		if err != nil {
			return err
		}
		defer ended()
	}
	if f.web {
		pages, err := a.pages.Begin(ctx)
		if err != nil {
			return err
		}
		s.all.Go(func() {
			if err := pages(); err != nil {
				s.Say("the pages of ralph web ended: %v", err)
			}
		})
	}
	for _, dir := range f.dirs(a) {
		if err := s.add(ctx, dir); err != nil {
			return err
		}
	}
	again := time.NewTicker(listed)
	defer again.Stop()
	for {
		if f.all {
			s.addRemembered(ctx)
		}
		select {
		case sig := <-ended:
			if sig == os.Interrupt {
				return exit.With(exit.Interrupted)
			}
			return exit.With(exit.Terminated)
		case <-again.C:
		}
	}
}

var errServed = errors.New("told to end")

// dirs are the directories that the flags name.
func (f serveFlags) dirs(a *Commands) []string {
	if f.all {
		return nil
	}
	if len(f.repos) == 0 {
		return []string{a.Dir}
	}
	out := make([]string, len(f.repos))
	for i, dir := range f.repos {
		if out[i] = dir; !filepath.IsAbs(dir) {
			out[i] = filepath.Join(a.Dir, dir)
		}
	}
	return out
}

// add begins to supervise the repository of a directory.
func (s *served) add(ctx context.Context, dir string) error {
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return exit.UsageError("name an existing directory", "--repo: there is no directory %s", dir)
	}
	own := s.runner.Copy()
	own.Dir = dir
	p, err := own.Open(ctx, false)
	if err != nil {
		return err
	}
	if slices.Contains(s.roots, p.Root()) {
		p.Close()
		return nil
	}
	s.roots = append(s.roots, p.Root())
	if s.TeamAddress != nil {
		return s.addTeam(ctx, own, p)
	}
	own.NoteRepository(p)
	v := own.Supervisor(p)
	v.By = "ralph serve"
	var seen failures
	var reporting sync.Mutex // the actions of one round are reported in parallel
	v.Tell = func(d local.Did) {
		reporting.Lock()
		defer reporting.Unlock()
		if !seen.repeat(d) {
			s.tell(p, d)
		}
	}
	s.note(p, "supervising the loops of "+p.Root())
	s.answers.add(p)
	s.all.Go(func() {
		defer p.Close()
		defer own.Notifying(ctx, p)()
		_ = v.Run(ctx, s.every)
	})
	return nil
}

// remembered are the repositories with runs in the background, or those that were used
// with the server of a team.
func (s *served) remembered() ([]string, error) {
	roots, err := s.Remembered(s.TeamAddress == nil)
	return slices.DeleteFunc(roots, func(root string) bool {
		place, ok := git.Discover(root)
		return !ok && s.TeamAddress != nil || ok && !s.Joined(project.At(place))
	}), err
}

// addRemembered begins with repositories that are new in the list. One that
// cannot be opened is reported and does not stop the others.
func (s *served) addRemembered(ctx context.Context) {
	roots, err := s.remembered()
	if err != nil {
		s.Say("%v", err)
	}
	if len(roots) == 0 && len(s.roots) == 0 && !s.alone {
		s.alone = true
		s.Say("no repository is known yet in %s: ralph run -d and ralph serve make one known", s.StateHome())
	}
	for _, root := range roots {
		if slices.Contains(s.roots, root) {
			continue
		}
		if err := s.add(ctx, root); err != nil {
			s.roots = append(s.roots, root)
			s.Say("%s: %v", root, err)
		}
	}
}
