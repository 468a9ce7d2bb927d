package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"ralph/internal/loop"
)

// Situations of artifacts.
var (
	ErrNoArtifact    = errors.New("no such artifact")
	ErrLargeArtifact = fmt.Errorf("it is larger than %d MiB", loop.MaxArtifact>>20)
	// ErrChangedArtifact: the copy is not what was published.
	ErrChangedArtifact = errors.New("its copy was changed since it was published")
)

// Publish keeps a copy of content for others and announces it. The copy stands
// whole on disk, with its digest known, before the row that names it.
func (s *Store) Publish(ctx context.Context, id, path, note string, content io.Reader) (loop.Artifact, error) {
	a := loop.Artifact{Loop: id, Path: path, Note: note}
	dir := filepath.Join(s.loopDir(id), "artifacts")
	_, _, err := s.peek(ctx, id)
	if err == nil {
		err = os.MkdirAll(dir, 0o700)
	}
	if err != nil {
		return a, fmt.Errorf("publish %s: %w", path, err)
	}
	s.sweep(dir)
	copied, err := copyOf(&a, dir, content)
	defer os.Remove(copied)
	if err != nil {
		return a, fmt.Errorf("publish %s: %w", path, err)
	}
	err = s.write(ctx, "publish "+path, func(tx *sql.Tx) error {
		e, err := entryOf(ctx, tx, id)
		if err == nil && e.Archived {
			err = ErrArchived
		}
		if err != nil {
			return err
		}
		a.At = s.o.Now().UTC()
		if err := insertArtifact(ctx, tx, &a, e.num); err != nil {
			return err
		}
		if err := os.Rename(copied, filepath.Join(dir, fileOf(a))); err != nil {
			return err
		}
		if err := syncDir(dir); err != nil {
			return err
		}
		return announce(ctx, tx, e, a.At, "published", handed(a, ""))
	})
	if err == nil {
		s.show(ctx, id)
	}
	return a, err
}

// incoming is the prefix of unfinished copies; abandoned is the age from which
// a copy counts as abandoned.
const (
	incoming  = ".incoming-"
	abandoned = time.Hour
)

// sweep takes away what publishers left that were killed.
func (s *Store) sweep(dir string) {
	files, _ := os.ReadDir(dir)
	for _, f := range files {
		if info, err := f.Info(); err == nil && strings.HasPrefix(f.Name(), incoming) && s.o.Now().Sub(info.ModTime()) > abandoned {
			_ = os.Remove(filepath.Join(dir, f.Name()))
		}
	}
}

// copyOf writes content to a read-only file and returns its size and digest. The
// file's name is returned in any case.
func copyOf(a *loop.Artifact, dir string, content io.Reader) (string, error) {
	f, err := os.CreateTemp(dir, incoming+"*")
	if err != nil {
		return "", err
	}
	digest := sha256.New()
	a.Bytes, err = io.Copy(io.MultiWriter(f, digest), io.LimitReader(content, loop.MaxArtifact+1))
	if err == nil && a.Bytes > loop.MaxArtifact {
		err = ErrLargeArtifact
	}
	a.SHA256 = hex.EncodeToString(digest.Sum(nil))
	if err == nil {
		err = errors.Join(f.Chmod(0o400), f.Sync())
	}
	return f.Name(), errors.Join(err, f.Close())
}

func insertArtifact(ctx context.Context, tx *sql.Tx, a *loop.Artifact, num int64) error {
	return tx.QueryRowContext(ctx,
		`INSERT INTO artifacts (loop, path, sha256, bytes, note, at) VALUES (?, ?, ?, ?, ?, ?) RETURNING num`,
		num, a.Path, a.SHA256, a.Bytes, a.Note, nano(a.At)).Scan(&a.N)
}

// fileOf is the copy's name in the loop's directory.
func fileOf(a loop.Artifact) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("._-", r) {
			return r
		}
		return '_'
	}, a.Path[strings.LastIndexByte(a.Path, '/')+1:])
	return fmt.Sprintf("%d-%s", a.N, name[max(len(name)-64, 0):])
}

// handoff is the bus message about an artifact.
type handoff struct {
	Artifact int64  `json:"artifact,omitempty"`
	Path     string `json:"path,omitempty"`
	SHA256   string `json:"sha256,omitempty"`
	Bytes    *int64 `json:"bytes,omitempty"`
	Note     string `json:"note,omitempty"`
	TakenBy  string `json:"taken_by,omitempty"`
}

func handed(a loop.Artifact, by string) handoff {
	return handoff{a.N, a.Path, a.SHA256, &a.Bytes, a.Note, by}
}

// announce puts something on the bus that is no event of the machine.
func announce(ctx context.Context, tx *sql.Tx, e Entry, at time.Time, name string, what any) error {
	data, err := json.Marshal(what)
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `INSERT INTO events (loop, epoch, at, name, data) VALUES (?, ?, ?, ?, ?)`,
		e.num, e.Epoch, nano(at), name, data)
	return err
}
