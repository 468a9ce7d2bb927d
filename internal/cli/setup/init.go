package setup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/config"
)

// initFlags are what `ralph init` was told.
type initFlags struct{ print, force, noRun bool }

func (a *Commands) InitCommand() *cobra.Command {
	var f initFlags
	cmd := &cobra.Command{
		Use:     "init",
		GroupID: command.GroupStart,
		Short:   "Find this project's gates, try each once, write ralph.yaml",
		Example: `  ralph init             # look, try the gates on a clean checkout, ask, write
  ralph init --yes       # the same without a question
  ralph init --print     # write to standard output only
  ralph init --no-run    # do not try the gates
  ralph init --force     # replace ralph.yaml; the old one becomes ralph.yaml.bak`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.initialise(cmd.Context(), f)
		},
	}
	cmd.Flags().BoolVar(&f.print, "print", false, "print ralph.yaml instead of writing it")
	cmd.Flags().BoolVar(&f.force, "force", false, "replace an existing ralph.yaml, keeping a copy of it")
	cmd.Flags().BoolVar(&f.noRun, "no-run", false, "do not try the gates")
	return cmd
}

// initialise looks, tries, asks and writes. Until the answer nothing in the
// repository is changed.
func (a *Commands) initialise(ctx context.Context, f initFlags) error {
	p, err := a.initiable(ctx, f)
	if err != nil {
		return err
	}
	ctx, done := a.Interruptible(ctx)
	defer done()
	s, err := a.survey(ctx, p)
	if err != nil {
		return err
	}
	a.sayFound(s)
	if err := a.tryOut(ctx, p, s, f); err != nil {
		return err
	}
	text, err := config.Skeleton(s.draft())
	if err != nil {
		return err
	}
	write, err := a.mayWrite(ctx, text, f)
	if err != nil {
		return err
	}
	backup := ""
	if write {
		if backup, err = writeProject(p.Repo.Root, text, f.force); err != nil {
			return err
		}
		if err := a.AllowWritten(ctx, p); err != nil {
			return err
		}
	}
	return a.initialised(s, initiated{text: text, written: write, backup: backup, print: f.print})
}

// initiable refuses before anything is run what would be refused at the end.
func (a *Commands) initiable(ctx context.Context, f initFlags) (*project.Project, error) {
	p, err := a.Locate(ctx)
	if err != nil {
		return nil, err
	}
	if p.Repo.Root == "" {
		return nil, exit.UsageError("run it in a clone with a work tree", "a bare repository has no place for %s", config.FileName)
	}
	if f.print {
		return p, nil
	}
	if _, err := os.Lstat(filepath.Join(p.Repo.Root, config.FileName)); !errors.Is(err, fs.ErrNotExist) && !f.force {
		return nil, exit.UsageError("ralph config show tells what is in it; ralph init --force replaces it and keeps a copy",
			"%s exists already", config.FileName)
	}
	if !a.Yes && (!a.Asks() || a.JSON) {
		return nil, exit.UsageError("ralph init --yes writes it, ralph init --print shows it",
			"confirmation required before %s is written; re-run with --yes", config.FileName)
	}
	return p, nil
}

// mayWrite asks once; "show" shows the file and asks again.
func (a *Commands) mayWrite(ctx context.Context, text []byte, f initFlags) (bool, error) {
	if f.print {
		return false, nil
	}
	for !a.Yes {
		answer, err := a.Ask(ctx, fmt.Sprintf("Write %s (%s)? [Y/n/show] ", config.FileName, lineCount(text)))
		if err != nil && !errors.Is(err, io.EOF) {
			return false, err
		}
		switch answer = strings.ToLower(answer); {
		case strings.HasPrefix(answer, "s"):
			fmt.Fprintf(a.Err, "\n%s\n", text)
		case err == nil && (answer == "" || strings.HasPrefix(answer, "y")):
			return true, nil
		default:
			return false, nil
		}
	}
	return true, nil
}
