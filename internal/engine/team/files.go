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

// Files are what all machines of a team share of its loops: prompts, output and evidence, by
// content.
//
//	blobs/<2 hex>/<sha256>             the content
//	<project>/<loop>/<epoch>.json      what a lease published: paths and digests
//
// A lease writes the list of its own epoch only. Of a path that several lists have, the
// newest epoch counts, so a former owner replaces nothing of a later one.
type Files struct {
	// In keeps the files; nil: they stay on the machine that made them.
	In      Objects
	Project string

	mu sync.Mutex
	// sent is what was published by this process, by loop and epoch.
	sent map[string]map[string]sentFile
}

type sentFile struct {
	Size   int64     `json:"-"`
	Mod    time.Time `json:"-"`
	SHA256 string    `json:"sha256"`
}

// published are the files of a loop's directory that other machines need. The records of
// processes belong to this one.
func published(path string) bool {
	parts := strings.Split(path, "/")
	return path == "memory.json" || parts[0] == "attempts" && len(parts) > 2 && parts[2] != "runs"
}

// Put publishes the files of a loop that changed since the last call.
func (f *Files) Put(ctx context.Context, id string, epoch int64, dir string) error {
	if f.In == nil {
		return nil
	}
	return f.put(ctx, id, epoch, dir, false)
}

// put publishes the files in a folder, and the list where one changed or more is true.
func (f *Files) put(ctx context.Context, id string, epoch int64, dir string, more bool) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	list := f.list(id, epoch)
	if f.sent == nil {
		f.sent = map[string]map[string]sentFile{}
	}
	sent := maps.Clone(f.sent[list])
	if sent == nil {
		sent = map[string]sentFile{}
	}
	changed, err := f.putAll(ctx, dir, sent)
	if err == nil && (changed || more) {
		var data []byte
		if data, err = json.Marshal(sent); err == nil {
			err = f.In.Write(ctx, list, bytes.NewReader(data))
		}
	}
	if err != nil {
		return fmt.Errorf("publish the files of loop %s: %w", id, err)
	}
	f.sent[list] = sent
	return nil
}

func (f *Files) list(id string, epoch int64) string {
	return fmt.Sprintf("%s/%d.json", f.folder(id), epoch)
}

// folder has the lists of a loop.
func (f *Files) folder(id string) string { return f.Project + "/" + id }

func (f *Files) putAll(ctx context.Context, dir string, sent map[string]sentFile) (changed bool, err error) {
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		rel, err := filepath.Rel(dir, path)
		if name := filepath.ToSlash(rel); err != nil || !published(name) {
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
func (f *Files) PutWhole(ctx context.Context, id string, epoch int64, dir string) error {
	if f.In == nil {
		return nil
	}
	all := map[string]sentFile{}
	err := kept.Packed(dir, func(name string, content io.Reader) error {
		if !published(name) {
			return nil
		}
		digest, err := f.putContent(ctx, content)
		all[name] = sentFile{SHA256: digest}
		return err
	})
	if err != nil {
		return fmt.Errorf("publish the files of loop %s: %w", id, err)
	}
	if len(all) > 0 {
		f.mu.Lock()
		if f.sent == nil {
			f.sent = map[string]map[string]sentFile{}
		}
		f.sent[f.list(id, epoch)] = all
		f.mu.Unlock()
	}
	return f.put(ctx, id, epoch, dir, len(all) > 0)
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

// Get brings the published files of a loop into its directory on this machine.
func (f *Files) Get(ctx context.Context, id, dir string) error {
	if f.In == nil {
		return nil
	}
	all, err := f.lists(ctx, id)
	if err == nil && len(all) > 0 {
		err = f.getAll(ctx, all, dir)
	}
	if err != nil {
		return fmt.Errorf("get the files of loop %s: %w", id, err)
	}
	return nil
}

// lists merges those of all epochs, the newest last.
func (f *Files) lists(ctx context.Context, id string) (map[string]sentFile, error) {
	names, err := f.In.List(ctx, f.folder(id))
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
		data, err := f.In.Read(ctx, f.list(id, n))
		if err != nil {
			return nil, err
		}
		if err := json.Unmarshal(data, &all); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// errForeignPath is returned for a list with paths that are no files of a loop.
var errForeignPath = errors.New("the list names a file outside of the loop's directory")

func (f *Files) getAll(ctx context.Context, all map[string]sentFile, dir string) error {
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
		if err != nil || len(digest) != sha256.Size || !filepath.IsLocal(filepath.FromSlash(name)) || !published(name) {
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
