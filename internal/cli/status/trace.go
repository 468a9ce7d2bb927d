package status

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/text"
	"ralph/internal/view"
)

// The bounds of a trace: of each text of an attempt, and of all texts together. Where
// the whole is too much, the texts of the oldest attempts are left out.
const (
	mostTraceText = 256 << 10
	mostTrace     = 16 << 20
)

// writeTrace writes the loop with all of its attempts into one file.
func (a *Commands) writeTrace(l engine.Loop, path string, force bool) error {
	v := project.View(l, a.Now())
	files, left := engine.Layout{Dir: l.Dir}, mostTrace
	texts := make([]view.Texts, len(v.Attempts))
	for i := len(v.Attempts) - 1; i >= 0; i-- {
		if left <= 0 {
			texts[i].Cut = []string{view.LeftOut}
			continue
		}
		own, err := files.Texts(v.Attempts[i].N, view.GatesOf(v.Attempts[i]), mostTraceText)
		if err != nil {
			return fmt.Errorf("read attempt %d: %w", v.Attempts[i].N, err)
		}
		texts[i] = view.Texts(own)
		left -= len(own.Prompt) + len(own.Patch) + len(own.Agent)
		for _, output := range own.Gates {
			left -= len(output)
		}
	}
	page, err := view.Trace(v, texts, a.Now())
	if err != nil {
		return err
	}
	typed := path
	if !filepath.IsAbs(path) {
		path = filepath.Join(a.Dir, path)
	}
	if !force {
		if err := replaceable(path); err != nil {
			return err
		}
	}
	err = os.WriteFile(path, []byte(page), 0o600)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return exit.UsageError("name a file in a folder that exists and may be written to", "write the trace: %v", err)
	}
	if err != nil {
		return fmt.Errorf("write the trace: %w", err)
	}
	a.Say("wrote %s", text.Clean(typed))
	return nil
}

// replaceable refuses to overwrite a file that is no trace.
func replaceable(path string) error {
	was, err := os.ReadFile(path)
	if err != nil || len(was) == 0 || view.IsTrace(was) {
		return nil //nolint:nilerr // writing tells what is wrong with a path
	}
	return exit.UsageError("name another file, or add --force", "%s exists and is not a trace", text.Clean(path))
}
