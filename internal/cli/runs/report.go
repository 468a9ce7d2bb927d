package runs

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/cli/project"
	"ralph/internal/durable"
	"ralph/internal/engine"
	"ralph/internal/loop"
	"ralph/internal/view"
)

// planReport writes the report of a plan that has ended, or of which only
// questions are left, which its reader answers. A full disk does not make a plan fail that
// passed: the message reports it.
func planReport(ctx context.Context, a *project.Opener, p *project.Project, l engine.Plan) string {
	if s := l.State; !s.Status.Terminal() && (s.Status != loop.Waiting || !s.Reason.NeedsPerson()) {
		return ""
	}
	page, err := writeReports(ctx, a, p, l)
	if err != nil {
		a.Note("the plan's report is not written: %v; ralph report %s shows it", err, l.State.ID)
	}
	return page
}

// Summarize makes the report of loops and plans.
func Summarize(ctx context.Context, a *project.Opener, p *project.Project, loops []engine.Loop, plans []engine.Plan) (view.Summary, error) {
	items, err := Items(ctx, p, loops)
	if err != nil {
		return view.Summary{}, err
	}
	if plans, err = withInner(ctx, p, plans); err != nil {
		return view.Summary{}, err
	}
	whole, err := PlanItems(ctx, p, plans, Whole)
	if err != nil {
		return view.Summary{}, err
	}
	summary := view.Summarize(p.Name(), items, whole, a.Now())
	if taught, err := p.Loops.Patterns(ctx, engine.PatternQuery{}); err == nil {
		summary.Propose(taught)
	}
	summary.Tell(journals(ctx, p, items, whole))
	return summary, nil
}

// withInner adds the plans that were run in the places of tasks of these: what the
// tasks came to, and cost, is told there.
func withInner(ctx context.Context, p *project.Project, plans []engine.Plan) ([]engine.Plan, error) {
	all := slices.Clone(plans)
	known := func(id string) bool {
		return slices.ContainsFunc(all, func(l engine.Plan) bool { return l.State.ID == id })
	}
	for n := 0; n < len(all); n++ {
		for _, t := range all[n].State.Tasks {
			if !t.Child || t.Loop == "" || known(t.Loop) {
				continue
			}
			inner, err := p.Plans.Show(ctx, t.Loop)
			if errors.Is(err, engine.ErrNotFound) {
				continue // it never began
			}
			if err != nil {
				return nil, err
			}
			all = append(all, inner)
		}
	}
	return all, nil
}

// mostReports are kept among the views; older ones make room.
const mostReports = 20

// writeReports writes the report of a plan that has ended where a person finds
// it in the morning, and answers the path of its page. A repository without a
// tree has no such place.
func writeReports(ctx context.Context, a *project.Opener, p *project.Project, l engine.Plan) (string, error) {
	if p.Views == "" {
		return "", nil
	}
	summary, err := Summarize(ctx, a, p, nil, []engine.Plan{l})
	if err != nil {
		return "", err
	}
	dir := filepath.Join(p.Views, "reports")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("make the folder of reports: %w", err)
	}
	at := l.State.EndedAt
	if at.IsZero() { // only questions are left
		at = l.State.LastAt
	}
	name := l.State.ID + "-" + at.UTC().Format("20060102-150405")
	text, err := view.HTML(summary, a.Now())
	if err != nil {
		return "", err
	}
	page := filepath.Join(dir, name+".html")
	if err := durable.Replace(page, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("write the report: %w", err)
	}
	dropReports(dir)
	return page, nil
}

// dropReports keeps the newest reports. Names end in a time, behind the plan; earlier
// versions wrote a report in three formats.
func dropReports(dir string) {
	pages, _ := filepath.Glob(filepath.Join(dir, "*.html"))
	when := func(path string) string { return path[max(0, len(path)-len("20060102-150405.html")):] }
	slices.SortFunc(pages, func(a, b string) int { return strings.Compare(when(b), when(a)) })
	for _, old := range pages[min(len(pages), mostReports):] {
		for _, format := range []string{".md", ".json", ".html"} {
			_ = os.Remove(strings.TrimSuffix(old, ".html") + format)
		}
	}
}
