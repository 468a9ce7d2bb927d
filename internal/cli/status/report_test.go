package status

import (
	"testing"
	"time"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/foreground"
	"ralph/internal/cli/project"
)

// TestReportFormat: the flag decides, then --json, then the name of the file.
func TestReportFormat(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		f    reportFlags
		json bool
		want string
	}{
		{reportFlags{}, false, "md"},
		{reportFlags{}, true, "json"},
		{reportFlags{out: "r.HTML"}, false, "html"},
		{reportFlags{out: "r.xml"}, false, "junit"},
		{reportFlags{out: "r.xml", format: "markdown"}, false, "md"},
		{reportFlags{format: "json"}, true, "json"},
		{reportFlags{format: "html"}, true, ""},
		{reportFlags{format: "pdf"}, false, ""},
	} {
		r := foreground.New(&project.Opener{})
		r.JSON = c.json
		format, err := New(r).formatOf(c.f)
		got := ""
		if err == nil {
			got = format.names[0]
		}
		if got != c.want || (err != nil) != (c.want == "") || err != nil && exit.Classify(err).Code != exit.Usage {
			t.Errorf("%+v json=%v: %q, %v", c.f, c.json, got, err)
		}
	}
}

func TestBefore(t *testing.T) {
	t.Parallel()
	since := time.Date(2026, 11, 23, 0, 0, 0, 0, time.UTC)
	early, late := since.Add(-time.Hour), since.Add(time.Hour)
	for _, c := range []struct {
		started, ended time.Time
		want           bool
	}{
		{early, early, true}, {early, late, false}, {late, time.Time{}, false}, {early, time.Time{}, true},
	} {
		if got := before(c.started, c.ended, since); got != c.want {
			t.Errorf("%s to %s: %v", c.started, c.ended, got)
		}
	}
}
