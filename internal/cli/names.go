package cli

import (
	"cmp"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"path/filepath"

	"ralph/internal/cli/exit"
	"ralph/internal/loop"
)

// loopID is the asked-for id or one made of the task (seed 001: a slug of at
// most 30 characters and 8 hex digits).
func (a *app) loopID(task, asked string) (string, error) {
	if asked != "" {
		if err := loop.ValidID(asked); err != nil {
			return "", exit.UsageError("--loop-id my-loop", "%v", err)
		}
		return asked, nil
	}
	b := make([]byte, 4)
	_, _ = rand.Read(b)
	return "ralph-" + slug(task, 30) + "-" + hex.EncodeToString(b), nil
}

// taskID is the name of a task: a slug of its words, or where nothing is left of
// them, as in many scripts, a digest.
func taskID(task string) string {
	if s := loop.Slug(task, 40); s != "" {
		return s
	}
	sum := sha256.Sum256([]byte(task))
	return "task-" + hex.EncodeToString(sum[:4])
}

// slug makes a short name of any text; "task" where nothing is left of it.
func slug(text string, most int) string { return cmp.Or(loop.Slug(text, most), "task") }

func (p *project) name() string {
	if n := string(p.settings.Settings.Project); n != "" {
		return n
	}
	return filepath.Base(p.root())
}

// title names the project where its configuration was not read.
func (p *project) title() string { return filepath.Base(p.root()) }

func (p *project) treeOrHome() string {
	if p.repo.Root != "" {
		return p.repo.Root
	}
	return p.repo.CommonDir
}
