package trust

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralph/internal/durable"
)

// Book is the record in one directory, which is made when something is allowed.
type Book struct {
	Dir string
	Now func() time.Time
}

// allowanceSchema is the schema of an Allowance's file.
const allowanceSchema = "ralph.trust/v1"

// Allowance is one content that a person allowed for one repository.
type Allowance struct {
	Schema string `json:"schema"`
	// Repository is the real path of the git directory, Root the tree that was
	// shown to the person.
	Repository string    `json:"repository"`
	Root       string    `json:"root"`
	Digest     string    `json:"digest"`
	At         time.Time `json:"at"`
	By         string    `json:"by"`
	Lines      []Line    `json:"lines"`
}

// Allowed reports whether exactly this content was allowed for the repository.
func (b Book) Allowed(repository, digest string) bool {
	a, err := read[Allowance](b.allowance(repository, digest))
	return err == nil && a.Repository == repository && a.Digest == digest && Digest(a.Lines) == digest
}

// Allow records that a person allowed the content.
func (b Book) Allow(repository, root, by string, lines []Line) error {
	digest := Digest(lines)
	a := Allowance{allowanceSchema, repository, root, digest, b.Now().UTC(), by, lines}
	if err := b.write(b.allowance(repository, digest), a); err != nil {
		return fmt.Errorf("record what is allowed for %s: %w", root, err)
	}
	return nil
}

// Contents returns what was allowed for the repository, the newest first.
func (b Book) Contents(repository string) [][]Line {
	all, err := b.of(repository)
	if err != nil {
		return nil
	}
	var out [][]Line
	for _, a := range all {
		if a.Digest == Digest(a.Lines) {
			out = append(out, a.Lines)
		}
	}
	return out
}

// List returns everything that is allowed, the newest first.
func (b Book) List() ([]Allowance, error) {
	files, err := b.files("allowed", "")
	var out []Allowance
	for _, f := range files {
		if a, err := read[Allowance](f); err == nil {
			out = append(out, a)
		}
	}
	slices.SortStableFunc(out, func(a, b Allowance) int {
		return cmp.Or(b.At.Compare(a.At), cmp.Compare(a.Repository, b.Repository))
	})
	return out, err
}

// Revoke forgets everything that was allowed for the repository, its store
// included, and returns the number of forgotten records. That the store was this
// machine's own is kept, for messages alone: see Revoked.
func (b Book) Revoke(repository string) (int, error) {
	return b.forget(repository, func(f string) error {
		if filepath.Base(filepath.Dir(f)) != "stores" {
			return os.Remove(f)
		}
		if err := os.MkdirAll(filepath.Join(b.Dir, "revoked"), 0o700); err != nil {
			return err
		}
		return os.Rename(f, filepath.Join(b.Dir, "revoked", filepath.Base(f)))
	})
}

// forget takes each record of the repository away, and returns their number.
func (b Book) forget(repository string, away func(file string) error) (int, error) {
	n := 0
	for _, kind := range []string{"allowed", "stores"} {
		files, err := b.files(kind, place(repository)+"-")
		if err != nil {
			return n, err
		}
		for _, f := range files {
			if err := away(f); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return n, fmt.Errorf("revoke: %w", err)
			}
			n++
		}
	}
	return n, nil
}

// of returns what is allowed for one repository, the newest first.
func (b Book) of(repository string) ([]Allowance, error) {
	all, err := b.List()
	return slices.DeleteFunc(all, func(a Allowance) bool { return a.Repository != repository }), err
}

func (b Book) allowance(repository, digest string) string {
	return filepath.Join(b.Dir, "allowed", place(repository)+"-"+digest+".json")
}

// place is a repository in a file's name.
func place(repository string) string { return hashOf(repository)[:16] }

// files returns the records of a kind whose names start with prefix.
func (b Book) files(kind, prefix string) ([]string, error) {
	dir := filepath.Join(b.Dir, kind)
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read what is allowed: %w", err)
	}
	var out []string
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), prefix) && strings.HasSuffix(e.Name(), ".json") {
			out = append(out, filepath.Join(dir, e.Name()))
		}
	}
	return out, nil
}

// read returns a record. Only the user's own file in the user's own directory
// counts: anything else could be another user's.
func read[T any](path string) (T, error) {
	var v T
	for _, p := range []string{filepath.Dir(path), path} {
		info, err := os.Lstat(p)
		if err != nil {
			return v, err
		}
		if !Ours(info) {
			return v, fmt.Errorf("%s can be written by others", p)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return v, err
	}
	return v, json.Unmarshal(data, &v)
}

// write leaves a whole record or none, also after a power cut.
func (b Book) write(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return durable.Write(path, append(data, '\n'))
}
