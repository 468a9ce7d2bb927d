package kept

import (
	"archive/zip"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"ralph/internal/durable"
)

// half is the archive while it is written.
const half = Name + ".tmp"

// Pack moves files and folders below a loop's folder into its archive. Names that do not
// exist are left out. After an error, and after a kill at any step, every file can be read
// as before. While another process packs the same loop, it does nothing.
func Pack(dir string, names ...string) error {
	return packing{at: func(string) error { return nil }}.pack(dir, names)
}

// packing is one call of Pack. A test ends it where at returns an error, as a kill would.
type packing struct {
	root *os.Root
	at   func(step string) error
}

// loose is a file outside of the archive, as it was when it was packed.
type loose struct {
	name string
	size int64
	time time.Time
}

func (p packing) pack(dir string, names []string) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("pack the files of %s: %w", dir, err)
		}
	}()
	if p.root, err = os.OpenRoot(dir); err != nil {
		return err
	}
	defer p.root.Close()
	folder, err := p.root.Open(".")
	if err != nil {
		return err
	}
	defer folder.Close()
	if ours, err := durable.TryLock(folder); err != nil || !ours {
		return err
	}
	files, folders, err := p.list(names)
	if err != nil {
		return err
	}
	if len(files) > 0 {
		if err := p.write(files); err != nil {
			return err
		}
		if err := p.publish(folder); err != nil {
			return err
		}
	}
	return p.remove(files, folders)
}

// list returns the regular files, and the folders, the outer before the inner ones.
func (p packing) list(names []string) (files []loose, folders []string, err error) {
	for _, name := range names {
		err := fs.WalkDir(p.root.FS(), name, func(path string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case d.IsDir():
				folders = append(folders, path)
			case d.Type().IsRegular():
				files = append(files, loose{name: path})
			}
			return nil
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return files, folders, nil
}

// write makes the new archive, durably, beside the old one.
func (p packing) write(files []loose) error {
	out, err := p.root.OpenFile(half, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	defer out.Close()
	w := zip.NewWriter(out)
	w.RegisterCompressor(zip.Deflate, func(to io.Writer) (io.WriteCloser, error) {
		return flate.NewWriter(to, flate.BestSpeed)
	})
	if err := p.copyOld(w, files); err != nil {
		return err
	}
	for i := range files {
		if err := p.at("add " + files[i].name); err != nil {
			return err
		}
		if err := p.add(w, &files[i]); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := p.at("sync"); err != nil {
		return err
	}
	return out.Sync()
}

// copyOld takes over the content of the present archive, except what is newer outside.
func (p packing) copyOld(w *zip.Writer, files []loose) error {
	there, err := p.root.Lstat(Name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !there.Mode().IsRegular() {
		return p.root.Rename(Name, aside)
	}
	in, err := p.root.Open(Name)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	old, err := zip.NewReader(in, info.Size())
	if errors.Is(damaged(err), ErrDamaged) { // nothing in it can be read: it is kept, and no longer used
		return p.root.Rename(Name, aside)
	}
	if err != nil {
		return err
	}
	for _, f := range old.File {
		if slices.ContainsFunc(files, func(l loose) bool { return l.name == f.Name }) {
			continue
		}
		if err := w.Copy(f); err != nil {
			return err
		}
	}
	return nil
}

// smallest is the size in bytes from which compression saves something.
const smallest = 128

func (p packing) add(w *zip.Writer, l *loose) error {
	f, err := p.root.Open(l.name)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	l.size, l.time = info.Size(), info.ModTime()
	header := &zip.FileHeader{Name: l.name, Method: zip.Deflate, Modified: l.time.UTC()}
	if l.size < smallest {
		header.Method = zip.Store
	}
	header.SetMode(info.Mode())
	to, err := w.CreateHeader(header)
	if err == nil {
		_, err = io.Copy(to, f)
	}
	return err
}

// publish gives the archive its name, durably.
func (p packing) publish(folder *os.File) error {
	if err := p.at("rename"); err != nil {
		return err
	}
	if err := p.root.Rename(half, Name); err != nil {
		return err
	}
	if err := p.at("sync the folder"); err != nil {
		return err
	}
	return folder.Sync()
}

// remove removes what the archive has. A file that was changed since stays, and so does
// its folder.
func (p packing) remove(files []loose, folders []string) error {
	for _, l := range files {
		if err := p.at("remove " + l.name); err != nil {
			return err
		}
		info, err := p.root.Lstat(l.name)
		if err != nil || info.Size() != l.size || !info.ModTime().Equal(l.time) {
			continue
		}
		if err := p.root.Remove(l.name); err != nil {
			return err
		}
	}
	slices.SortFunc(folders, func(a, b string) int { return strings.Compare(b, a) })
	for _, name := range folders {
		if err := p.at("remove " + name); err != nil {
			return err
		}
		_ = p.root.Remove(name) // one that is not empty stays
	}
	return nil
}
