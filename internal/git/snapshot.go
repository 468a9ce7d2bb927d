package git

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
)

// Message is the text of a commit.
type Message struct {
	Text     string
	Trailers []Trailer
	// Time of the commit; zero means now.
	Time time.Time
}

func (m Message) String() string { return withTrailers(m.Text, m.Trailers) }

// Snapshot commits the present content of a tree ("" is the caller's) on top of
// parent, or as a root when parent is empty. Nothing is checked out, no ref
// moves, and the tree's index is not written. Ignored files and ralph's own are
// left out. The commit is safe only once a ref holds it.
func (r *Repo) Snapshot(ctx context.Context, tree, parent string, m Message) (string, error) {
	id, err := r.TreeHash(ctx, tree)
	if err != nil {
		return "", err
	}
	return r.commitTree(ctx, id, m.String(), m.Time, parent)
}

// CommitContent commits the content of another commit on top of parents: several
// make a merge. Nothing is checked out, and no ref moves.
func (r *Repo) CommitContent(ctx context.Context, of string, m Message, parents ...string) (string, error) {
	tree, err := r.TreeOf(ctx, of)
	if err != nil {
		return "", err
	}
	return r.keepTree(ctx, tree, m, parents...)
}

// keepTree commits a tree durably: the caller records the commit before a ref
// holds it.
func (r *Repo) keepTree(ctx context.Context, tree string, m Message, parents ...string) (string, error) {
	commit, err := r.commitTree(ctx, tree, m.String(), m.Time, parents...)
	if err != nil {
		return "", err
	}
	return commit, r.Sync()
}

// TreeHash returns the tree id that a Snapshot would have: equal ids, equal
// content.
func (r *Repo) TreeHash(ctx context.Context, tree string) (string, error) {
	p, err := r.at(tree)
	if err != nil {
		return "", err
	}
	_, id, err := r.stageCopy(ctx, p)
	return id, err
}

// stageCopy stages a tree through a copy of its index. "Assume unchanged" marks
// in the user's own tree are respected; in ralph's they hide an agent's change.
func (r *Repo) stageCopy(ctx context.Context, p place) (state, string, error) {
	tmp, done, err := r.borrowed(p)
	if err != nil {
		return state{}, "", fmt.Errorf("copy index of %s: %w", p.tree, err)
	}
	defer done()
	look := r.work
	if p.tree != r.Root && p.tree != r.MainRoot {
		look = r.fullStatus
	}
	s, err := look(ctx, tmp)
	if err != nil {
		return s, "", err
	}
	id, err := r.stage(ctx, tmp, s)
	return s, id, err
}

// identity returns the environment that names author and committer: the user's
// own where one is configured, else ralph's, so that it works without one.
func (r *Repo) identity(ctx context.Context, at time.Time) ([]string, error) {
	d, err := r.drivers(ctx, r.gitDir)
	if err != nil {
		return nil, err
	}
	name, email := d.name, d.email
	if name == "" || email == "" {
		name, email = "ralph", "ralph@localhost"
	}
	env := []string{
		"GIT_AUTHOR_NAME=" + name, "GIT_AUTHOR_EMAIL=" + email,
		"GIT_COMMITTER_NAME=" + name, "GIT_COMMITTER_EMAIL=" + email,
	}
	if !at.IsZero() {
		date := fmt.Sprintf("%d +0000", at.Unix())
		env = append(env, "GIT_AUTHOR_DATE="+date, "GIT_COMMITTER_DATE="+date)
	}
	return env, nil
}

// commitTree writes a commit object. It moves no ref and runs no hook.
func (r *Repo) commitTree(ctx context.Context, tree, message string, at time.Time, parents ...string) (string, error) {
	env, err := r.identity(ctx, at)
	if err != nil {
		return "", err
	}
	args := []string{"commit-tree", tree}
	parents = slices.DeleteFunc(slices.Clone(parents), func(p string) bool { return p == "" })
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	out, err := r.call(ctx, call{place: r.shared(), args: args, stdin: []byte(message), env: env})
	if err != nil {
		return "", fmt.Errorf("write commit: %w", err)
	}
	commit := string(out[:max(len(out)-1, 0)])
	r.remember(commit, made{tree: tree, parents: parents, whole: true})
	return commit, nil
}

func (r *Repo) remember(commit string, m made) {
	r.known.mu.Lock()
	defer r.known.mu.Unlock()
	r.known.commits[commit] = m
}

func (r *Repo) recall(commit string) (made, bool) {
	r.known.mu.Lock()
	defer r.known.mu.Unlock()
	m, ok := r.known.commits[commit]
	return m, ok
}

// isID reports whether rev is a whole object name, which is valid forever.
func isID(rev string) bool {
	if len(rev) != 40 && len(rev) != 64 {
		return false
	}
	for _, c := range rev {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}

// LoopTrailer names the loop in every commit of ralph.
const LoopTrailer = "Ralph-Loop"

// PlanTrailer names the plan whose work a commit holds.
const PlanTrailer = "Ralph-Plan"

// ProofTrailer says in a merge how the merged work was proved.
const ProofTrailer = "Ralph-Proof"

// Failure names the work that is kept of a loop that did not pass (seed 004).
type Failure struct {
	Loop, Task string
	// Time is the one recorded with the failure, not now: the same call again
	// finds the same branch.
	Time time.Time
	// Commit is a Snapshot whose message carries the LoopTrailer.
	Commit string
}

// FailureRef keeps a failure on wip/ralph-fail-<task>-<yyyymmdd-hhmmss>, with -2,
// -3 … when another loop has the name. It returns the branch. Two tasks that end
// in the same second both keep their work.
func (r *Repo) FailureRef(ctx context.Context, f Failure) (string, error) {
	const most = 100
	base := "wip/ralph-fail-" + validRefPart(f.Task) + "-" + f.Time.UTC().Format("20060102-150405")
	for n := 1; n <= most; n++ {
		name := base
		if n > 1 {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		err := r.CreateBranch(ctx, name, f.Commit)
		taken, isTaken := errors.AsType[ErrRefMoved](err)
		if err == nil {
			return name, nil
		}
		if !isTaken {
			return "", fmt.Errorf("keep failed work: %w", err)
		}
		message, err := r.CommitMessage(ctx, taken.Have)
		if err != nil {
			return "", err
		}
		if f.Loop != "" && trailer(message, LoopTrailer) == f.Loop {
			return name, nil
		}
	}
	return "", fmt.Errorf("keep failed work: %d branches named %s exist", most, base)
}
