package team

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralph/internal/durable"
	"ralph/internal/engine"
)

// Objects keep content by key, in a place that all machines of a team reach. A key has its
// parts separated by slashes. String names the place.
type Objects interface {
	// Write stores all of the content or nothing, and replaces what has the key.
	Write(ctx context.Context, key string, content io.Reader) error
	// Read returns the content of a key. The error is fs.ErrNotExist where there is none.
	Read(ctx context.Context, key string) ([]byte, error)
	Has(ctx context.Context, key string) (bool, error)
	// List returns the last parts of the keys directly below a folder: none where nothing
	// is there.
	List(ctx context.Context, folder string) ([]string, error)
	Delete(ctx context.Context, key string) error
	String() string
}

// shared are objects whose errors tell that nothing is wrong with the work.
type shared struct{ Objects }

func unusable(err error) error {
	if err == nil {
		return nil
	}
	return engine.ErrFiles{Err: err}
}

func (s shared) Write(ctx context.Context, key string, content io.Reader) error {
	return unusable(s.Objects.Write(ctx, key, content))
}

func (s shared) Read(ctx context.Context, key string) ([]byte, error) {
	data, err := s.Objects.Read(ctx, key)
	return data, unusable(err)
}

func (s shared) Has(ctx context.Context, key string) (bool, error) {
	has, err := s.Objects.Has(ctx, key)
	return has, unusable(err)
}

func (s shared) List(ctx context.Context, folder string) ([]string, error) {
	names, err := s.Objects.List(ctx, folder)
	return names, unusable(err)
}

// Folder keeps objects as files below a folder that all machines mount.
type Folder string

var _ Objects = Folder("")

func (f Folder) String() string { return string(f) }

func (f Folder) path(key string) string { return filepath.Join(string(f), filepath.FromSlash(key)) }

// newPrefix begins the name of a file that is being written; a killed writer leaves it.
const newPrefix = "new-"

// leftAfter is longer than the write of a file takes. One that continues after it all the same
// cannot give the file its name, and is repeated.
const leftAfter = 24 * time.Hour

// Sweep removes what killed writers left below some folders. Ages are counted from the time of an
// object that was written just now: the clock of the folder's machine, which gives both times,
// may differ from this one's by hours.
func (f Folder) Sweep(now string, folders ...string) {
	written, err := os.Stat(f.path(now))
	if err != nil {
		return
	}
	for _, folder := range folders {
		_ = filepath.WalkDir(f.path(folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || !strings.HasPrefix(d.Name(), newPrefix) {
				return nil //nolint:nilerr // what cannot be read now stays until the next time
			}
			if info, err := d.Info(); err == nil && written.ModTime().Sub(info.ModTime()) > leftAfter {
				_ = os.Remove(path)
			}
			return nil
		})
	}
}

// Write returns once the content survives a power cut.
func (f Folder) Write(_ context.Context, key string, content io.Reader) error {
	to := f.path(key)
	dir := filepath.Dir(to)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tmp, err := os.CreateTemp(dir, newPrefix+"*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	_, err = io.Copy(tmp, content)
	if err = errors.Join(err, tmp.Sync(), tmp.Close()); err != nil {
		return err
	}
	if err := os.Rename(tmp.Name(), to); err != nil {
		return err
	}
	return durable.SyncDir(dir)
}

func (f Folder) Read(_ context.Context, key string) ([]byte, error) { return os.ReadFile(f.path(key)) }

func (f Folder) Has(_ context.Context, key string) (bool, error) {
	_, err := os.Stat(f.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

func (f Folder) List(_ context.Context, folder string) ([]string, error) {
	entries, err := os.ReadDir(f.path(folder))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	names := make([]string, len(entries))
	for i, e := range entries {
		names[i] = e.Name()
	}
	return names, err
}

func (f Folder) Delete(_ context.Context, key string) error { return os.Remove(f.path(key)) }

// Check proves that files can be written, listed, read and deleted. Then it removes what killed
// writers left.
func (f *Files) Check(ctx context.Context) error {
	if f.In == nil {
		return nil
	}
	name := rand.Text()
	key := "check/" + name
	if err := f.In.Write(ctx, key, strings.NewReader(key)); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	names, err := f.In.List(ctx, "check")
	if err == nil && !slices.Contains(names, name) {
		err = errors.New("what was written is missing")
	}
	if err != nil {
		return errors.Join(fmt.Errorf("list: %w", err), f.In.Delete(ctx, key))
	}
	got, err := f.In.Read(ctx, key)
	if err == nil && string(got) != key {
		err = errors.New("another content than was written")
	}
	if err != nil {
		return errors.Join(fmt.Errorf("read: %w", err), f.In.Delete(ctx, key))
	}
	if folder, is := f.In.(Folder); is {
		folder.Sweep(key, "blobs", "check", f.Project)
	}
	if err := f.In.Delete(ctx, key); err != nil {
		return fmt.Errorf("delete: %w", err)
	}
	return nil
}
