package git

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1" //nolint:gosec // the name of an object is its SHA-1; git decided that
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// maxObject is the largest object that is read without git.
const maxObject = 1 << 20

// object returns the content of an object that lies in a file of its own, and is whole.
// Objects in packs are left to git.
func (r *Repo) object(id, kind string) (body []byte, ok bool) {
	if !isID(id) {
		return nil, false
	}
	f, err := os.Open(filepath.Join(r.CommonDir, "objects", id[:2], id[2:]))
	if err != nil {
		return nil, false
	}
	defer f.Close()
	z, err := zlib.NewReader(f)
	if err != nil {
		return nil, false
	}
	data, err := io.ReadAll(io.LimitReader(z, maxObject+1))
	if err != nil || len(data) > maxObject || objectName(data, len(id)) != id {
		return nil, false
	}
	header, body, _ := bytes.Cut(data, []byte{0})
	return body, string(header) == fmt.Sprintf("%s %d", kind, len(body))
}

// objectName is the name of an object with its header, as long as asked for.
func objectName(data []byte, length int) string {
	if length == 2*sha256.Size {
		sum := sha256.Sum256(data)
		return hex.EncodeToString(sum[:])
	}
	sum := sha1.Sum(data) //nolint:gosec // see the import
	return hex.EncodeToString(sum[:])
}

// commitObject is what a commit holds. Its texts may be in another encoding than UTF-8,
// or need git to be read, where odd is set.
type commitObject struct {
	tree      string
	parents   []string
	author    string
	committer string
	message   string
	odd       bool
}

// looseCommit reads a commit.
func (r *Repo) looseCommit(id string) (c commitObject, ok bool) {
	body, ok := r.object(id, "commit")
	if !ok {
		return c, false
	}
	head, message, ok := strings.Cut(string(body), "\n\n")
	if !ok {
		return c, false
	}
	c.message = message
	c.odd = strings.Contains(message, "\x00")
	for i, line := range strings.Split(head, "\n") {
		key, value, _ := strings.Cut(line, " ")
		switch {
		case i == 0:
			c.tree, ok = value, key == "tree" && isID(value)
		case key == "parent":
			c.parents, ok = append(c.parents, value), ok && isID(value)
		case key == "author":
			c.author = c.person(value)
		case key == "committer":
			c.committer = c.person(value)
		case key == "encoding":
			c.odd = true
		}
	}
	return c, ok
}

// person returns "Name <address>" of a line that ends with a time.
func (c *commitObject) person(line string) string {
	person, _, ok := strings.Cut(line, "> ")
	c.odd = c.odd || !ok || strings.Count(line, "<") != 1
	return person + ">"
}

// looseTree returns the tree of a commit.
func (r *Repo) looseTree(commit string) (tree string, ok bool) {
	c, ok := r.looseCommit(commit)
	return c.tree, ok
}

// made is a commit: its tree, and its parents where they are known. An object's name
// is its content, so what was read stays valid.
type made struct {
	tree    string
	parents []string
	whole   bool // the parents are known
}

// commitOf returns a commit that is known or can be read.
func (r *Repo) commitOf(id string) (m made, ok bool) {
	if m, ok = r.recall(id); ok && m.whole {
		return m, true
	}
	c, ok := r.looseCommit(id)
	if !ok {
		return made{}, false
	}
	m = made{tree: c.tree, parents: c.parents, whole: true}
	r.remember(id, m)
	return m, true
}

// maxWalk bounds the commits that are read to find one among the ancestors of another.
const maxWalk = 256

// reaches reports whether base is among the ancestors of head, or head itself. It is
// not sure where a commit up to there cannot be read, or the history is cut off.
func (r *Repo) reaches(head, base string) (found, sure bool) {
	if !isID(base) {
		return false, false
	}
	seen, next := map[string]bool{head: true}, []string{head}
	for n := 0; len(next) > 0; n++ {
		m, ok := r.commitOf(next[0])
		if !ok || n == maxWalk {
			return false, false
		}
		if next[0] == base || slices.Contains(m.parents, base) {
			return true, true
		}
		next = next[1:]
		for _, p := range m.parents {
			if !seen[p] {
				seen[p], next = true, append(next, p)
			}
		}
	}
	_, isCommit := r.commitOf(base)
	_, err := os.Lstat(filepath.Join(r.CommonDir, "shallow"))
	return false, isCommit && os.IsNotExist(err)
}

// chain returns the commits from base to head, oldest first, where each has one parent.
func (r *Repo) chain(base, head string) (ids []string, ok bool) {
	for id := head; id != base; {
		m, ok := r.commitOf(id)
		if !ok || len(m.parents) != 1 || len(ids) == maxWalk {
			return nil, false
		}
		ids = append(ids, id)
		id = m.parents[0]
	}
	slices.Reverse(ids)
	return ids, isID(base)
}
