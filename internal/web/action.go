package web

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"ralph/internal/next"
	"ralph/internal/text"
	"ralph/internal/view"
)

// doing is how long an action may take: accept runs the gates again.
const doing = 30 * time.Minute

// done is the outcome of an action.
type done struct {
	OK      bool
	What    string
	Output  string
	Command string
	Back    string
}

// perform runs an action. It is finished also where the browser goes away: a decision
// is never done by half.
func (s *Server) perform(w http.ResponseWriter, r *http.Request, act func(context.Context) (done, error)) {
	if !s.actions.take() {
		s.fail(w, r, http.StatusServiceUnavailable, "Too many actions are under way.", "Wait for one of them.")
		return
	}
	defer s.actions.free()
	_ = http.NewResponseController(w).SetWriteDeadline(time.Now().Add(doing)) // the network's clock, not the pages'
	ctx, cancel := context.WithTimeout(context.WithoutCancel(r.Context()), doing)
	defer cancel()
	d, err := act(ctx)
	if err != nil {
		s.failed(w, r, err)
		return
	}
	code := http.StatusOK
	if !d.OK {
		code = http.StatusUnprocessableEntity
	}
	s.show(w, r, func(context.Context) (page, error) {
		return page{Title: d.What, code: code, Parts: []part{{"done", "done", d}}}, nil
	})
}

// answer answers one question. One that was answered meanwhile is a conflict, which tells
// by whom.
func (s *Server) answer(w http.ResponseWriter, r *http.Request) {
	s.perform(w, r, func(ctx context.Context) (done, error) {
		repo, err := s.repository(r)
		if err != nil {
			return done{}, err
		}
		d := done{What: "Answered", Back: runPath(repo.Key(), r.PathValue("id"))}
		words, err := answerOf(r)
		if err == nil {
			d.Output, err = repo.Reply(ctx, Reply{Run: r.PostFormValue("run"), Question: r.PostFormValue("question"), Answer: words})
		}
		d.OK = err == nil
		if _, stale := errors.AsType[*StaleError](err); stale || errors.Is(err, ErrNotFound) {
			return done{}, err
		}
		if err != nil {
			d.What, d.Output = "Not answered", text.Line(err.Error())
		}
		return d, nil
	})
}

// answerOf is the answer that a form gives: a button, or words. Of the two only the
// button of an option that takes words goes with words: nothing that a person wrote is
// dropped in silence.
func answerOf(r *http.Request) (string, error) {
	option, words := r.PostFormValue("option"), strings.TrimSpace(r.PostFormValue("text"))
	switch {
	case option == "", words == "":
		return option + words, nil
	case option == r.PostFormValue("with"):
		return option + " " + words, nil
	}
	return "", errors.New("choose one of the answers, or write one: not both")
}

// act does one of the things that the view offers for a run as it is now.
func (s *Server) act(w http.ResponseWriter, r *http.Request) {
	s.perform(w, r, func(ctx context.Context) (done, error) {
		repo, err := s.repository(r)
		if err != nil {
			return done{}, err
		}
		run, standing, actions, err := actionsOf(ctx, repo, r.PathValue("id"))
		if err != nil {
			return done{}, err
		}
		i := slices.IndexFunc(actions, func(a view.Action) bool { return string(a.Verb) == r.PathValue("verb") })
		if i < 0 {
			return done{}, &StaleError{"this cannot be done now; the run is " + text.Line(standing)}
		}
		a := actions[i]
		if seen := r.PostFormValue("commit"); a.Verb == view.DoAccept && seen != a.Commit {
			return done{}, &StaleError{fmt.Sprintf("the page showed the work at %.10q, and it is at %.10s now; the run is %s. Reload the page, and look again.", seen, a.Commit, text.Line(standing))}
		}
		words := strings.TrimSpace(r.PostFormValue("text"))
		if a.Needed && words == "" {
			return done{What: "Nothing was done", Output: a.Text + ": it is empty", Back: runPath(repo.Key(), run.ID)}, nil
		}
		args, missing := argsOf(a, run.ID, words, r.PostForm["look"])
		if missing != "" {
			return done{What: "Nothing was done", Output: missing, Back: runPath(repo.Key(), run.ID)}, nil
		}
		result := repo.Command(ctx, args...)
		d := done{OK: result.Code == 0, What: a.Label + ": done", Output: text.Clean(result.Output), Command: next.Typed(args...), Back: runPath(repo.Key(), run.ID)}
		if !d.OK {
			d.What = a.Label + ": not done"
		}
		return d, nil
	})
}

func actionsOf(ctx context.Context, repo Repository, id string) (run view.Run, standing string, all []view.Action, err error) {
	l, err := repo.Loop(ctx, id)
	if err == nil {
		return l.Run, l.StatusText(), l.Actions(), nil
	}
	if !errors.Is(err, ErrNotFound) {
		return view.Run{}, "", nil, err
	}
	v, err := repo.Plan(ctx, id)
	return v.Run, v.StatusText(), v.Actions(), err
}

// argsOf are the arguments of the command that does an action. What a person typed
// stands behind "--" or in the value of a flag: none of it can be a flag. missing tells
// what was not agreed to.
func argsOf(a view.Action, id, words string, look []string) (args []string, missing string) {
	if a.Args != nil {
		args = slices.Clone(a.Args)
		if i := slices.Index(args, "…"); i >= 0 {
			args[i] = words
		}
		return args, ""
	}
	switch a.Verb {
	case view.DoAbort:
		if words != "" {
			return []string{"abort", "--reason=" + words, "--", id}, ""
		}
	case view.DoSteer:
		return []string{"steer", "--", id, words}, ""
	case view.DoRetry, view.DoResume:
		return []string{string(a.Verb), "--detach", "--", id}, ""
	case view.DoAccept:
		var codes []string
		for _, c := range a.Look {
			if !slices.Contains(look, string(c.Code)) {
				return nil, "look at this first, and tick it: " + text.SpacedLine(c.What)
			}
			codes = append(codes, string(c.Code))
		}
		args := []string{"accept", "--commit=" + a.Commit}
		if len(codes) > 0 {
			args = append(args, "--allow="+strings.Join(codes, ","))
		}
		return append(args, "--", id), ""
	}
	return []string{string(a.Verb), "--", id}, ""
}
