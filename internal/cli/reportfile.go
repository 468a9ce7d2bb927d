package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/cli/project"
	"ralph/internal/engine"
	"ralph/internal/view"
)

// mostReports are kept among the views; older ones make room.
const mostReports = 20

// writeReports writes the report of a plan that has ended where a person finds
// it in the morning, and answers the path of its page. A repository without a
// tree has no such place.
func (a *app) writeReports(ctx context.Context, p *project.Project, l engine.Plan) (string, error) {
	if p.Views == "" {
		return "", nil
	}
	summary, err := a.summarize(ctx, p, nil, []engine.Plan{l})
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
	for _, format := range []string{"md", "json", "html"} {
		text, err := a.formatted(summary, format)
		if err != nil {
			return "", err
		}
		if err := replaceFile(filepath.Join(dir, name+"."+format), text); err != nil {
			return "", err
		}
	}
	dropReports(dir)
	return filepath.Join(dir, name+".html"), nil
}

// replaceFile writes a file of which nobody ever sees half.
func replaceFile(path string, text []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".report-*")
	if err != nil {
		return fmt.Errorf("write the report: %w", err)
	}
	_, err = tmp.Write(text)
	if end := tmp.Close(); err == nil {
		err = end
	}
	if err == nil {
		err = os.Rename(tmp.Name(), path)
	}
	if err != nil {
		_ = os.Remove(tmp.Name())
		return fmt.Errorf("write the report: %w", err)
	}
	return nil
}

// dropReports keeps the newest reports. Names end in a time, behind the plan.
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

// formatted is a report in one of its formats.
func (a *app) formatted(s view.Summary, format string) ([]byte, error) {
	var text string
	var err error
	switch format {
	case "json":
		return view.Encode(s)
	case "html":
		text, err = view.HTML(s, a.Now())
	case "junit":
		text, err = view.JUnit(s)
	default:
		text = view.Markdown(s, a.Now())
	}
	return []byte(text), err
}
