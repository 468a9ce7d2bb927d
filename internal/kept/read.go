package kept

import (
	"archive/zip"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// Name is the archive's name in the folder of a loop.
const Name = "evidence.zip"

// ErrDamaged: the archive, or a file in it, cannot be read as it was written.
var ErrDamaged = errors.New("damaged")

// damaged adds ErrDamaged to an error that the content of an archive explains.
func damaged(err error) error {
	var flate flate.CorruptInputError
	if errors.Is(err, zip.ErrFormat) || errors.Is(err, zip.ErrChecksum) || errors.Is(err, zip.ErrAlgorithm) ||
		errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) || errors.As(err, &flate) {
		return fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	return err
}

// Check returns ErrDamaged, with the reason, where the archive in a loop's folder is not one.
// It reads its table, and no content.
func Check(dir string) error {
	path := Archive(dir)
	if path == "" {
		return nil
	}
	archive, err := openArchive(path)
	if err != nil {
		return err
	}
	return archive.Close()
}

func openArchive(path string) (*zip.ReadCloser, error) {
	if err := regular(path); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	archive, err := zip.OpenReader(path)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", path, damaged(err))
	}
	return archive, nil
}

// regular fails where a path is not that of a regular file: a link may lead to another
// loop's, and a pipe blocks.
func regular(path string) error {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("read %s: not a regular file", path)
	}
	return err
}

// SetAside gives a damaged archive another name, under which no reader finds it.
func SetAside(dir string) error {
	return os.Rename(filepath.Join(dir, Name), filepath.Join(dir, aside))
}

// aside is the name of a damaged archive, which is kept.
const aside = Name + ".broken"

// deepest is how many folders lie between a file and the archive, at most:
// accept/<commit>/attempts/001/reviews/<gate>/<vote>.
const deepest = 8

// Archive returns the path of the archive in a loop's folder, or nothing where there is none.
func Archive(dir string) string {
	path := filepath.Join(dir, Name)
	if !exists(path) {
		return ""
	}
	return path
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// Packed calls do with each file in the archive of a loop's folder, which may have none.
func Packed(dir string, do func(name string, content io.Reader) error) error {
	path := Archive(dir)
	if path == "" {
		return nil
	}
	archive, err := openArchive(path)
	if err != nil {
		return err
	}
	defer archive.Close()
	for _, f := range archive.File {
		if err := packedFile(f, do); err != nil {
			return fmt.Errorf("read %s of %s: %w", f.Name, path, damaged(err))
		}
	}
	return nil
}

func packedFile(f *zip.File, do func(name string, content io.Reader) error) error {
	content, err := f.Open()
	if err != nil {
		return err
	}
	return errors.Join(do(f.Name, content), content.Close())
}

// Size returns the size of a file in bytes. A file that is not there is fs.ErrNotExist,
// and one that is not regular an error: reading a pipe could block.
func Size(path string) (int64, error) {
	if err := regular(path); err == nil {
		info, err := os.Lstat(path)
		if err != nil {
			return 0, err
		}
		return info.Size(), nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return 0, err
	}
	a, err := find(path)
	if err != nil {
		return 0, err
	}
	defer a.Close()
	return int64(a.entry.UncompressedSize64), nil //nolint:gosec // the archive is ours
}

// ReadFile returns the content of a file.
func ReadFile(path string) ([]byte, error) {
	f, err := Open(path, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(f)
	if _, is := f.(*packed); is && err != nil {
		return nil, fmt.Errorf("read %s: %w", path, damaged(err))
	}
	return data, err
}

// Open opens a file for reading, from an offset in bytes on.
func Open(path string, from int64) (io.ReadCloser, error) {
	f, err := openRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return openPacked(path, from)
	}
	if err != nil {
		return nil, err
	}
	if _, err := f.Seek(from, io.SeekStart); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

func openRegular(path string) (*os.File, error) {
	if err := regular(path); err != nil {
		return nil, err
	}
	return os.Open(path)
}

func openPacked(path string, from int64) (io.ReadCloser, error) {
	a, err := find(path)
	if err != nil {
		return nil, err
	}
	if a.content, err = a.entry.Open(); err == nil {
		_, err = io.CopyN(io.Discard, a.content, from)
	}
	if err != nil && !errors.Is(err, io.EOF) {
		_ = a.Close()
		return nil, fmt.Errorf("read %s of %s: %w", a.entry.Name, a.path, damaged(err))
	}
	return a, nil
}

// packed is a file in an archive.
type packed struct {
	path    string
	archive *zip.ReadCloser
	entry   *zip.File
	content io.ReadCloser
}

func (p *packed) Read(b []byte) (int, error) { return p.content.Read(b) }

func (p *packed) Close() (err error) {
	if p.content != nil {
		err = p.content.Close()
	}
	return errors.Join(err, p.archive.Close())
}

// find finds a file in the nearest archive above it.
func find(path string) (*packed, error) {
	missing := &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	dir := path
	for range deepest {
		if dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
		at := filepath.Join(dir, Name)
		if !exists(at) {
			continue
		}
		archive, err := openArchive(at)
		if err != nil {
			return nil, err
		}
		name, err := filepath.Rel(dir, path)
		if err == nil {
			name = filepath.ToSlash(name)
		}
		for _, f := range archive.File {
			if f.Name == name {
				return &packed{path: at, archive: archive, entry: f}, nil
			}
		}
		return nil, errors.Join(missing, archive.Close())
	}
	return nil, missing
}
