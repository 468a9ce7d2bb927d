package web

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
	"ralph/internal/view"
)

// tabs of a loop and of a plan; the first is the one without a name.
var (
	loopTabs = []string{"", "attempts", "log", "diff", "prompt", "evidence", "state"}
	planTabs = []string{"", "log", "diff"}
)

// runPage is the data of the parts of a run.
type runPage struct {
	Repo *repoLinks
	view.Run
	Row     view.Row
	Path    string
	Tab     string
	Tabs    []string
	Cards   []view.Card
	Actions []view.Action
}

func (s *Server) run(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, func(ctx context.Context) (page, error) {
		repo, err := s.repository(r)
		if err != nil {
			return page{}, err
		}
		id, tab := r.PathValue("id"), r.PathValue("tab")
		l, err := repo.Loop(ctx, id)
		if err == nil {
			return s.loopPage(ctx, repo, l, tab, r)
		}
		if !errors.Is(err, ErrNotFound) {
			return page{}, err
		}
		v, err := repo.Plan(ctx, id)
		if err != nil {
			return page{}, err
		}
		return s.planPage(ctx, repo, v, tab, r)
	})
}

func (s *Server) head(repo Repository, run view.Run, tab string, tabs []string, cards []view.Card, actions []view.Action) (page, runPage) {
	d := runPage{
		Repo: linksOf(repo), Run: run, Row: run.Row(s.o.Now(), view.Palette{}), Path: runPath(repo.Key(), run.ID), Tab: tab, Tabs: tabs, Cards: cards, Actions: actions,
	}
	p := page{Title: d.Row.Status + " · " + text.Clip(run.Title, 60), Repo: d.Repo, Live: true, Parts: []part{{"head", "run-head", d}}}
	if tab == "" && len(cards) > 0 {
		p.Parts = append(p.Parts, part{"cards", "run-cards", d})
	}
	return p, d
}

func runPath(repo, id string) string { return "/r/" + repo + "/runs/" + id }

func (s *Server) loopPage(ctx context.Context, repo Repository, l Loop, tab string, r *http.Request) (page, error) {
	if !slices.Contains(loopTabs, tab) {
		return page{}, ErrNotFound
	}
	now := s.o.Now()
	p, d := s.head(repo, l.Run, tab, loopTabs, l.Cards(now), l.Actions())
	if tab == "log" {
		log, err := s.loopLog(ctx, repo, l, r)
		p.Parts = append(p.Parts, log...)
		return p, err
	}
	var body part
	var err error
	switch tab {
	case "":
		body = part{"body", "loop", map[string]any{"Run": d, "Detail": l.Detail(now)}}
	case "diff":
		body, err = diffPart(ctx, repo, l.ID)
	case "attempts":
		body, err = momentPart(l, attemptOf(r, l.Iteration))
	case "prompt":
		body, err = promptPart(l, attemptOf(r, l.Iteration))
	case "evidence":
		body = part{"body", "text", textPart{"Evidence", l.Evidence(now, view.Palette{Width: 100}), "what ralph recorded about every gate"}}
	case "state":
		var data []byte
		data, err = view.Encode(l.Object())
		body = part{"body", "text", textPart{"State", string(data), "the same as " + next.Show(l.ID, "--json")}}
	}
	p.Parts = append(p.Parts, body)
	if tab == "" || tab == "diff" {
		p.Parts = append(p.Parts, part{"actions", "actions", d})
	}
	return p, err
}

func (s *Server) planPage(ctx context.Context, repo Repository, v Plan, tab string, r *http.Request) (page, error) {
	if !slices.Contains(planTabs, tab) {
		return page{}, ErrNotFound
	}
	p, d := s.head(repo, v.Run, tab, planTabs, v.Cards(s.o.Now()), v.Actions())
	if tab == "log" {
		log, err := s.planLog(ctx, repo, v, r)
		p.Parts = append(p.Parts, log...)
		return p, err
	}
	var body part
	var err error
	switch tab {
	case "":
		body = part{"body", "plan", map[string]any{"Run": d, "Plan": v, "Drawing": v.Drawing(), "Facts": within(repo, v.Facts(s.o.Now())), "Throughput": v.ThroughputChart(s.o.Now())}}
	case "diff":
		body, err = diffPart(ctx, repo, v.ID)
	}
	actions := part{"actions", "actions", d}
	switch ended := v.Status.Terminal(); {
	case tab == "" && ended: // what a person does with it now comes first
		p.Parts = append(p.Parts, actions, body)
	case tab == "" || tab == "diff":
		p.Parts = append(p.Parts, body, actions)
	default:
		p.Parts = append(p.Parts, body)
	}
	return p, err
}

// within shortens the paths of files in the repository.
func within(repo Repository, facts []view.Fact) []view.Fact {
	for _, f := range facts {
		for i := range f.Values {
			f.Values[i] = strings.TrimPrefix(f.Values[i], text.Line(repo.Root())+"/")
		}
	}
	return facts
}

// textPart is plain text in a box.
type textPart struct{ Title, Text, About string }

// mostPrompt bounds the part of a prompt that is shown.
const mostPrompt = 200 << 10

func promptPart(l Loop, attempt int) (part, error) {
	data, _, err := engine.Head(l.Files.Prompt(attempt), mostPrompt)
	if len(data) == 0 && err == nil {
		return part{"body", "text", textPart{"Prompt", "", "No attempt has begun yet: the prompt is written when one does."}}, nil
	}
	return part{"body", "prompt", map[string]any{"Attempt": attempt, "Attempts": attemptsOf(l), "Text": text.Clean(string(data))}}, err
}

// mostMoment bounds each text of an attempt that is shown with the others of it.
const mostMoment = 64 << 10

// momentPart is one attempt with all that it left.
func momentPart(l Loop, n int) (part, error) {
	i := slices.IndexFunc(l.Attempts, func(a loop.Attempt) bool { return a.N == n })
	if i < 0 {
		return part{"body", "text", textPart{"Attempts", "", "No attempt has begun yet."}}, nil
	}
	texts, err := l.Files.Texts(n, view.GatesOf(l.Attempts[i]), mostMoment)
	return part{"body", "attempts", map[string]any{"Attempt": n, "Attempts": attemptsOf(l), "Moment": l.AttemptAt(i, view.Texts(texts))}}, err
}

// attemptsOf are the numbers of a loop's attempts.
func attemptsOf(l Loop) []int {
	out := make([]int, 0, l.Iteration)
	for n := 1; n <= l.Iteration; n++ {
		out = append(out, n)
	}
	return out[max(0, len(out)-50):]
}

func diffPart(ctx context.Context, repo Repository, id string) (part, error) {
	patch, cut, err := repo.Diff(ctx, id)
	if err != nil {
		return part{}, err
	}
	d := view.ReadDiff(patch)
	d.Cut = d.Cut || cut
	return part{"body", "diff-page", d}, nil
}
