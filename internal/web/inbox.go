package web

import (
	"context"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"ralph/internal/text"
	"ralph/internal/view"
)

// section is a group of runs of all repositories.
type section struct {
	Title    string
	NeedsYou bool
	// Count is how many runs are in the group, of which Runs are the first.
	Count int
	Runs  []inboxRun
}

// mostRows bounds a section of the Inbox: the rest is named by its number.
const mostRows = 40

// More is how many runs of the section are not shown.
func (s section) More() int { return s.Count - len(s.Runs) }

// inboxRun is a run of the Inbox with the repository that it is in.
type inboxRun struct {
	view.Run
	Repo *repoLinks
	Row  view.Row
}

func (s *Server) inbox(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, func(ctx context.Context) (page, error) {
		repos, err := s.o.Source.Repositories(ctx)
		if err != nil {
			return page{}, err
		}
		runs, troubles := collect(ctx, repos)
		p := page{Title: "Inbox", Nav: "inbox", Live: true}
		sections := s.sections(runs)
		counts := make([]view.Run, 0, len(runs))
		for _, r := range runs {
			counts = append(counts, r.Run)
		}
		p.Title = title(view.CountsOf(counts))
		p.Parts = append(p.Parts, part{"summary", "inbox-summary", map[string]any{
			"Counts": view.CountsOf(counts), "Repos": linksOfAll(repos), "Troubles": troubles, "Empty": len(runs) == 0,
		}})
		for _, one := range sections {
			p.Parts = append(p.Parts, part{"section-" + strings.ToLower(strings.ReplaceAll(one.Title, " ", "-")), "inbox-section", one})
		}
		return p, nil
	})
}

// title tells in the tab of the browser whether a person is needed.
func title(c view.Counts) string {
	switch c.NeedsYou {
	case 0:
		return "Inbox"
	case 1:
		return "1 run needs you"
	}
	return strconv.Itoa(c.NeedsYou) + " runs need you"
}

// trouble is a repository that could not be read.
type trouble struct{ Repo, What string }

// collect reads the runs of all repositories at once. One that cannot be read hides no
// other. Where there are several, the commands to type name theirs.
func collect(ctx context.Context, repos []Repository) (out []inboxRun, troubles []trouble) {
	all, failed := make([][]view.Run, len(repos)), make([]error, len(repos))
	var wait sync.WaitGroup
	for i, r := range repos {
		wait.Go(func() { all[i], failed[i] = r.Runs(ctx) })
	}
	wait.Wait()
	for i, r := range repos {
		if failed[i] != nil {
			troubles = append(troubles, trouble{text.Line(r.Root()), text.Line(failed[i].Error())})
		}
		for _, run := range all[i] {
			if len(repos) > 1 {
				run = run.In(r.Root())
			}
			out = append(out, inboxRun{Run: run, Repo: linksOf(r)})
		}
	}
	return out, troubles
}

// sections groups the runs in the one order of all lists. Runs of two repositories may
// have the same id: in the list each carries its place as well.
func (s *Server) sections(runs []inboxRun) []section {
	bare := make([]view.Run, len(runs))
	for i, r := range runs {
		bare[i] = r.Run
		bare[i].ID += "\x00" + strconv.Itoa(i)
	}
	var out []section
	for _, group := range view.Sections(bare) {
		one := section{Title: group.Title, NeedsYou: group.NeedsYou, Count: len(group.Runs)}
		for _, r := range group.Runs[:min(len(group.Runs), mostRows)] {
			_, place, _ := strings.Cut(r.ID, "\x00")
			i, _ := strconv.Atoi(place) // written above
			own := runs[i]
			own.Row = own.Run.Row(s.o.Now(), view.Palette{})
			one.Runs = append(one.Runs, own)
		}
		out = append(out, one)
	}
	return out
}

func linksOfAll(repos []Repository) []*repoLinks {
	out := make([]*repoLinks, len(repos))
	for i, r := range repos {
		out[i] = linksOf(r)
	}
	return out
}
