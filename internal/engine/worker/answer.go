package worker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"ralph/internal/loop"
)

// printing is the driver of any program, also of one that only prints.
const printing = "command"

// answer puts the answer of a text task into the file that is its product. An
// agent with tools has written it itself; a command that has changed no file has
// printed it. A refusal or a cut-off reply, as the provider reports it, is no answer.
func (w *Worker) answer(ctx context.Context, s loop.State) (err error) {
	last := s.Last()
	if s.Task.Plan == nil || s.Task.Plan.OutputFile == "" || last == nil || last.Agent.OutputFile == "" {
		return nil
	}
	switch {
	case s.Agent.OnlyAnswers():
	case s.Agent.Use == printing:
		if changed, err := w.changed(ctx, s); err != nil || changed {
			return err
		}
	default:
		return nil
	}
	if last.Agent.End != loop.EndDone {
		return nil
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("write the answer to %s: %w", s.Task.Plan.OutputFile, err)
		}
	}()
	text, err := os.Open(last.Agent.OutputFile)
	if errors.Is(err, os.ErrNotExist) || err == nil && last.Agent.OutputBytes == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	defer text.Close()
	root, err := os.OpenRoot(s.Worktree)
	if err != nil {
		return err
	}
	defer root.Close()
	name := filepath.FromSlash(path.Clean(s.Task.Plan.OutputFile))
	if err := root.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, text)
	return errors.Join(err, f.Close())
}

// changed reports whether the agent has changed a file, or made a commit.
func (w *Worker) changed(ctx context.Context, s loop.State) (bool, error) {
	d, err := w.Repo.Dirty(ctx, s.Worktree)
	if err != nil || d.Any() {
		return true, err
	}
	head, err := w.Repo.HeadOf(ctx, s.Worktree)
	return head.Commit != s.Tip(), err
}
