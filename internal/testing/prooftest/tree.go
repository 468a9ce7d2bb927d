// Package prooftest has commits of tests: contents by path, and the store that keeps them.
package prooftest

import (
	"crypto/sha256"
	"fmt"
	"maps"
	"strings"

	"ralph/internal/proof"
)

// Tree is a commit in a test: contents by path. A content that begins with "link:" is
// a symbolic link, with "exec:" an executable file.
type Tree map[string]string

// Store keeps contents by their id.
type Store map[string][]byte

// Add keeps the contents of a commit, and returns its files.
func (s Store) Add(t Tree) (files []proof.File) {
	for p, text := range t {
		f := proof.File{Path: p, Mode: "100644"}
		if rest, ok := strings.CutPrefix(text, "link:"); ok {
			f.Mode, text = proof.LinkMode, rest
		} else if rest, ok := strings.CutPrefix(text, "exec:"); ok {
			f.Mode, text = proof.ExecMode, rest
		}
		f.ID = fmt.Sprintf("%x", sha256.Sum256([]byte(text)))
		s[f.ID] = []byte(text)
		files = append(files, f)
	}
	return files
}

// Read returns the content of an id.
func (s Store) Read(id string) ([]byte, error) {
	data, ok := s[id]
	if !ok {
		return nil, fmt.Errorf("no blob %s", id)
	}
	return data, nil
}

// With is a tree with other files, too.
func (t Tree) With(more Tree) Tree {
	all := maps.Clone(t)
	maps.Copy(all, more)
	return all
}

// Changed is a tree with other files; a content of "" removes one.
func (t Tree) Changed(changes Tree) Tree {
	all := t.With(changes)
	maps.DeleteFunc(all, func(p, text string) bool { _, changed := changes[p]; return changed && text == "" })
	return all
}
