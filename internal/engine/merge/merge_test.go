package merge_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/engine/merge"
	"ralph/internal/git"
	"ralph/internal/loop"
)

// TestAccept: how work enters the branch that is checked out, and what keeps it away.
func TestAccept(t *testing.T) {
	t.Parallel()
	red := &engine.NotGreenError{Red: []loop.Result{{Gate: "tests", Verdict: loop.Failed, Level: loop.Hard, Reason: "red"}}}
	for name, tt := range map[string]struct {
		// main is the file that the branch has got since the work began.
		main           string
		strategy       engine.Strategy
		merged, before bool // the branch has the work already; it was accepted before
		detached, adds bool
		red            error
		judged         bool
		// log are the subjects of the new commits of the branch, the newest first.
		log         []string
		already, ff bool
		conflict    string
		err         error
	}{
		"as it is":                     {judged: true, ff: true, log: []string{"two", "one"}},
		"as it is, and more":           {adds: true, judged: true, log: []string{"more", "two", "one"}},
		"as it is, not green":          {red: red, judged: true, conflict: "tests"},
		"merged":                       {main: "b", judged: true, log: []string{"merged", "two", "one"}},
		"merged, and more":             {main: "b", adds: true, judged: true, log: []string{"more", "merged", "two", "one"}},
		"merged, not green":            {main: "b", red: red, judged: true, conflict: "tests"},
		"not merged":                   {main: "a", conflict: "a"},
		"judging breaks off":           {red: context.DeadlineExceeded, judged: true, err: context.DeadlineExceeded},
		"as one commit":                {main: "b", strategy: engine.SquashWork, judged: true, log: []string{"squashed"}},
		"as one commit, with more":     {strategy: engine.SquashWork, adds: true, judged: true, log: []string{"squashed"}},
		"one by one":                   {main: "b", strategy: engine.RebaseWork, judged: true, log: []string{"two", "one"}},
		"one by one, and more":         {main: "b", strategy: engine.RebaseWork, adds: true, judged: true, log: []string{"more", "two", "one"}},
		"already there":                {merged: true, judged: true, already: true, ff: true},
		"already there, and more":      {merged: true, adds: true, judged: true, already: true, log: []string{"more"}},
		"accepted before":              {before: true, adds: true, already: true},
		"no branch is checked out":     {detached: true, err: engine.ErrDetached},
		"as one commit, already there": {merged: true, strategy: engine.SquashWork, judged: true, already: true, ff: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepository(t)
			work := r.put(t, r.put(t, r.base, "one", "a", "1"), "two", "a", "2")
			m := merge.Work{
				Repo: r.Repo, Run: "r", Branch: "ralph/r", Commit: work,
				Message: git.Message{Text: "merged"}, Squash: git.Message{Text: "squashed"},
			}
			start := r.base
			switch {
			case tt.merged:
				start = work
			case tt.before:
				start, m.Accepted = work, work
			case tt.main != "":
				start = r.put(t, start, "main", tt.main, "other")
			}
			r.git(t, "reset", "-q", "--hard", start)
			if tt.detached {
				r.git(t, "checkout", "-q", "--detach")
			}
			judged := false
			m.Judge = func(_ context.Context, onto string, merged git.Merged) ([]loop.Result, error) {
				judged = onto == start && (merged.FastForward || merged.Commit != work)
				return red.Red, tt.red
			}
			if tt.adds {
				m.Add = func(_ context.Context, head, commit string) (string, error) {
					if head != start {
						t.Errorf("added to work on %s, and the branch is at %s", head, start)
					}
					return r.put(t, commit, "more", "c", "c"), nil
				}
			}
			done, err := m.Accept(t.Context(), tt.strategy)
			met, conflicts := errors.AsType[*engine.ConflictError](err)
			if conflicts != (tt.conflict != "") || !conflicts && !errors.Is(err, tt.err) {
				t.Fatalf("%+v, %v", done, err)
			}
			if conflicts && (met.Onto != start || met.Work != work || !strings.Contains(met.Error(), tt.conflict) || (met.Red != nil) != (tt.red != nil)) {
				t.Errorf("%+v: %v", met, err)
			}
			log, headErr := r.Repo.Log(t.Context(), start, "HEAD", 0)
			must(t, headErr)
			var subjects []string
			for _, c := range log {
				subjects = append(subjects, c.Subject())
			}
			if !slices.Equal(subjects, tt.log) || judged != tt.judged {
				t.Errorf("new commits %q, want %q; judged %v", subjects, tt.log, judged)
			}
			head, headErr := r.Repo.Head(t.Context())
			must(t, headErr)
			if err == nil && (done.Commit != head.Commit || done.Branch != "main" || done.Already != tt.already || done.FastForward != tt.ff) {
				t.Errorf("%+v", done)
			}
		})
	}
}

// repository is one with a first commit, base, on the branch main.
type repository struct {
	*git.Repo
	env  []string
	base string
}

func newRepository(t *testing.T) repository {
	t.Helper()
	dir := t.TempDir()
	env := append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=Ada", "GIT_AUTHOR_EMAIL=a@b", "GIT_COMMITTER_NAME=Ada", "GIT_COMMITTER_EMAIL=a@b")
	r := repository{Repo: &git.Repo{Root: filepath.Join(dir, "repo")}, env: env}
	must(t, os.Mkdir(r.Root, 0o700))
	r.git(t, "init", "-q", "-b", "main")
	r.git(t, "commit", "-q", "--allow-empty", "-m", "first")
	var err error
	r.Repo, err = git.OpenEnv(t.Context(), r.Root, env)
	must(t, err)
	head, err := r.Repo.Head(t.Context())
	must(t, err)
	r.base = head.Commit
	return r
}

// put returns a new commit on top of another one, which gives a file a text.
func (r repository) put(t *testing.T, onto, subject, file, text string) string {
	t.Helper()
	variant, err := r.Repo.Variant(t.Context(), onto, []git.Edit{{Path: file, Mode: "100644", Data: []byte(text)}})
	must(t, err)
	commit, err := r.Repo.CommitContent(t.Context(), variant, git.Message{Text: subject}, onto)
	must(t, err)
	return commit
}

// git runs git in the tree of the user.
func (r repository) git(t *testing.T, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", args...)
	cmd.Dir, cmd.Env = r.Root, r.env
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %v: %v: %s", args, err, out)
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
