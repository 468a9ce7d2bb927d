package project

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
)

// limitsDir is the directory of the usage limits of all repositories.
func (a *Opener) limitsDir() string { return filepath.Join(a.StateHome(), "ralph", "limits") }

// slotsDir is the directory of the slots of all loops of the machine.
func (a *Opener) slotsDir() string { return filepath.Join(a.StateHome(), "ralph", "slots") }

// WebDir is where ralph web keeps which browsers are signed in, in the user's state.
func WebDir(stateHome string) string { return filepath.Join(stateHome, "ralph", "web") }

// StateFile is the view of one loop that its agent may read; a bare repository
// has no views.
func (p *Project) StateFile(id string) string {
	if p.Views == "" {
		return ""
	}
	return filepath.Join(p.Views, "loops", id, "state.md")
}

// TreeRoot is where the worktrees of this repository live: outside of it,
// since test runners and file watchers scan what is inside.
func (a *Opener) TreeRoot(p *Project) string {
	name := p.nameWithHash()
	if p.shared != nil { // the pool of worktrees is another one
		name += "-team"
	}
	if p.Settings != nil && p.Settings.Settings.Isolation.Dir != "" {
		dir := string(p.Settings.Settings.Isolation.Dir)
		if !filepath.IsAbs(dir) {
			dir = filepath.Join(p.Root(), dir)
		}
		return filepath.Join(dir, name)
	}
	return filepath.Join(a.StateHome(), "ralph", "worktrees", name)
}

// nameWithHash tells the repository from others of the same name.
func (p *Project) nameWithHash() string { return filepath.Base(p.Root()) + "-" + p.Hash() }

func (p *Project) Hash() string {
	sum := sha256.Sum256([]byte(p.Place.CommonDir))
	return hex.EncodeToString(sum[:4])
}

func (p *Project) Root() string {
	if p.Place.MainRoot != "" {
		return p.Place.MainRoot
	}
	return p.Place.CommonDir
}

func (a *Opener) StateHome() string {
	if dir := a.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return dir
	}
	home := a.Getenv("HOME")
	if !filepath.IsAbs(home) {
		// No HOME, as under cron: what the system says of the person.
		if u, err := user.Current(); err == nil {
			home = u.HomeDir
		}
	}
	if !filepath.IsAbs(home) {
		return filepath.Join(os.TempDir(), "ralph-"+strconv.Itoa(os.Getuid()))
	}
	return filepath.Join(home, ".local", "state")
}
