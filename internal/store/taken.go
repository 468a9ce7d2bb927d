package store

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"ralph/internal/loop"
)

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
	a.At = fromNano(at)
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
		e, err := entryOf(ctx, tx, a.Loop)
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
	e, _, err := s.peek(ctx, a.Loop)
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
