package git

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/lazyregexp"
)

// ours are the folders of refs that only ralph writes.
var ours = []string{heads + "ralph", heads + "wip", heads + "archive", ownRefs}

// sane is the whole content of a ref's file.
var sane = lazyregexp.New(`^(?:[0-9a-f]{40}|[0-9a-f]{64}|ref: \S+)\n?$`)

// BrokenRefs lists the refs in ralph's own namespaces whose files hold no commit.
// A power cut leaves such files: the file system has kept the name and not the
// content. git refuses to collect garbage and to list all history because of one.
func (r *Repo) BrokenRefs() []string {
	var out []string
	for _, dir := range ours {
		_ = filepath.WalkDir(filepath.Join(r.CommonDir, filepath.FromSlash(dir)), func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return nil //nolint:nilerr // it vanished, or is not there
			}
			name, err := filepath.Rel(r.CommonDir, path)
			if ref := filepath.ToSlash(name); err == nil && r.broken(ref) {
				out = append(out, ref)
			}
			return nil
		})
	}
	return out
}

func (r *Repo) broken(ref string) bool {
	path := filepath.Join(r.CommonDir, filepath.FromSlash(ref))
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() || strings.HasSuffix(ref, ".lock") {
		return false
	}
	return !sane.MatchString(string(readSmall(path)))
}

// DropBrokenRef removes a broken ref of ralph's own, and reports whether it was
// one. What it named is recorded elsewhere, or was lost with it.
func (r *Repo) DropBrokenRef(ref string) bool {
	own := false
	for _, dir := range ours {
		own = own || strings.HasPrefix(ref, strings.TrimSuffix(dir, "/")+"/")
	}
	return own && r.broken(ref) && os.Remove(filepath.Join(r.CommonDir, filepath.FromSlash(ref))) == nil
}
