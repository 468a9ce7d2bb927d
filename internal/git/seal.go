package git

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// seal is the index of a worktree as ralph left it. Agents and tests can write the one
// on disk: they can mark a file "assume unchanged" or forge an entry, and the next
// commit would be judged with their version of that file.
type seal struct {
	// commit is what was checked out.
	commit string
	index  []byte
	mtime  time.Time
	// unsure: a file may have been written again without another time of change.
	unsure bool
}

// sealAs remembers the index of a worktree, whose files were just compared with it.
func (r *Repo) sealAs(p place, commit string, x indexFile) {
	r.known.mu.Lock()
	defer r.known.mu.Unlock()
	r.known.seals[p.gitDir] = seal{commit: commit, index: x.data, mtime: x.mtime, unsure: x.justNow()}
}

// seal is sealAs with the index on disk. A failure only costs time later.
func (r *Repo) seal(p place, commit string) {
	if !isID(commit) {
		return
	}
	if x, err := readIndex(p.gitDir, len(commit)/2); x.data != nil {
		x.odd = x.odd || err != nil
		r.sealAs(p, commit, x)
	}
}

// unseal forgets the index of a worktree that is removed or changes its folder.
func (r *Repo) unseal(gitDir string) {
	r.known.mu.Lock()
	delete(r.known.seals, gitDir)
	r.known.mu.Unlock()
	os.Remove(r.sealFile(gitDir))
}

// sealed returns the newest seal of a worktree, of this process or kept by another one.
// This process forgets it, until the tree is exact again.
func (r *Repo) sealed(gitDir string) (seal, bool) {
	r.known.mu.Lock()
	s, ok := r.known.seals[gitDir]
	delete(r.known.seals, gitDir)
	r.known.mu.Unlock()
	if ok || !canLook {
		return s, ok
	}
	data, err := os.ReadFile(r.sealFile(gitDir))
	if err != nil {
		return seal{}, false
	}
	return parseSeal(data)
}

// unsealTo restores the remembered index, with its time: git trusts an entry only
// when it is older than the index. What is tracked since is removed from the tree, since
// the restored index does not know it.
func (r *Repo) unsealTo(p place) (seal, bool) {
	s, ok := r.sealed(p.gitDir)
	if !ok {
		return s, false
	}
	have, err := readIndex(p.gitDir, len(s.commit)/2)
	if err == nil && have.mtime.Equal(s.mtime) && bytes.Equal(have.data, s.index) {
		return s, true
	}
	if was, unread := parseIndex(s.index, len(s.commit)/2); err == nil && unread == nil {
		for _, path := range was.changedSince(have) {
			clearTracked(p.tree, path)
		}
	}
	file := filepath.Join(p.gitDir, "index")
	if os.RemoveAll(file) != nil || os.WriteFile(file, s.index, 0o600) != nil {
		return s, false
	}
	return s, os.Chtimes(file, s.mtime, s.mtime) == nil
}

// clearTracked is clearPath for a path out of an index that a hostile program may have
// written.
func clearTracked(tree, path string) {
	if !filepath.IsLocal(filepath.FromSlash(path)) {
		return
	}
	for part := range strings.SplitSeq(path, "/") {
		if strings.EqualFold(part, ".git") {
			return
		}
	}
	clearPath(tree, path)
}

// keepSeal keeps the index of a worktree for the next process that uses it: that one
// reads only the files which changed since. The folder is ralph's own, where no sandbox
// lets a program write. After a start of the machine the index counts no more: a power
// cut may have lost what files held. A failure only costs time later.
func (r *Repo) keepSeal(p place) {
	r.known.mu.Lock()
	s, ok := r.known.seals[p.gitDir]
	r.known.mu.Unlock()
	file := r.sealFile(p.gitDir)
	if !ok || !canLook || !exists(filepath.Dir(r.sealDir())) || os.MkdirAll(r.sealDir(), 0o700) != nil {
		return
	}
	half := file + ".half"
	if os.WriteFile(half, s.bytes(), 0o600) != nil || os.Rename(half, file) != nil {
		os.Remove(half)
	}
}

func (r *Repo) sealDir() string { return filepath.Join(r.CommonDir, "ralph", "seals") }

func (r *Repo) sealFile(gitDir string) string {
	return filepath.Join(r.sealDir(), filepath.Base(gitDir))
}

// sweepSeals removes the seals of worktrees that are gone.
func (r *Repo) sweepSeals() {
	seals, _ := os.ReadDir(r.sealDir())
	for _, e := range seals {
		if !exists(filepath.Join(r.CommonDir, "worktrees", strings.TrimSuffix(e.Name(), ".half"))) {
			_ = os.Remove(r.sealFile(e.Name()))
		}
	}
}

// bytes are the lines digest (of all that follows), boot, commit, time of the index in
// nanoseconds, unsure; and the index.
func (s seal) bytes() []byte {
	const digest = 2 * sha256.Size
	b := append(make([]byte, 0, len(s.index)+256), strings.Repeat("0", digest)+"\n"...)
	for _, line := range []string{bootID(), s.commit, strconv.FormatInt(s.mtime.UnixNano(), 10), strconv.FormatBool(s.unsure)} {
		b = append(b, line+"\n"...)
	}
	b = append(b, s.index...)
	sum := sha256.Sum256(b[digest+1:])
	hex.Encode(b, sum[:])
	return b
}

func parseSeal(data []byte) (s seal, ok bool) {
	digest, rest, _ := bytes.Cut(data, []byte("\n"))
	if sum := sha256.Sum256(rest); hex.EncodeToString(sum[:]) != string(digest) {
		return s, false // a power cut
	}
	var lines [4]string
	for i := range lines {
		line, after, _ := bytes.Cut(rest, []byte("\n"))
		lines[i], rest = string(line), after
	}
	ns, err := strconv.ParseInt(lines[2], 10, 64)
	s = seal{commit: lines[1], index: rest, mtime: time.Unix(0, ns), unsure: lines[3] != "false"}
	return s, err == nil && isID(s.commit) && lines[0] != "" && lines[0] == bootID()
}

// advance brings a worktree whose sealed index was just restored to a commit. Files that
// both have are not looked at. It returns false where git refuses: where a file that
// changes is not as git left it.
func (r *Repo) advance(ctx context.Context, p place, s seal, commit string) (bool, error) {
	if !canLook || !isID(commit) || exists(filepath.Join(r.CommonDir, "reftable")) {
		return false, nil
	}
	if s.commit == commit {
		return true, nil
	}
	_, err := r.git(ctx, p, "read-tree", "-m", "-u", commit)
	if exitCode(err) == -1 {
		return false, err
	}
	return err == nil, nil
}
