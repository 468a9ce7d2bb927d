package web

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

// startData is the form that starts a run in one of the repositories, with what was typed.
type startData struct {
	Repos                                  []*repoLinks
	Repo                                   *repoLinks
	Agents                                 []string
	Task, Until, Agent, Iterations, Budget string
	Done                                   *done
}

func (s *Server) startPage(w http.ResponseWriter, r *http.Request) {
	s.startWith(w, r, http.StatusOK, nil)
}

func (s *Server) startWith(w http.ResponseWriter, r *http.Request, code int, d *done) {
	s.show(w, r, func(ctx context.Context) (page, error) {
		repos, err := s.o.Source.Repositories(ctx)
		if err != nil {
			return page{}, err
		}
		f := r.PostForm.Get
		form := startData{Repos: linksOfAll(repos), Task: f("task"), Until: f("until"), Agent: f("agent"), Iterations: f("iterations"), Budget: f("budget"), Done: d}
		key := cmp.Or(f("repo"), r.URL.Query().Get("repo"))
		if i := slices.IndexFunc(repos, func(one Repository) bool { return one.Key() == key }); len(repos) > 0 {
			repo := repos[max(i, 0)]
			form.Repo = linksOf(repo)
			form.Agents, err = repo.Agents(ctx)
		}
		if err != nil {
			form.Done = &done{What: "The configuration cannot be read", Output: text.Line(err.Error())}
		}
		return page{Title: "Start a run", Nav: "start", code: code, Parts: []part{{"start", "start", form}}}, nil
	})
}

// startForm starts a loop or a plan in the background, or shows what that would do.
func (s *Server) startForm(w http.ResponseWriter, r *http.Request) {
	if err := r.ParseForm(); err != nil {
		s.fail(w, r, http.StatusRequestEntityTooLarge, "The form is too large.", "Write long tasks into a plan's file.")
		return
	}
	if !s.actions.take() {
		s.fail(w, r, http.StatusServiceUnavailable, "Too many actions are under way.", "Wait for one of them.")
		return
	}
	defer s.actions.free()
	d := s.start(r)
	code := http.StatusOK
	if !d.OK {
		code = http.StatusUnprocessableEntity
	}
	s.startWith(w, r, code, &d)
}

func (s *Server) start(r *http.Request) done {
	r.SetPathValue("repo", r.PostForm.Get("repo"))
	repo, err := s.repository(r)
	if err != nil {
		return done{What: "Nothing was started", Output: "choose a repository"}
	}
	if strings.TrimSpace(r.PostForm.Get("task")) == "" {
		return done{What: "Nothing was started", Output: "write what is to be done, or the path of a plan's file"}
	}
	dry := r.PostForm.Get("do") != "start"
	args := startArgs(r, dry)
	result := repo.Command(context.WithoutCancel(r.Context()), args...)
	d := done{OK: result.Code == 0, What: "Started", Output: text.Clean(result.Output), Command: next.Typed(args...)}
	switch {
	case !d.OK:
		d.What = "Not started"
	case dry:
		d.What = "This would be started"
	default:
		if id := startedRun(r.Context(), repo, d.Output); id != "" {
			d.Back = runPath(repo.Key(), id)
		} else {
			d.What = "Nothing was started"
		}
	}
	return d
}

// startedRun returns the id of the run that a command started: it prints the id as a line
// of its own. Empty is none.
func startedRun(ctx context.Context, repo Repository, output string) string {
	for line := range strings.Lines(output) {
		id := strings.TrimSpace(line)
		if loop.ValidID(id) != nil {
			continue
		}
		if _, err := repo.Loop(ctx, id); err == nil {
			return id
		}
		if _, err := repo.Plan(ctx, id); err == nil {
			return id
		}
	}
	return ""
}

// startArgs are the arguments of ralph run. Each value is one argument, and the task
// stands behind "--".
func startArgs(r *http.Request, dry bool) []string {
	args := []string{"run", "--detach"}
	if dry {
		args = []string{"run", "--dry-run"}
	}
	for _, f := range [][2]string{{"agent", "--agent"}, {"iterations", "--max-iterations"}, {"budget", "--budget"}} {
		if v := strings.TrimSpace(r.PostForm.Get(f[0])); v != "" {
			args = append(args, f[1]+"="+v)
		}
	}
	for line := range strings.Lines(r.PostForm.Get("until")) {
		if line = strings.TrimSpace(line); line != "" {
			args = append(args, "--until="+line)
		}
	}
	return slices.Concat(args, []string{"--", strings.TrimSpace(r.PostForm.Get("task"))})
}
