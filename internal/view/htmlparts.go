package view

import (
	"fmt"
	"html/template"
	"strings"
	"time"
)

// ReportStyle is the style sheet of the report, for pages that show its body.
func ReportStyle() string { return between(page, "<style>", "</style>") }

// ReportBody is the content of the report's page, for a page that holds it among other
// things: all text in it is escaped.
func ReportBody(r Summary, now time.Time) (template.HTML, error) {
	whole, err := HTML(r, now)
	return template.HTML(between(whole, "<main>", "</main>")), err //nolint:gosec // the template of the report escaped it
}

// between cuts out what stands between the first start and the last end. Escaped text
// holds neither.
func between(s, start, end string) string {
	_, s, _ = strings.Cut(s, start)
	if i := strings.LastIndex(s, end); i >= 0 {
		s = s[:i]
	}
	return s
}

// TimelineBody is the timeline of the report by itself; empty where there is no time to
// draw.
func TimelineBody(r Summary, now time.Time) (template.HTML, error) {
	t, err := template.New("report").Parse(page)
	if err != nil {
		return "", fmt.Errorf("read the page of the report: %w", err)
	}
	var b strings.Builder
	err = t.Execute(&b, pageData{Time: timelineOf(r.loops, now)})
	return template.HTML(between(b.String(), "<h2 id=\"time\">Timeline</h2>", "</main>")), err //nolint:gosec // as above
}
