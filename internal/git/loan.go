package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Lend gives a worktree of ours a repository of its own for the time that
// somebody works there who may not write the real one. It is a git dir in dir,
// for which the caller answers:
//
//	objects          empty; what is missing is read from the real ones (alternates)
//	refs             a copy; HEAD is the worktree's
//	index            a copy
//	config, hooks    those of the repository, by include and by link
//
// The .git file of the worktree leads there until TakeBack, so that every git
// finds it, also one that is asked about other repositories. Calls of ours never
// follow that file: they see the worktree on the real repository all the time.
func (r *Repo) Lend(ctx context.Context, tree, dir string) error {
	p, err := r.linked(tree)
	if err != nil {
		return err
	}
	head, err := r.head(ctx, p)
	if err != nil {
		return err
	}
	refs, err := r.lentRefs(ctx)
	if err != nil {
		return fmt.Errorf("list the refs to lend: %w", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	for _, folder := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags", "info"} {
		if err := os.MkdirAll(filepath.Join(dir, folder), 0o700); err != nil {
			return err
		}
	}
	if err := r.fillLoan(p, dir, head, refs); err != nil {
		return fmt.Errorf("lend a repository to %s: %w", tree, err)
	}
	// The record first: without it nobody has worked there.
	if err := os.WriteFile(lentRecord(dir), []byte(refs), 0o600); err != nil {
		return err
	}
	return replaceFile(filepath.Join(tree, ".git"), dotGit(place{gitDir: dir}))
}

// LoanDir is where the repository that a loop's agent works in stands.
func (r *Repo) LoanDir(loop string) string {
	return filepath.Join(r.CommonDir, "ralph", "loops", loop, "git")
}

// LoanOpen are the folders besides a loan that git writes for whoever works in
// it: those of submodules stay with the worktree.
func (r *Repo) LoanOpen(tree string) []string {
	modules := filepath.Join(r.AdminDir(tree), "modules")
	if exists(modules) {
		return []string{modules}
	}
	return nil
}

// lentRecord is what was lent, out of the reach of who works there.
func lentRecord(dir string) string { return dir + ".lent" }

// lentBy finds the repository that a git dir is lent by.
func lentBy(gitDir string) (common string, ok bool) {
	loops := filepath.Dir(filepath.Dir(gitDir))
	common = filepath.Dir(filepath.Dir(loops))
	ok = filepath.Base(gitDir) == "git" && filepath.Base(loops) == "loops" && filepath.Base(filepath.Dir(loops)) == "ralph"
	return common, ok && exists(lentRecord(gitDir))
}

// lentRefs are all refs as a file of packed refs, without ralph's own.
func (r *Repo) lentRefs(ctx context.Context) (string, error) {
	out, err := r.call(ctx, call{place: r.shared(), args: []string{"for-each-ref", "--format=%(objectname) %(refname)"}, max: 1 << 28})
	var text strings.Builder
	for line := range strings.Lines(string(out)) {
		if _, ref, _ := strings.Cut(line, " "); !strings.HasPrefix(ref, ownRefs) {
			text.WriteString(line)
		}
	}
	return text.String(), err
}

func (r *Repo) fillLoan(p place, dir string, head Head, refs string) error {
	if strings.ContainsAny(r.CommonDir+p.tree, "\n") {
		return fmt.Errorf("a line break in %q", r.CommonDir)
	}
	at := head.Commit
	if head.Branch != "" {
		at = "ref: " + heads + head.Branch
	}
	files := map[string]string{
		"HEAD": at + "\n", "packed-refs": refs, "config": r.loanConfig(p, head),
		"objects/info/alternates": filepath.Join(r.CommonDir, "objects") + "\n",
		"shallow":                 string(readSmall(filepath.Join(r.CommonDir, "shallow"))),
		"info/sparse-checkout":    string(readSmall(filepath.Join(p.gitDir, "info", "sparse-checkout"))),
	}
	for name, text := range files {
		if text == "" && name != "packed-refs" {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), []byte(text), 0o600); err != nil {
			return err
		}
	}
	links := map[string]string{
		"hooks": filepath.Join(r.CommonDir, "hooks"), "info/exclude": filepath.Join(r.CommonDir, "info", "exclude"),
		"info/attributes": filepath.Join(r.CommonDir, "info", "attributes"), "modules": filepath.Join(p.gitDir, "modules"),
	}
	if exists(filepath.Join(p.tree, ".gitmodules")) {
		if err := os.MkdirAll(links["modules"], 0o700); err != nil {
			return err
		}
	}
	for name, to := range links {
		if !exists(to) {
			continue
		}
		if err := os.Symlink(to, filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	if err := copyIndex(filepath.Join(p.gitDir, "index"), filepath.Join(dir, "index")); err != nil && !os.IsNotExist(err) {
		return err
	}
	return nil
}

// loanConfig includes the repository's own. What git reads without following
// includes is said again: the kind of object names.
func (r *Repo) loanConfig(p place, head Head) string {
	quote := func(path string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(filepath.ToSlash(path)) + `"`
	}
	text := "[include]\n\tpath = " + quote(filepath.Join(r.CommonDir, "config")) + "\n"
	if own := filepath.Join(p.gitDir, "config.worktree"); exists(own) {
		text += "\tpath = " + quote(own) + "\n"
	}
	version, extra := "0", ""
	if len(head.Commit) == 64 {
		version, extra = "1", "[extensions]\n\tobjectFormat = sha256\n"
	}
	return text + "[core]\n\trepositoryFormatVersion = " + version + "\n\tbare = false\n\tlogAllRefUpdates = true\n\tworktree = " +
		quote(p.tree) + "\n[gc]\n\tauto = 0\n" + extra
}
