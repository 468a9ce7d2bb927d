package learn

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"ralph/internal/cli/exit"
	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/learn"
	"ralph/internal/loop"
	"ralph/internal/view"
)

func (a *Commands) learnExportCommand() *cobra.Command {
	return &cobra.Command{
		Use: "export DIR", Short: "Write what was learned as JSON files for other tools",
		Long: `Write what was learned as JSON files for other tools: shared/patterns/error-patterns.json,
success-patterns.json, anti-patterns.json and shared/memory/cross-task-learnings.json below
DIR. Diffs in them are excerpts of your code: look before you share them.`,
		Example: "  ralph learn export .aiwg/ralph",
		Args:    cobra.ExactArgs(1),
		RunE:    func(cmd *cobra.Command, args []string) error { return a.learnExport(cmd.Context(), args[0]) },
	}
}

func (a *Commands) learnExport(ctx context.Context, dir string) error {
	p, err := a.openLearned(ctx)
	if err != nil {
		return err
	}
	defer p.Close()
	all, err := p.Loops.Patterns(ctx, engine.PatternQuery{})
	if err != nil {
		return err
	}
	loops, err := p.Loops.List(ctx, engine.Filter{Archived: true})
	if err != nil {
		return err
	}
	states := make([]loop.State, len(loops))
	for i, l := range loops {
		states[len(loops)-1-i] = l.State
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(a.Dir, dir)
	}
	files, err := writeExport(dir, learn.Export(all, states))
	if err != nil {
		return err
	}
	if a.JSON {
		return a.Encode(view.LearnedOf(all, files...))
	}
	for _, f := range files {
		a.Say("wrote %s", f)
	}
	return nil
}

// writeExport writes all files, or none if one of them is not ralph's.
func writeExport(dir string, export map[string]any) ([]string, error) {
	var files []string
	for name := range export {
		files = append(files, filepath.Join(dir, filepath.FromSlash(name)))
	}
	slices.Sort(files)
	for _, f := range files {
		if err := oursToWrite(f); err != nil {
			return nil, err
		}
	}
	for name, v := range export {
		data, err := view.Encode(v)
		if err != nil {
			return nil, err
		}
		f := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(f), 0o755); err != nil {
			return nil, fmt.Errorf("export: %w", err)
		}
		if err := durable.Replace(f, data, 0o644); err != nil {
			return nil, fmt.Errorf("export: %w", err)
		}
	}
	return files, nil
}

// oursToWrite refuses to write over a file that no earlier export wrote.
func oursToWrite(path string) error {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	var v struct {
		Schema string `json:"schema"`
	}
	if err == nil && json.Unmarshal(data, &v) == nil && v.Schema == learn.ExportSchema {
		return nil
	}
	return exit.UsageError("name another folder, or move the file away", "%s is there and was not written by ralph", path)
}
