package agentloop

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
	"ralph/internal/view"
)

func (c *Commands) publishCommand() *cobra.Command {
	var note, id string
	cmd := &cobra.Command{
		Use:   "publish PATH",
		Short: "Offer a file to other loops, read-only, as it is now",
		Long: `Offer a file of this tree to other loops. A copy of it is kept as it is now,
with its SHA-256; later changes of the file do not change what others get.`,
		Example: `  ralph loop publish docs/api.md --note "the interface is settled"
  ralph loop publish build/schema.json --loop-id abc123`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := launch.NotEmpty(cmd, "loop-id"); err != nil {
				return err
			}
			return c.publish(cmd.Context(), args[0], note, id)
		},
	}
	cmd.Flags().StringVar(&note, "note", "", "what it is, in a `SENTENCE`")
	cmd.Flags().StringVar(&id, "loop-id", "", "the loop's `ID` (default: the one this runs in, or the only one of this tree)")
	return cmd
}

func (c *Commands) publish(ctx context.Context, name, note, id string) error {
	p, err := c.openTree(ctx)
	if err != nil {
		return err
	}
	defer p.Close()
	l, err := c.loopInTree(ctx, p, id)
	if err != nil {
		return err
	}
	f, path, err := c.openInTree(p, name)
	if err != nil {
		return err
	}
	defer f.Close()
	got, err := p.Loops.Publish(ctx, l, path, strings.TrimSpace(note), f)
	if err != nil {
		return err
	}
	if c.JSON {
		return c.Encode(artifact(got))
	}
	c.Print(fmt.Sprintf("%s is offered to other loops as %d (%s). They take it with: %s", text.Clean(path), got.N, text.Size(got.Bytes), next.TakeFile(strconv.FormatInt(got.N, 10))))
	return nil
}

func artifact(x loop.Artifact) view.Artifact {
	o := view.Artifact{
		Schema: view.ArtifactSchema, N: x.N, LoopID: x.Loop, Path: x.Path, SHA256: x.SHA256, Bytes: x.Bytes, At: x.At.UTC(),
	}
	if x.Note != "" {
		o.Note = &x.Note
	}
	return o
}

func (c *Commands) artifactsCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "artifacts",
		Short:   "The files that loops offer to each other",
		Example: "  ralph loop artifacts\n  ralph loop artifacts --json",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx := cmd.Context()
			p, err := c.Open(ctx, true)
			if err != nil {
				return err
			}
			defer p.Close()
			found, err := p.Loops.Artifacts(ctx)
			if err != nil {
				return err
			}
			list := view.ArtifactList{Schema: view.ArtifactsSchema, Artifacts: make([]view.Artifact, len(found))}
			for i, x := range found {
				list.Artifacts[i] = artifact(x)
			}
			if c.JSON {
				return c.Encode(list)
			}
			c.Print(view.Artifacts(list.Artifacts, c.Now(), c.Palette(c.Out)))
			return nil
		},
	}
}

func (c *Commands) takeCommand() *cobra.Command {
	var id string
	var force bool
	cmd := &cobra.Command{
		Use:   "take N [DEST]",
		Short: "Copy an offered file into this tree, and record it",
		Long: `Copy the offered file N into this tree, after comparing it with its SHA-256.
ralph records which loop took it. DEST is a file or a folder (default: the file's name,
here).`,
		Example: `  ralph loop take 3
  ralph loop take 3 docs/api.md --force     # in place of the file that is there`,
		Args: cobra.RangeArgs(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := launch.NotEmpty(cmd, "loop-id"); err != nil {
				return err
			}
			n, err := strconv.ParseInt(args[0], 10, 64)
			if err != nil || n < 1 {
				return exit.UsageError("ralph loop artifacts lists them", "%q is no number of an artifact", args[0])
			}
			return c.take(cmd.Context(), n, command.First(args[1:]), id, force)
		},
	}
	cmd.Flags().StringVar(&id, "loop-id", "", "the `ID` of the loop that takes it (default: the one this runs in, or the only one of this tree)")
	cmd.Flags().BoolVar(&force, "force", false, "replace a file that is there")
	return cmd
}

func (c *Commands) take(ctx context.Context, n int64, dest, id string, force bool) error {
	p, err := c.openTree(ctx)
	if err != nil {
		return err
	}
	defer p.Close()
	by, err := c.taker(ctx, p, id)
	if err != nil {
		return err
	}
	x, err := c.offered(ctx, p, n)
	if err != nil {
		return err
	}
	at, err := c.placeInTree(p, dest, x.Path, force)
	if err != nil {
		return err
	}
	defer at.discard()
	if _, err := p.Loops.Take(ctx, n, by, at.file); err != nil {
		return err
	}
	if err := at.keep(force); err != nil {
		return err
	}
	o := artifact(x)
	o.TakenTo, o.TakenBy = &at.path, &by
	if c.JSON {
		return c.Encode(o)
	}
	c.Print(fmt.Sprintf("%s of loop %s is now %s", text.Clean(x.Path), x.Loop, text.Clean(at.path)))
	return nil
}

// offered finds an artifact before anything is made for it.
func (c *Commands) offered(ctx context.Context, p *project.Project, n int64) (loop.Artifact, error) {
	all, err := p.Loops.Artifacts(ctx)
	if err != nil {
		return loop.Artifact{}, err
	}
	for _, x := range all {
		if x.N == n {
			return x, nil
		}
	}
	return loop.Artifact{}, fmt.Errorf("artifact %d: %w", n, engine.ErrNoArtifact)
}

// openTree opens the store for an agent that works in a tree.
func (c *Commands) openTree(ctx context.Context) (*project.Project, error) {
	p, err := c.Open(ctx, false)
	if err == nil && p.Repo.Root == "" {
		p.Close()
		return nil, exit.UsageError("call it in a tree", "a bare repository has no tree")
	}
	return p, err
}

// taker is the loop that takes a file, or the person.
func (c *Commands) taker(ctx context.Context, p *project.Project, id string) (string, error) {
	here, err := c.loopsOfTree(ctx, p)
	if err != nil {
		return "", err
	}
	if id == "" && c.Getenv("RALPH_LOOP_ID") == "" && len(here) == 0 {
		return c.Owner(), nil
	}
	return c.loopInTree(ctx, p, id)
}

// loopInTree returns a loop: the named one, the one whose agent calls,
// or the only active one of this tree.
func (c *Commands) loopInTree(ctx context.Context, p *project.Project, id string) (string, error) {
	if id == "" {
		id = c.Getenv("RALPH_LOOP_ID")
	}
	if id != "" {
		return c.speaksFor(ctx, p, id)
	}
	here, err := c.loopsOfTree(ctx, p)
	switch {
	case err != nil:
		return "", err
	case len(here) == 0:
		return "", exit.UsageError("name the loop with --loop-id", "no loop is active in this tree")
	}
	return c.Choose(ctx, project.Candidates(here, nil))
}

// loopsOfTree returns the active loops that work in the tree of the working directory.
func (c *Commands) loopsOfTree(ctx context.Context, p *project.Project) ([]engine.Loop, error) {
	active, err := p.Loops.List(ctx, engine.Filter{Active: true})
	var here []engine.Loop
	for _, l := range active {
		s := l.State
		if s.Worktree == p.Repo.Root || s.Root == p.Repo.Root && (s.InPlace || s.Mode == loop.AgentDriven) {
			here = append(here, l)
		}
	}
	return here, err
}
