package team

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"ralph/internal/kept"
)

// Files are what all machines of a team share of its loops and plans: prompts, output and
// evidence, by content.
//
//	blobs/<2 hex>/<sha256>                   the content
//	<project>/<loop>/<epoch>.json            what a lease published: paths and digests
//	<project>/plans/<plan>/<epoch>.json      the same of a plan
//
// A lease writes the list of its own epoch only. Of a path that several lists have, the
// newest epoch counts, so a former owner replaces nothing of a later one.
type Files struct {
	// In keeps the files; nil: they stay on the machine that made them.
	In      Objects
	Project string

	mu sync.Mutex
	// sent is what was published by this process, by list.
	sent map[string]map[string]sentFile
}

type sentFile struct {
	Size   int64     `json:"-"`
	Mod    time.Time `json:"-"`
	SHA256 string    `json:"sha256"`
}

// Put publishes the files of a run that changed since the last call.
func (f *Files) Put(ctx context.Context, of Run, epoch int64, dir string) error {
	if f.In == nil {
		return nil
	}
	return f.put(ctx, of, epoch, dir, false)
}

// put publishes the files in a folder, and the list where one changed or more is true.
func (f *Files) put(ctx context.Context, of Run, epoch int64, dir string, more bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := f.list(of, epoch)
	if f.sent == nil {
		f.sent = map[string]map[string]sentFile{}
	}
	sent := maps.Clone(f.sent[list])
	if sent == nil {
		sent = map[string]sentFile{}
	}
	changed, err := f.putAll(ctx, of, dir, sent)
	if err == nil && (changed || more) {
		var data []byte
		if data, err = json.Marshal(sent); err == nil {
			err = f.In.Write(ctx, list, bytes.NewReader(data))
		}
	}
	if err != nil {
		return fmt.Errorf("publish the files of %s: %w", of, err)
	}
	f.sent[list] = sent
	return nil
}

func (f *Files) list(of Run, epoch int64) string {
	return fmt.Sprintf("%s/%d.json", f.folder(of), epoch)
}

// folder has the lists of a run.
func (f *Files) folder(of Run) string { return f.Project + "/" + of.folder() }

func (f *Files) putAll(ctx context.Context, of Run, dir string, sent map[string]sentFile) (changed bool, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if name := filepath.ToSlash(rel); err != nil || !of.published(name) {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		name := filepath.ToSlash(rel)
		if was, ok := sent[name]; err != nil || ok && was.Size == info.Size() && was.Mod.Equal(info.ModTime()) {
			return err
		}
		digest, err := f.putBlob(ctx, path)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		changed, sent[name] = true, sentFile{info.Size(), info.ModTime(), digest}
		return err
	})
	return changed, err
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
	if err != nil {
		return fmt.Errorf("publish the files of %s: %w", of, err)
	}
	if len(all) > 0 {
		f.mu.Lock()
		if f.sent == nil {
			f.sent = map[string]map[string]sentFile{}
		}
		f.sent[f.list(of, epoch)] = all
		f.mu.Unlock()
	}
	return f.put(ctx, of, epoch, dir, len(all) > 0)
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
	defer os.Remove(tmp.Name())
	defer tmp.Close()
	sum := sha256.New()
	if _, err := io.Copy(io.MultiWriter(tmp, sum), from); err != nil {
		return "", err
	}
	digest := hex.EncodeToString(sum.Sum(nil))
	if has, err := f.In.Has(ctx, blob(digest)); has || err != nil {
		return digest, err
	}
	if _, err := tmp.Seek(0, io.SeekStart); err != nil {
		return "", err
	}
	return digest, f.In.Write(ctx, blob(digest), tmp)
}

func blob(digest string) string { return "blobs/" + digest[:2] + "/" + digest }

// Get brings the published files of a run into its directory on this machine.
func (f *Files) Get(ctx context.Context, of Run, dir string) error {
	if f.In == nil {
		return nil
	}
	all, err := f.lists(ctx, of)
	if err == nil && len(all) > 0 {
		err = f.getAll(ctx, of, all, dir)
	}
	if err != nil {
		return fmt.Errorf("get the files of %s: %w", of, err)
	}
	return nil
}

// lists merges those of all epochs, the newest last.
func (f *Files) lists(ctx context.Context, of Run) (map[string]sentFile, error) {
	names, err := f.In.List(ctx, f.folder(of))
	if err != nil {
		return nil, err
	}
	var epochs []int64
	for _, name := range names {
		number, is := strings.CutSuffix(name, ".json")
		if n, err := strconv.ParseInt(number, 10, 64); is && err == nil {
			epochs = append(epochs, n)
		}
	}
	slices.Sort(epochs)
	all := map[string]sentFile{}
	for _, n := range epochs {
		data, err := f.In.Read(ctx, f.list(of, n))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(data, &all); err != nil {
			return nil, err
		}
	}
	return all, nil
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
	for name, file := range all {
		digest, err := hex.DecodeString(file.SHA256)
		if err != nil || len(digest) != sha256.Size || !filepath.IsLocal(filepath.FromSlash(name)) || !of.published(name) {
			return fmt.Errorf("%w: %q", errForeignPath, name)
		}
		if kept.Same(filepath.Join(dir, filepath.FromSlash(name)), file.SHA256) {
			continue
		}
		if err := f.getBlob(ctx, root, name, file.SHA256); err != nil {
			return err
		}
	}
	return nil
}

func (f *Files) getBlob(ctx context.Context, root *os.Root, name, digest string) error {
	data, err := f.In.Read(ctx, blob(digest))
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
