package worker

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralph/internal/durable"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/sandbox"
	"ralph/internal/sandbox/room"
)

// The files of a hidden gate are copied once, by their digest, into ralph's state: what
// judges is what there was when the loop began. The copy lies over the tree while the
// gate runs, and nowhere else.

// mostHeldOut bounds the files of a hidden gate, and their bytes.
const (
	mostHeldOut      = 20_000
	mostHeldOutBytes = 1 << 30
)

// DigestFiles returns the SHA-256 over the names, modes and contents of the files in a
// folder, in hex.
func DigestFiles(dir string) (string, error) {
	info, err := os.Stat(dir)
	if err != nil {
		return "", err
	}
	if !info.IsDir() {
		return "", fmt.Errorf("%s is not a folder", dir)
	}
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return "", err
	}
	sum, files, left := sha256.New(), 0, int64(mostHeldOutBytes)
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir || d.IsDir() {
			return err
		}
		if files++; files > mostHeldOut {
			return fmt.Errorf("%s has more than %d files", dir, mostHeldOut)
		}
		return digestEntry(sum, dir, path, d, &left)
	})
	if err == nil && files == 0 {
		err = fmt.Errorf("%s has no files", dir)
	}
	return hex.EncodeToString(sum.Sum(nil)), err
}

func digestEntry(sum io.Writer, dir, path string, d fs.DirEntry, left *int64) error {
	info, err := d.Info()
	if err != nil {
		return err
	}
	below, err := filepath.Rel(dir, path)
	if err != nil {
		return err
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		to, err := os.Readlink(path)
		fmt.Fprintf(sum, "%q -> %q\n", below, to)
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is neither a file nor a folder", path)
	}
	if *left -= info.Size(); *left < 0 {
		return fmt.Errorf("%s has more than %d MB", dir, mostHeldOutBytes>>20)
	}
	fmt.Fprintf(sum, "%q %t %d\n", below, info.Mode()&0o100 != 0, info.Size())
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(sum, f)
	return err
}

// heldOutRoot holds the copies of hidden gates' files, by digest.
func (w *Worker) heldOutRoot() string { return filepath.Join(w.Repo.CommonDir, "ralph", "hidden") }

// FreezeFiles records what the files of a hidden gate are now. Agents can read all objects of
// their own repository, so that a ref of it hides nothing.
func FreezeFiles(ctx context.Context, repo *git.Repo, g loop.Gate) (loop.Gate, error) {
	if g.FilesRef == "" {
		digest, err := DigestFiles(g.Files)
		g.FilesSHA256 = digest
		return g, err
	}
	from, err := git.Open(ctx, g.Files)
	if err != nil {
		return g, err
	}
	if repo != nil && from.CommonDir == repo.CommonDir {
		return g, fmt.Errorf("%s of this repository is in the agents' sight: put it into another one", g.FilesRef)
	}
	if g.FilesTree, err = from.TreeNamed(ctx, g.FilesRef); err != nil {
		return g, fmt.Errorf("%s: %w", g.Files, err)
	}
	files, err := from.ListTree(ctx, g.FilesTree)
	switch {
	case err != nil:
		return g, fmt.Errorf("%s of %s: %w", g.FilesRef, g.Files, err)
	case len(files) == 0:
		return g, fmt.Errorf("%s of %s has no files", g.FilesRef, g.Files)
	case len(files) > mostHeldOut:
		return g, fmt.Errorf("%s of %s has more than %d files", g.FilesRef, g.Files, mostHeldOut)
	}
	return g, nil
}

// heldOutName is the name of the copy of a hidden gate's files.
func heldOutName(g loop.Gate) string { return cmp.Or(g.FilesTree, g.FilesSHA256) }

// heldOut returns the copy of a hidden gate's files, "" where it has none.
func (w *Worker) heldOut(ctx context.Context, g loop.Gate) (string, error) {
	if !g.Hidden || g.Files == "" {
		return "", nil
	}
	copied := filepath.Join(w.heldOutRoot(), heldOutName(g))
	if now := w.Now(); isDir(copied) {
		_ = os.Chtimes(copied, now, now)
		return copied, nil
	}
	w.sweepHeldOut(w.Now())
	if err := os.MkdirAll(w.heldOutRoot(), 0o700); err != nil {
		return "", err
	}
	made, err := os.MkdirTemp(w.heldOutRoot(), ".new-")
	if err != nil {
		return "", err
	}
	defer room.RemoveAll(made)
	if err := copyHeldOut(ctx, g, made); err != nil {
		return "", fmt.Errorf("copy the files of hidden gate %s: %w", g.Name, err)
	}
	if err := os.Rename(made, copied); err != nil && !isDir(copied) {
		return "", err
	}
	return copied, nil
}

func copyHeldOut(ctx context.Context, g loop.Gate, to string) error {
	if g.FilesTree != "" {
		from, err := git.Open(ctx, g.Files)
		if err != nil {
			return err
		}
		return from.Unpack(ctx, g.FilesTree, to)
	}
	from, err := filepath.EvalSymlinks(g.Files)
	if err != nil {
		return err
	}
	if err := copyTree(from, to); err != nil {
		return err
	}
	digest, err := DigestFiles(to)
	if err == nil && digest != g.FilesSHA256 {
		err = errors.New("they changed after the loop was asked for: start it again")
	}
	return err
}

// changedSince says that the files of a hidden gate are not what they were; "" where they are.
func changedSince(ctx context.Context, g loop.Gate) string {
	if !g.Hidden || g.Files == "" {
		return ""
	}
	now, err := FreezeFiles(ctx, nil, g)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "its folder is gone; a copy from the start of the loop judged"
	case err == nil && heldOutName(now) == heldOutName(g):
		return ""
	case g.FilesRef != "":
		return "its ref no longer names them; the files from the start of the loop judged"
	}
	return "its folder has changed; a copy from the start of the loop judged"
}

// layOver copies hidden files over a tree. The returned function takes them away again;
// what they replaced comes back with the next checkout.
func layOver(files, tree string) (remove func(), err error) {
	var laid []string
	remove = func() {
		for _, path := range laid {
			_ = os.Remove(path)
		}
	}
	err = filepath.WalkDir(files, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == files {
			return err
		}
		below, err := filepath.Rel(files, path)
		if err != nil {
			return err
		}
		at := filepath.Join(tree, below)
		if info, err := os.Lstat(at); err == nil && (!d.IsDir() || !info.IsDir()) {
			if err := os.RemoveAll(at); err != nil {
				return err
			}
		}
		if !d.IsDir() {
			laid = append(laid, at)
		}
		return copyEntry(path, at, d)
	})
	return remove, err
}

// secludes returns what no agent of a repository with hidden gates may read: their
// files, ralph's state with what they printed, the configuration that names them and
// the trees in which they run; and what of that each process needs.
func (w *Worker) secludes(s loop.State, p *sandbox.Profile) {
	if !s.HasHidden() && !isDir(w.heldOutRoot()) {
		return
	}
	hide := append([]string{filepath.Join(w.Repo.CommonDir, "ralph"), w.TreeRoot}, w.Confine.Protected...)
	if w.StateFile != "" {
		hide = append(hide, filepath.Dir(filepath.Dir(filepath.Dir(w.StateFile))))
		p.Keep = append(p.Keep, w.StateFile)
	}
	hide = append(hide, w.heldOutFolders(s)...)
	for _, path := range hide {
		p.Hide = append(p.Hide, sandbox.Literal(path))
	}
}

// heldOutFrom is the end of the name of a file that holds the folder of a hidden gate. It
// stays when the copy is removed, since the folder is still not to be read.
const heldOutFrom = ".from"

// heldOutFolders returns the folders of the loop's hidden gates, and of those that any
// other loop of the repository has had.
func (w *Worker) heldOutFolders(s loop.State) (folders []string) {
	for _, g := range s.Gates {
		if g.Files == "" {
			continue
		}
		folders = append(folders, g.Files)
		if from := filepath.Join(w.heldOutRoot(), heldOutName(g)+heldOutFrom); !exists(from) {
			_ = durable.Write(from, []byte(g.Files))
		}
	}
	entries, _ := os.ReadDir(w.heldOutRoot())
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), heldOutFrom) {
			continue
		}
		if folder, err := os.ReadFile(filepath.Join(w.heldOutRoot(), e.Name())); err == nil && isDir(string(folder)) {
			folders = append(folders, string(folder))
		}
	}
	return folders
}

// offline reports whether a gate runs without a network. A hidden one does where that
// can be had: the code that it judges could send its files somewhere.
func (w *Worker) offline(ctx context.Context, g loop.Gate) bool {
	if !g.Hidden || g.Network || g.NoNetwork || w.Confine.Capabilities == nil {
		return g.NoNetwork
	}
	return w.Confine.Capabilities.Detect(ctx).Bubblewrap.Works
}

// sweepHeldOut removes copies of hidden files that no gate has used for a month.
func (w *Worker) sweepHeldOut(now time.Time) {
	const unused = 30 * 24 * time.Hour
	entries, _ := os.ReadDir(w.heldOutRoot())
	for _, e := range entries {
		if info, err := e.Info(); err == nil && now.Sub(info.ModTime()) > unused && !strings.HasSuffix(e.Name(), heldOutFrom) {
			room.RemoveAll(filepath.Join(w.heldOutRoot(), e.Name()))
		}
	}
}
