package trust

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralph/internal/durable"
	"ralph/internal/lazyregexp"
)

// idFile is the random name of a store, in its directory.
const idFile = "store.id"

var validID = lazyregexp.New(`^[0-9a-f]{32}$`)

// Binding is the record that a store was made, or adopted, on this machine.
type Binding struct {
	Schema     string    `json:"schema"`
	Repository string    `json:"repository"`
	Store      string    `json:"store"`
	At         time.Time `json:"at"`
	// Directory identifies the git directory on its file system, "" where the
	// system tells nothing.
	Directory string `json:"directory,omitempty"`
	// Born is when the git directory was made, "" where the file system does not tell.
	Born string `json:"born,omitempty"`
}

// of reports whether the git directory is not another one than that of the record. It is
// no copy at the same place, as far as the file system tells.
func (v Binding) of(repository string) bool {
	now := born(repository)
	return v.Born == "" || now == "" || v.Born == now
}

const bindingSchema = "ralph.trust-store/v1"

// Bind reports whether the store in dir is this machine's own. A store that does
// not exist yet becomes it; exists is false while it has no database. repository
// is the real path of the git directory.
func (b Book) Bind(repository, dir string, exists bool) (own bool, err error) {
	id, err := storeID(dir)
	switch {
	case err != nil:
		return false, err
	case id == "" && exists:
		return false, nil
	case id == "":
		id, err = b.name(repository, dir)
		if err != nil {
			return false, err
		}
	}
	if b.bound(repository, id) {
		return true, nil
	}
	if own, err := b.moved(repository, id); own || err != nil {
		return own, err
	}
	if _, err := os.ReadFile(b.binding(repository, id)); errors.Is(err, fs.ErrPermission) {
		return false, fmt.Errorf("read the record of the store of %s: %w", repository, err)
	}
	return false, nil
}

// ErrDamagedName: a store has a name that ralph did not write, such as an empty file.
var ErrDamagedName = errors.New("damaged: it is not the name of a store")

// Named returns ErrDamagedName, with the file, where the name of the store in dir is damaged.
func Named(dir string) error {
	_, err := storeID(dir)
	return err
}

// Own reports whether the store in dir is this machine's own, and changes nothing.
// A store that does not exist is foreign to no machine.
func (b Book) Own(repository, dir string, exists bool) bool {
	id, err := storeID(dir)
	if err != nil {
		return false
	}
	return id == "" && !exists || id != "" && (b.bound(repository, id) || b.formerPlace(repository, id) != "")
}

// Revoked reports whether the store in dir was this machine's own until Revoke.
func (b Book) Revoked(repository, dir string) bool {
	id, err := storeID(dir)
	if err != nil || id == "" || b.bound(repository, id) {
		return false
	}
	v, err := read[Binding](filepath.Join(b.Dir, "revoked", filepath.Base(b.binding(repository, id))))
	return err == nil && v.Repository == repository && v.Store == id
}

// Adopt makes the store in dir this machine's own, under a new name: the one that
// it was copied from keeps its own.
func (b Book) Adopt(repository, dir string) error {
	if err := os.Remove(filepath.Join(dir, idFile)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("adopt the store: %w", err)
	}
	_, err := b.name(repository, dir)
	return err
}

// name gives a store a name. The record comes first: a process that reads the
// name finds it bound. Of two processes one wins, and both have its name.
func (b Book) name(repository, dir string) (string, error) {
	random := make([]byte, 16)
	_, _ = rand.Read(random)
	id := hex.EncodeToString(random)
	if err := b.write(b.binding(repository, id), b.bindingOf(repository, id)); err != nil {
		return "", fmt.Errorf("record the store of %s: %w", repository, err)
	}
	err := writeID(dir, id)
	if errors.Is(err, fs.ErrExist) {
		_ = os.Remove(b.binding(repository, id))
		return storeID(dir)
	}
	if err != nil {
		return "", fmt.Errorf("name the store: %w", err)
	}
	_ = durable.SyncDir(dir)
	return id, nil
}

// writeID writes the name of a store as a whole, and never over another one. A
// file system without hard links has it at once, but for the instant of writing.
func writeID(dir, id string) error {
	f, err := os.CreateTemp(dir, ".store-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.WriteString(id + "\n")
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	path := filepath.Join(dir, idFile)
	if err = os.Link(f.Name(), path); err == nil || errors.Is(err, fs.ErrExist) {
		return err
	}
	own, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = own.WriteString(id + "\n")
	return errors.Join(err, own.Sync(), own.Close())
}

func (b Book) bindingOf(repository, id string) Binding {
	return Binding{bindingSchema, repository, id, b.Now().UTC(), identity(repository), born(repository)}
}

// storeID returns the name of the store in dir, "" where it has none.
func storeID(dir string) (string, error) {
	data, err := os.ReadFile(filepath.Join(dir, idFile))
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("read the name of the store: %w", err)
	}
	id := strings.TrimSpace(string(data))
	if !validID.MatchString(id) {
		return "", fmt.Errorf("%s is %w", filepath.Join(dir, idFile), ErrDamagedName)
	}
	return id, nil
}

func (b Book) binding(repository, id string) string {
	return filepath.Join(b.Dir, "stores", place(repository)+"-"+id+".json")
}

func (b Book) bound(repository, id string) bool {
	v, err := read[Binding](b.binding(repository, id))
	return err == nil && v.Repository == repository && v.Store == id && v.of(repository)
}

// moved recognises a git directory that was renamed, and takes over what was
// allowed at its former place.
func (b Book) moved(repository, id string) (bool, error) {
	from := b.formerPlace(repository, id)
	if from == "" {
		return false, nil
	}
	if err := b.write(b.binding(repository, id), b.bindingOf(repository, id)); err != nil {
		return false, fmt.Errorf("record the store of %s: %w", repository, err)
	}
	allowed, _ := b.of(from)
	for _, a := range allowed {
		a.Repository = repository
		_ = b.write(b.allowance(repository, a.Digest), a)
	}
	_, _ = b.forget(from, os.Remove)
	return true, nil
}

// formerPlace returns the path at which the same directory had the same store
// before it was renamed, "" if there is none. Another directory may be there now.
func (b Book) formerPlace(repository, id string) string {
	here := identity(repository)
	files, err := b.files("stores", "")
	if err != nil || here == "" {
		return ""
	}
	for _, f := range files {
		if !strings.HasSuffix(f, "-"+id+".json") {
			continue
		}
		v, err := read[Binding](f)
		if err != nil || v.Store != id || v.Directory != here || !v.of(repository) {
			continue
		}
		if v.Repository != repository && identity(v.Repository) != here {
			return v.Repository
		}
	}
	return ""
}
