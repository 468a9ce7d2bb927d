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

	"ralph/internal/durable"
	"ralph/internal/loop"
	"ralph/internal/store/sqlrow"
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
	_, err := s.loopEntry(ctx, id)
	if err == nil {
		err = durable.MkdirAll(dir)
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
		e, err := loopRuns.entry(ctx, tx, id)
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
		if err := durable.SyncDir(dir); err != nil {
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
		num, a.Path, a.SHA256, a.Bytes, a.Note, sqlrow.Nano(a.At)).Scan(&a.N)
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
		e.num, e.Epoch, sqlrow.Nano(at), name, data)
	return err
}

// Artifacts lists what is offered, newest first; of archived loops too.
func (s *Store) Artifacts(ctx context.Context) ([]loop.Artifact, error) {
	var out []loop.Artifact
	err := s.read(ctx, "list artifacts", func(tx *sql.Tx) error {
		rows, err := tx.QueryContext(ctx, artifactColumns+` ORDER BY a.num DESC`)
		if err != nil {
			return err
		}
		defer rows.Close()
		for rows.Next() {
			a, err := scanArtifact(rows.Scan)
			if err != nil {
				return err
			}
			out = append(out, a)
		}
		return rows.Err()
	})
	return out, err
}

const artifactColumns = `SELECT a.num, l.id, a.path, a.sha256, a.bytes, a.note, a.at FROM artifacts a JOIN loops l ON l.num = a.loop`

func scanArtifact(scan func(...any) error) (a loop.Artifact, err error) {
	var at int64
	err = scan(&a.N, &a.Loop, &a.Path, &a.SHA256, &a.Bytes, &a.Note, &at)
	a.At = sqlrow.Time(at)
	return a, err
}

// Take writes an artifact to w, checks it, and records that by took it. Nothing
// written counts before Take has returned without an error.
func (s *Store) Take(ctx context.Context, n int64, by string, w io.Writer) (loop.Artifact, error) {
	a, err := s.artifact(ctx, n)
	if err != nil {
		return a, err
	}
	if err := s.deliver(ctx, a, w); err != nil {
		return a, fmt.Errorf("take artifact %d: %w", n, err)
	}
	err = s.write(ctx, fmt.Sprintf("take artifact %d", n), func(tx *sql.Tx) error {
		e, err := loopRuns.entry(ctx, tx, a.Loop)
		if err != nil {
			return err
		}
		return announce(ctx, tx, e, s.o.Now(), "taken", handed(a, by))
	})
	if err == nil {
		s.show(ctx, a.Loop)
	}
	return a, err
}

func (s *Store) artifact(ctx context.Context, n int64) (a loop.Artifact, err error) {
	found := false
	err = s.read(ctx, fmt.Sprintf("look for artifact %d", n), func(tx *sql.Tx) error {
		a, err = scanArtifact(tx.QueryRowContext(ctx, artifactColumns+` WHERE a.num = ?`, n).Scan)
		found = err == nil
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		return err
	})
	if err == nil && !found {
		err = fmt.Errorf("artifact %d: %w", n, ErrNoArtifact)
	}
	return a, err
}

// deliver copies what was kept, and compares it with the digest.
func (s *Store) deliver(ctx context.Context, a loop.Artifact, w io.Writer) error {
	e, err := s.loopEntry(ctx, a.Loop)
	if err != nil {
		return err
	}
	path := filepath.Join(s.filesOf(e), "artifacts", fileOf(a))
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() || info.Size() != a.Bytes {
		return ErrChangedArtifact
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	digest := sha256.New()
	if _, err := io.Copy(io.MultiWriter(w, digest), io.LimitReader(f, a.Bytes+1)); err != nil {
		return err
	}
	if hex.EncodeToString(digest.Sum(nil)) != a.SHA256 {
		return ErrChangedArtifact
	}
	return nil
}
