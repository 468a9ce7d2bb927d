package planner

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"ralph/internal/engine"
	"ralph/internal/git"
	"ralph/internal/loop"
	"ralph/internal/plan"
)

// scripted is an engine whose loops do at once what a script says, with real
// commits and no agents, worktrees or processes.
type scripted struct {
	engine.Loops
	t    *testing.T
	repo *git.Repo

	mu   sync.Mutex
	all  map[string]engine.Loop
	does map[string]work
	// order are the loops in the order in which they began; judged the commits on
	// which gates ran again.
	order, judged []string
	// merged are the loops whose work was accepted with their plan.
	merged []string
	// archived are the loops that were archived.
	archived []string
}

func (e *scripted) Archive(_ context.Context, id string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.archived = append(e.archived, id)
	return nil
}

func (e *scripted) AcceptedWithPlan(_ context.Context, id string, _ engine.Accepted) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.merged = append(e.merged, e.all[id].State.Task.ID)
	return nil
}

// work is what a loop does: it ends so, with these files on top of its base.
type work struct {
	status loop.Status
	reason loop.Reason
	files  map[string]string
	// asks: a question is put first; first waits for its answer, or for a limit.
	asks string
	// red: gates fail where the work is merged with that of others.
	red bool
}

func passes(files ...string) work {
	w := work{status: loop.StatusPassed, files: map[string]string{}}
	for i := 0; i+1 < len(files); i += 2 {
		w.files[files[i]] = files[i+1]
	}
	return w
}

var fails = work{status: loop.StatusFailed, reason: loop.MaxAttempts}

// workOf finds what a loop does by the end of its name; one without a script
// passes and changes nothing.
func (e *scripted) workOf(id string) work {
	for _, name := range slices.SortedFunc(maps.Keys(e.does), func(a, b string) int { return len(b) - len(a) }) {
		if strings.HasSuffix(id, "-"+name) {
			return e.does[name]
		}
	}
	return passes()
}

func (e *scripted) Start(ctx context.Context, s loop.Spec, _ engine.Options, d engine.Drive) (loop.State, error) {
	e.mu.Lock()
	if _, ok := e.all[s.ID]; ok {
		e.mu.Unlock()
		return loop.State{}, engine.ErrExists
	}
	e.order = append(e.order, s.ID)
	l := engine.Loop{State: loop.State{Spec: s, Status: loop.Running}}
	if w := e.workOf(s.ID); w.asks != "" {
		l.State.Questions = []loop.Question{{ID: "q1", Text: w.asks}}
	}
	e.all[s.ID] = l
	e.mu.Unlock()
	return e.drive(ctx, s.ID, d)
}

func (e *scripted) Resume(ctx context.Context, id string, _ engine.Options, d engine.Drive) (loop.State, error) {
	if l, err := e.Show(ctx, id); err != nil || l.State.Status.Terminal() {
		return l.State, errors.Join(err, engine.ErrEnded)
	}
	return e.drive(ctx, id, d)
}

func (e *scripted) drive(ctx context.Context, id string, d engine.Drive) (loop.State, error) {
	if ctx.Err() != nil {
		return loop.State{}, context.Cause(ctx)
	}
	l, err := e.Show(ctx, id)
	if err != nil {
		return l.State, err
	}
	w, s := e.workOf(id), l.State
	if s.Open() != nil {
		s.Status, s.Reason, s.Message = loop.Waiting, loop.ForHuman, w.asks
		return e.put(s), nil
	}
	select {
	case <-d.Stops:
		s.Status, s.Reason = loop.Paused, ""
		return e.put(s), nil
	default:
	}
	s.Status, s.Reason, s.Iteration, s.Commit = w.status, w.reason, 1, s.Base
	if len(w.files) > 0 {
		if s.Commit, err = commitOn(ctx, e.repo, s.Base, w.files); err != nil {
			return s, err
		}
		s.Differs = true
	}
	s.Recent = []loop.Attempt{{N: 1, Commit: s.Commit, Files: slices.Sorted(maps.Keys(w.files))}}
	if s.Status == loop.StatusPassed {
		if len(s.Gates) == 0 {
			s.Gates = []loop.Gate{{Name: "until"}}
		}
		for _, g := range s.Gates {
			s.Recent[0].Results = append(s.Recent[0].Results, loop.Result{Gate: g.Name, Commit: s.Commit, Verdict: loop.Passed})
		}
	}
	if d.Watch != nil {
		d.Watch(engine.Update{After: s, Event: loop.Committed{Commit: s.Commit, Files: s.Recent[0].Files}})
	}
	return e.put(s), nil
}

func (e *scripted) put(s loop.State) loop.State {
	e.mu.Lock()
	defer e.mu.Unlock()
	l := e.all[s.ID]
	l.State = s
	e.all[s.ID] = l
	return s
}

func (e *scripted) Show(_ context.Context, id string) (engine.Loop, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	l, ok := e.all[id]
	if !ok {
		return l, engine.ErrNotFound
	}
	return l, nil
}

func (e *scripted) List(context.Context, engine.Filter) ([]engine.Loop, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	return slices.Collect(maps.Values(e.all)), nil
}

func (e *scripted) Send(ctx context.Context, id string, c engine.Command) (loop.State, error) {
	l, err := e.Show(ctx, id)
	s := l.State
	switch {
	case err != nil:
		return s, err
	case s.Status.Terminal():
		return s, engine.ErrEnded
	case c.Kind == engine.Abort:
		s.Status, s.Reason = loop.Aborted, loop.Manual
	case c.Kind == engine.Answer && s.Open() != nil:
		s.Questions = slices.Clone(s.Questions)
		s.Questions[0].Answered, s.Questions[0].Answer = true, c.Text
		s.Status, s.Reason = loop.Paused, ""
	}
	return e.put(s), nil
}

func (e *scripted) Integrate(ctx context.Context, id, commit, onto string) (engine.Integrated, error) {
	merged, err := e.repo.Merge(ctx, onto, commit, git.Message{Text: "Land " + id})
	if err != nil {
		return engine.Integrated{}, err
	}
	done := engine.Integrated{Commit: merged.Commit, FastForward: merged.FastForward}
	if !merged.FastForward {
		done.Results, err = e.Evaluate(ctx, id, merged.Commit)
	}
	return done, err
}

func (e *scripted) Evaluate(_ context.Context, id, commit string) ([]loop.Result, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.judged = append(e.judged, commit)
	r := loop.Result{Gate: "tests", Level: loop.Hard, Verdict: loop.Passed}
	if e.workOf(id).red {
		r.Verdict, r.Reason = loop.Failed, "2 tests fail"
		return []loop.Result{r}, &engine.NotGreenError{Red: []loop.Result{r}}
	}
	return []loop.Result{r}, nil
}

// commitOn commits files on top of a commit, without a work tree.
func commitOn(ctx context.Context, repo *git.Repo, base string, files map[string]string) (string, error) {
	index, err := os.CreateTemp("", "index")
	if err != nil {
		return "", err
	}
	_ = index.Close()
	_ = os.Remove(index.Name())
	defer os.Remove(index.Name())
	run := func(in string, args ...string) string {
		cmd := exec.CommandContext(ctx, "git", append([]string{"-C", repo.Root, "-c", "user.name=Ada", "-c", "user.email=a@b"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_INDEX_FILE="+index.Name(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null")
		cmd.Stdin = strings.NewReader(in)
		var out bytes.Buffer
		cmd.Stdout = &out
		if failed := cmd.Run(); failed != nil && err == nil {
			err = fmt.Errorf("git %v: %w", args, failed)
		}
		return strings.TrimSpace(out.String())
	}
	run("", "read-tree", base)
	for path, text := range files {
		run("", "update-index", "--add", "--cacheinfo", "100644,"+run(text, "hash-object", "-w", "--stdin")+","+path)
	}
	return run("", "commit-tree", "-p", base, "-m", "work", run("", "write-tree")), err
}

// stage is a planner with a scripted engine and the plan of a file.
type stage struct {
	desk
	engine *scripted
}

// newStage writes the plan, whose tasks do what the scripts say.
func newStage(t *testing.T, file, text string, does map[string]work) stage {
	t.Helper()
	d := newDesk(t)
	e := &scripted{t: t, repo: d.Repo, all: map[string]engine.Loop{}, does: does}
	d.Loops = e
	d.spec.File = filepath.Join(filepath.Dir(d.spec.File), file)
	d.spec.ID = IDOf(d.spec.File)
	must(t, os.WriteFile(d.spec.File, []byte(text), 0o600))
	return stage{d, e}
}

// files are those on the tip of a plan.
func (s stage) file(t *testing.T, commit, path string) string {
	t.Helper()
	text, err := s.Repo.FileAt(t.Context(), commit, path)
	if err != nil {
		return "(none)"
	}
	return string(text)
}

// began are the loops in the order in which they began, without their plan's name.
func (s stage) began() string {
	s.engine.mu.Lock()
	defer s.engine.mu.Unlock()
	names := make([]string, len(s.engine.order))
	for i, id := range s.engine.order {
		names[i] = strings.TrimPrefix(id, s.spec.ID+"-")
	}
	return strings.Join(names, " ")
}

func statuses(s plan.State) string {
	var out []string
	for _, t := range s.Tasks {
		out = append(out, t.ID+"="+string(t.Status))
	}
	return strings.Join(out, " ")
}
