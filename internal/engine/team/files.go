package team

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"ralph/internal/kept"
)

// Files are what all machines of a team share of its loops and plans: prompts, output and
// evidence, by content.
//
//	blobs/<2 hex>/<sha256>                   the content
//	<project>/<loop>/<epoch>.json            what a lease published: paths and digests
//	<project>/<loop>/<epoch>.<n>.json        what it published after that, n from 2
//	<project>/plans/<plan>/…                 the same of a plan
//
// A lease writes the lists of its own epoch only. Of a path that several lists have, the
// newest one counts, so a former owner replaces nothing of a later one.
type Files struct {
	// In keeps the files; nil: they stay on the machine that made them.
	In      Objects
	Project string

	mu sync.Mutex
	// sent is what was published by this process, by folder and epoch.
	sent map[string]*sentFiles
}

// sentFiles are those of a run under an epoch.
type sentFiles struct {
	// seen are the files that the newest call looked at, as they were published.
	seen map[string]sentFile
	// list is the newest list, and number the one in its name.
	list   map[string]sentFile
	number int
}

func (f *Files) in() Objects { return shared{f.In} }

type sentFile struct {
	Size   int64     `json:"-"`
	Mod    time.Time `json:"-"`
	SHA256 string    `json:"sha256"`
}

// Put publishes the files of a run that changed since the last call. Those are in the paths
// given, each a file or a folder in dir; without any they may be everywhere.
func (f *Files) Put(ctx context.Context, of Run, epoch int64, dir string, paths ...string) error {
	if f.In == nil {
		return nil
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	sent := f.sentOf(of, epoch)
	if len(paths) == 0 {
		paths = []string{"."}
	}
	seen, changed := map[string]sentFile{}, map[string]sentFile{}
	for _, path := range paths {
		if err := f.look(ctx, of, dir, path, sent.seen, seen, changed); err != nil {
			return fmt.Errorf("publish the files of %s: %w", of, err)
		}
	}
	if err := f.list(ctx, of, epoch, sent, changed); err != nil {
		return fmt.Errorf("publish the files of %s: %w", of, err)
	}
	sent.seen = seen
	return nil
}

func (f *Files) sentOf(of Run, epoch int64) *sentFiles {
	key := fmt.Sprintf("%s/%d", of.folder(), epoch)
	if f.sent == nil {
		f.sent = map[string]*sentFiles{}
	}
	if f.sent[key] == nil {
		f.sent[key] = &sentFiles{list: map[string]sentFile{}, number: 1}
	}
	return f.sent[key]
}

// look publishes the content of the files at a path that are not as they were, and adds them to
// changed, and all to seen.
func (f *Files) look(ctx context.Context, of Run, dir, path string, were, seen, changed map[string]sentFile) error {
	return filepath.WalkDir(filepath.Join(dir, path), func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		name := filepath.ToSlash(rel)
		if err != nil || !of.published(name) {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		was, known := were[name]
		if err != nil || known && was.Size == info.Size() && was.Mod.Equal(info.ModTime()) {
			seen[name] = was
			return err
		}
		digest, err := f.putBlob(ctx, path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		now := sentFile{info.Size(), info.ModTime(), digest}
		seen[name], changed[name] = now, now
		return err
	})
}

// PutWhole is Put for a loop that moves to the team: with the files that were packed when it
// ended.
func (f *Files) PutWhole(ctx context.Context, of Run, epoch int64, dir string) error {
	if f.In == nil {
		return nil
	}
	all := map[string]sentFile{}
	err := kept.Packed(dir, func(name string, content io.Reader) error {
		if !of.published(name) {
			return nil
		}
		digest, err := f.putContent(ctx, content)
		all[name] = sentFile{SHA256: digest}
		return err
	})
	if err == nil {
		f.mu.Lock()
		err = f.list(ctx, of, epoch, f.sentOf(of, epoch), all)
		f.mu.Unlock()
	}
	if err != nil {
		return fmt.Errorf("publish the files of %s: %w", of, err)
	}
	return f.Put(ctx, of, epoch, dir)
}

// putBlob copies one file, and returns the digest of what was copied: the file may still
// grow.
func (f *Files) putBlob(ctx context.Context, path string) (string, error) {
	from, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer from.Close()
	return f.putContent(ctx, from)
}

// putContent makes a copy first, since the digest is the name.
func (f *Files) putContent(ctx context.Context, from io.Reader) (string, error) {
	tmp, err := os.CreateTemp("", "ralph-files-*")
	if err != nil {
		return "", err
	}
	_ = os.Remove(tmp.Name()) // where an open file needs no name, a kill leaves nothing behind
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(tmp, sum), from); err != nil {
		return "", err
	}
	digest := hex.EncodeToString(sum.Sum(nil))
	if has, err := f.in().Has(ctx, blob(digest)); has || err != nil {
		return digest, err
	}
	if _, err := tmp.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	return digest, f.in().Write(ctx, blob(digest), tmp)
}

func blob(digest string) string { return "blobs/" + digest[:2] + "/" + digest }

// Get brings the published files of a run into its directory on this machine.
func (f *Files) Get(ctx context.Context, of Run, dir string) error {
	if f.In == nil {
		return nil
	}
	if err := f.get(ctx, of, dir); err != nil {
		return fmt.Errorf("get the files of %s: %w", of, err)
	}
	return nil
}

func (f *Files) get(ctx context.Context, of Run, dir string) error {
	lists, err := f.lists(ctx, of)
	if err != nil {
		return err
	}
	wanted := without(lists, dir)
	all, err := f.listed(ctx, of, wanted)
	if err == nil && len(all) > 0 {
		err = f.getAll(ctx, of, all, dir)
	}
	if err != nil || len(wanted) < 2 {
		return err
	}
	return remember(lists, dir)
}

// errForeignPath is returned for a list with paths that are no files of its run.
var errForeignPath = errors.New("the list names a file that does not belong to it")

func (f *Files) getAll(ctx context.Context, of Run, all map[string]sentFile, dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return err
	}
	defer root.Close()
	names := slices.Sorted(maps.Keys(all))
	for _, name := range names {
		digest, err := hex.DecodeString(all[name].SHA256)
		if err != nil || len(digest) != sha256.Size || !filepath.IsLocal(filepath.FromSlash(name)) || !of.published(name) {
			return fmt.Errorf("%w: %q", errForeignPath, name)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return kept.Same(filepath.Join(dir, filepath.FromSlash(name)), all[name].SHA256)
	})
	return atOnce(ctx, names, func(ctx context.Context, _ int, name string) error {
		return f.getBlob(ctx, root, name, all[name].SHA256)
	})
}

// mostAtOnce is how many objects are asked for at once: an object store answers each request
// after some tenths of a second, however small the object is.
const mostAtOnce = 8

// atOnce does something for all of a list, for several at a time, and in their order as far as
// they wait for their turn. After an error none begins.
func atOnce[T any](ctx context.Context, all []T, do func(ctx context.Context, i int, of T) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(mostAtOnce)
	for i, of := range all {
		g.Go(func() error {
			if err := context.Cause(ctx); err != nil {
				return err
			}
			return do(ctx, i, of)
		})
	}
	return g.Wait()
}

func (f *Files) getBlob(ctx context.Context, root *os.Root, name, digest string) error {
	data, err := f.in().Read(ctx, blob(digest))
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(data); hex.EncodeToString(sum[:]) != digest {
		return fmt.Errorf("the content of %s was changed in %s", name, f.In)
	}
	path := filepath.FromSlash(name)
	if err := root.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	return root.WriteFile(path, data, 0o600)
}
