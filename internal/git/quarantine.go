package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/durable"
)

// OpenQuarantine gives a worktree of ralph's a quarantine repository while an
// agent works there that may not write the real one. It is a git dir in dir,
// which the caller owns:
//
// objects: empty; missing ones are read from the real ones (alternates). refs: a
// copy of the user's and of the loop's own branch, which HEAD need not be on: an agent
// may have left it. HEAD is the worktree's. index: a copy. config, hooks: those of the
// repository, by include and by link.
//
// The .git file of the worktree leads there until ImportQuarantine, so that every
// git finds it, also one that is asked about other repositories. ralph's own
// calls never follow that file: they always see the worktree on the real
// repository.
func (r *Repo) OpenQuarantine(ctx context.Context, tree, dir, branch string) error {
	p, err := r.linked(tree)
	if err != nil {
		return err
	}
	head, err := r.head(ctx, p)
	if err != nil {
		return err
	}
	refs, err := r.quarantineRefs(ctx, branch)
	if err != nil {
		return fmt.Errorf("list the refs for the quarantine: %w", err)
	}
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	for _, folder := range []string{"objects/info", "objects/pack", "refs/heads", "refs/tags", "info"} {
		if err := durable.MkdirAll(filepath.Join(dir, folder)); err != nil {
			return err
		}
	}
	if err := r.fillQuarantine(p, dir, head, refs); err != nil {
		return fmt.Errorf("create a quarantine repository for %s: %w", tree, err)
	}
	// The record first: without it no agent has worked there.
	if err := os.WriteFile(quarantineRecord(dir), []byte(refs), 0o600); err != nil {
		return err
	}
	return replaceFile(filepath.Join(tree, ".git"), dotGit(place{gitDir: dir}))
}

// QuarantineDir returns the git dir of the quarantine of a loop's agent.
func (r *Repo) QuarantineDir(loop string) string {
	return filepath.Join(r.CommonDir, "ralph", "loops", loop, "git")
}

// QuarantineWritable returns the folders besides a quarantine that git writes in
// it: those of submodules stay with the worktree.
func (r *Repo) QuarantineWritable(tree string) []string {
	modules := filepath.Join(r.AdminDir(tree), "modules")
	if exists(modules) {
		return []string{modules}
	}
	return nil
}

// quarantineRecord lists the copied refs, out of the agent's reach.
func quarantineRecord(dir string) string { return dir + ".lent" }

// quarantineOf returns the repository of a quarantine's git dir.
func quarantineOf(gitDir string) (common string, ok bool) {
	loops := filepath.Dir(filepath.Dir(gitDir))
	common = filepath.Dir(filepath.Dir(loops))
	ok = filepath.Base(gitDir) == "git" && filepath.Base(loops) == "loops" && filepath.Base(filepath.Dir(loops)) == "ralph"
	return common, ok && exists(quarantineRecord(gitDir))
}

// quarantineRefs returns the refs that an agent on a branch gets, as a packed-refs
// file: all that are the user's own, and of ralph's only the branch. A plan of
// thousands of tasks has as many branches.
func (r *Repo) quarantineRefs(ctx context.Context, branch string) (string, error) {
	others := func(ref string) bool {
		own := strings.HasPrefix(ref, ownRefs) || strings.HasPrefix(ref, heads+"ralph/")
		return own && ref != heads+branch && (!strings.HasSuffix(ref, "/") || !strings.HasPrefix(heads+branch, ref))
	}
	if text, ok := r.allRefs(others); ok {
		return text, nil
	}
	out, err := r.call(ctx, call{place: r.shared(), args: []string{"for-each-ref", "--format=%(objectname) %(refname)"}, max: 1 << 28})
	var text strings.Builder
	for line := range strings.Lines(string(out)) {
		if _, ref, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " "); !others(ref) {
			text.WriteString(line)
		}
	}
	return text.String(), err
}

func (r *Repo) fillQuarantine(p place, dir string, head Head, refs string) error {
	if strings.ContainsAny(r.CommonDir+p.tree, "\n") {
		return fmt.Errorf("a line break in %q", r.CommonDir)
	}
	at := head.Commit
	if head.Branch != "" {
		at = "ref: " + heads + head.Branch
	}
	files := map[string]string{
		"HEAD": at + "\n", "packed-refs": refs, "config": r.quarantineConfig(p, head),
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

// quarantineConfig includes the repository's own. The object format is repeated,
// since git reads it without following includes.
func (r *Repo) quarantineConfig(p place, head Head) string {
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
