package git

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// What a ref or HEAD names is read without a process where the files that hold it are
// plain: gitrepository-layout(5) and gitformat-packed-refs. Objects are in object.go;
// the same holds for them. Everything else is left to git: other formats of refs and
// objects, what is packed, links, and whatever is damaged. So no answer differs from
// git's, and what git calls broken stays broken.

// found is the result of reading a ref: its commit, "" where there is none. It holds
// only if sure.
type found struct {
	id   string
	sure bool
}

// symbolic refs may lead to others: git follows five.
const maxSymbolic = 5

// readRef reads a ref that all worktrees share.
func (r *Repo) readRef(ref string) found {
	if !validRef(ref) || !r.plainRefs() {
		return found{}
	}
	for range maxSymbolic {
		text, f := r.looseRef(ref)
		if !f.sure {
			return f
		}
		if text == "" {
			return r.packedRef(ref)
		}
		to, symbolic := strings.CutPrefix(text, "ref: ")
		if !symbolic {
			return found{id: text, sure: isID(text)}
		}
		if ref = to; !validRef(ref) || !sharedRef(ref) {
			return found{}
		}
	}
	return found{}
}

// sharedRef reports whether all worktrees have the same ref of that name
// (git-worktree(1), REFS).
func sharedRef(ref string) bool {
	for _, own := range []string{"refs/bisect/", "refs/worktree/", "refs/rewritten/"} {
		if strings.HasPrefix(ref, own) {
			return false
		}
	}
	return strings.HasPrefix(ref, "refs/")
}

// looseRef reads the file of a ref; "" where there is none.
func (r *Repo) looseRef(ref string) (text string, f found) {
	path := filepath.Join(r.CommonDir, filepath.FromSlash(ref))
	info, err := os.Lstat(path)
	switch {
	case os.IsNotExist(err) || err == nil && info.IsDir():
		return "", found{sure: true}
	case err != nil || !info.Mode().IsRegular() || info.Size() > 1<<12:
		return "", found{}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return "", found{}
	}
	text, whole := strings.CutSuffix(string(data), "\n")
	return text, found{sure: whole && text != "" && !strings.ContainsAny(text, "\n\x00")}
}

// packedRef looks for a ref in the file of packed refs. git deletes a loose ref only
// after it has packed it, so that one of the two files has it at any time; which one
// may change between two looks.
func (r *Repo) packedRef(ref string) found {
	const most = 256 << 20
	path := filepath.Join(r.CommonDir, "packed-refs")
	if info, err := os.Stat(path); err == nil && info.Size() > most {
		return found{}
	}
	data, err := os.ReadFile(path)
	if err != nil && !os.IsNotExist(err) {
		return found{}
	}
	if text, f := r.looseRef(ref); !f.sure || text != "" {
		return found{id: text, sure: f.sure && isID(text)}
	}
	at := bytes.Index(data, []byte(" "+ref+"\n"))
	if at < 0 {
		return found{sure: true}
	}
	start := bytes.LastIndexByte(data[:at], '\n') + 1
	id := string(data[start:at])
	return found{id: id, sure: isID(id)}
}

// allRefs returns the refs that all worktrees share as "ID REF" lines in the order of
// their names, as for-each-ref does, without those that skip names: a folder's name
// ends in "/". It is not ok where git must decide about one of them.
func (r *Repo) allRefs(skip func(ref string) bool) (lines string, ok bool) {
	if !r.plainRefs() {
		return "", false
	}
	refs := map[string]string{}
	// First the loose ones: git packs a ref before it deletes its file.
	err := filepath.WalkDir(filepath.Join(r.CommonDir, "refs"), func(path string, e os.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil // deleted meanwhile
		}
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(r.CommonDir, path)
		ref := filepath.ToSlash(rel)
		switch {
		case err != nil:
			return err
		case e.IsDir():
			if ref != "refs" && (skip(ref+"/") || !sharedRef(ref+"/")) {
				return filepath.SkipDir
			}
			return nil
		case strings.HasSuffix(ref, ".lock") || skip(ref):
			return nil
		}
		f := r.readRef(ref)
		if !f.sure {
			return errors.New(ref)
		}
		if f.id != "" {
			refs[ref] = f.id
		}
		return nil
	})
	if err != nil {
		return "", false
	}
	packed, err := os.ReadFile(filepath.Join(r.CommonDir, "packed-refs"))
	if err != nil && !os.IsNotExist(err) {
		return "", false
	}
	for line := range strings.Lines(string(packed)) {
		id, ref, isRef := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !isRef || !isID(id) || skip(ref) || !sharedRef(ref) { // the header, and what a tag names
			continue
		}
		if _, loose := refs[ref]; !loose {
			refs[ref] = id
		}
	}
	var text strings.Builder
	for _, ref := range slices.Sorted(maps.Keys(refs)) {
		text.WriteString(refs[ref] + " " + ref + "\n")
	}
	return text.String(), true
}

// plainRefs reports whether refs are files: the format that git calls "files".
func (r *Repo) plainRefs() bool {
	return !exists(filepath.Join(r.CommonDir, "reftable")) &&
		!bytes.Contains(bytes.ToLower(readSmall(filepath.Join(r.CommonDir, "config"))), []byte("refstorage"))
}

// readHead reads HEAD of a tree. It is not sure of a branch without commits.
func (r *Repo) readHead(p place) (Head, bool) {
	path := filepath.Join(p.gitDir, "HEAD")
	if info, err := os.Lstat(path); err != nil || !info.Mode().IsRegular() {
		return Head{}, false
	}
	text, whole := strings.CutSuffix(string(readSmall(path)), "\n")
	if whole && isID(text) && r.plainRefs() {
		return Head{Commit: text}, true
	}
	ref, symbolic := strings.CutPrefix(text, "ref: ")
	branch, isBranch := strings.CutPrefix(ref, heads)
	if !whole || !symbolic || !isBranch {
		return Head{}, false
	}
	if text, f := r.looseRef(ref); !f.sure || strings.HasPrefix(text, "ref: ") {
		return Head{}, false // git would name the branch at the end of the chain
	}
	f := r.readRef(ref)
	return Head{Branch: branch, Commit: f.id}, f.sure && f.id != ""
}

// checkedOut returns the tree whose HEAD names a branch, "" where none does. It is not
// sure where a HEAD cannot be read.
func (r *Repo) checkedOut(branch string) (tree string, ok bool) {
	head := "ref: " + heads + branch + "\n"
	main := string(readSmall(filepath.Join(r.CommonDir, "HEAD")))
	if main == "" {
		return "", false
	}
	if main == head {
		return r.MainRoot, true
	}
	entries, err := os.ReadDir(filepath.Join(r.CommonDir, "worktrees"))
	if err != nil && !os.IsNotExist(err) {
		return "", false
	}
	for _, e := range entries {
		admin := filepath.Join(r.CommonDir, "worktrees", e.Name())
		switch text := string(readSmall(filepath.Join(admin, "HEAD"))); text {
		case "":
			return "", false // being registered, or removed
		case head:
			return r.treeOf(admin), true
		}
	}
	return "", true
}
