package project

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/durable"
)

// Repositories in which loops ran are remembered for the user: all of them for ralph
// watch --all and ralph web, those in which loops ran in the background for ralph serve
// --all. Each has a file of its own, so that two processes cannot overwrite each
// other's entries.
//
//	$XDG_STATE_HOME/ralph/repositories/<name>-<hash>.json

// known is the file of one repository.
type known struct {
	Schema string `json:"schema"`
	// Root is the main working tree, or a bare repository.
	Root string `json:"root"`
	// CommonDir is what git's worktrees share; ralph's store is in it.
	CommonDir string `json:"common_dir"`
	// Foreground: no loop ran there in the background yet.
	Foreground bool `json:"foreground,omitempty"`
}

func (a *Opener) repositories() string { return filepath.Join(a.StateHome(), "ralph", "repositories") }

// NoteRepository remembers the project as one with runs in the background. Where that
// cannot be written nothing but this is lost.
func (a *Opener) NoteRepository(p *Project) { a.note(p, false) }

// NoteForeground remembers the project as one with runs, unless it is remembered.
func (a *Opener) NoteForeground(p *Project) { a.note(p, true) }

func (a *Opener) note(p *Project, foreground bool) {
	if a.Unlisted {
		return
	}
	path := filepath.Join(a.repositories(), p.nameWithHash()+".json")
	data, err := json.Marshal(known{"ralph.repository/v1", p.Root(), p.Place.CommonDir, foreground})
	if err != nil {
		return
	}
	if have, err := os.ReadFile(path); err == nil && (foreground || string(have) == string(data)) {
		return
	}
	_ = durable.Write(path, data)
}

// Remembered are the repositories that are still there, or of these the ones with runs
// in the background. Files of those that are not there are removed.
func (a *Opener) Remembered(background bool) ([]string, error) {
	files, err := os.ReadDir(a.repositories())
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var roots []string
	for _, f := range files {
		path := filepath.Join(a.repositories(), f.Name())
		data, err := os.ReadFile(path)
		var k known
		if err != nil || !strings.HasSuffix(path, ".json") || json.Unmarshal(data, &k) != nil || !filepath.IsAbs(k.Root) {
			continue
		}
		if _, err := os.Stat(k.CommonDir); errors.Is(err, fs.ErrNotExist) {
			_ = os.Remove(path)
			continue
		}
		if !background || !k.Foreground {
			roots = append(roots, k.Root)
		}
	}
	return roots, nil
}
