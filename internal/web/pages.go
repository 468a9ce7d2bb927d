package web

import (
	"context"
	"html/template"
	"net/http"
	"slices"

	"ralph/internal/text"
	"ralph/internal/view"
)

// repoPage shows a page about one repository.
func (s *Server) repoPage(w http.ResponseWriter, r *http.Request, nav, title string, build func(context.Context, Repository) ([]part, error)) {
	s.show(w, r, func(ctx context.Context) (page, error) {
		repo, err := s.repository(r)
		if err != nil {
			return page{}, err
		}
		parts, err := build(ctx, repo)
		return page{Title: title + " · " + text.Line(repo.Title()), Nav: nav, Repo: linksOf(repo), Parts: parts, Live: true}, err
	})
}

// report is the morning report, as ralph report --format html writes it.
func (s *Server) report(w http.ResponseWriter, r *http.Request) {
	s.repoPage(w, r, "report", "Report", func(ctx context.Context, repo Repository) ([]part, error) {
		sum, err := repo.Summary(ctx)
		if err != nil {
			return nil, err
		}
		body, err := view.ReportBody(sum, s.o.Now())
		return []part{{"report", "raw", body}}, err
	})
}

// mostHistory is how many runs the history shows.
const mostHistory = 200

// historyData are runs that have ended, of Total.
type historyData struct {
	Repo  *repoLinks
	Runs  []inboxRun
	Total int
}

// More reports whether there are runs that are not shown.
func (d historyData) More() bool { return d.Total > len(d.Runs) }

// history lists what has ended, archived runs too.
func (s *Server) history(w http.ResponseWriter, r *http.Request) {
	s.repoPage(w, r, "history", "History", func(ctx context.Context, repo Repository) ([]part, error) {
		ended, total, err := repo.Ended(ctx, mostHistory)
		slices.SortStableFunc(ended, func(a, b view.Run) int { return b.EndedAt.Compare(a.EndedAt) })
		d := historyData{Repo: linksOf(repo), Total: total}
		for _, run := range ended {
			d.Runs = append(d.Runs, inboxRun{Run: run, Repo: d.Repo, Row: run.Row(s.o.Now(), view.Palette{})})
		}
		return []part{{"history", "history", d}}, err
	})
}

// timeline shows attempts, waits and questions over time, and what they cost and used by day.
func (s *Server) timeline(w http.ResponseWriter, r *http.Request) {
	s.repoPage(w, r, "timeline", "Timeline", func(ctx context.Context, repo Repository) ([]part, error) {
		sum, err := repo.Summary(ctx)
		if err != nil {
			return nil, err
		}
		body, err := view.TimelineBody(sum, s.o.Now())
		return []part{{"timeline", "timeline", struct {
			Body    template.HTML
			Used    []*view.Chart
			Earlier int
		}{body, s.usage(sum), sum.More}}}, err
	})
}

// settings are the effective configuration with its origins, read-only.
func (s *Server) settings(w http.ResponseWriter, r *http.Request) {
	s.repoPage(w, r, "settings", "Settings", func(ctx context.Context, repo Repository) ([]part, error) {
		all, err := repo.Settings(ctx)
		if err != nil {
			return nil, err
		}
		trust, err := repo.Trust(ctx)
		return []part{{"settings", "settings", map[string]any{"All": all, "Trust": trust}}}, err
	})
}

// agents shows the health of the accounts, and what each repository's agents cost.
func (s *Server) agents(w http.ResponseWriter, r *http.Request) {
	s.show(w, r, func(ctx context.Context) (page, error) {
		accounts, err := s.o.Source.Agents(ctx)
		if err != nil {
			return page{}, err
		}
		repos, err := s.o.Source.Repositories(ctx)
		if err != nil {
			return page{}, err
		}
		type used struct {
			Repo   *repoLinks
			Use    []view.AgentRow
			Days   []view.DayRow
			More   int
			Charts []*view.Chart
			// Earlier runs ended before those that are counted.
			Earlier int
			// Uncounted names the archived runs, which are not counted.
			Uncounted string
		}
		var all []used
		for _, repo := range repos {
			sum, err := repo.Summary(ctx)
			if err != nil {
				continue // the Inbox names what cannot be read
			}
			if rows := sum.AgentRows(); len(rows) > 0 {
				days, more := sum.DayRows(s.o.Now())
				all = append(all, used{linksOf(repo), rows, days, more, s.usage(sum), sum.More, sum.Uncounted()})
			}
		}
		return page{Title: "Agents", Nav: "agents", Live: true, Parts: []part{{"accounts", "accounts", accounts}, {"used", "used", all}}}, nil
	})
}

// usage are the charts of what agents cost and used, without those that know nothing.
func (s *Server) usage(sum view.Summary) []*view.Chart {
	all := []*view.Chart{sum.CostChart(s.o.Now()), sum.TokensChart(s.o.Now())}
	return slices.DeleteFunc(all, func(c *view.Chart) bool { return c == nil })
}
