package status

import (
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralph/internal/cli/exit"
	"ralph/internal/view"
)

// reportFormat is a format in which ralph report writes.
type reportFormat struct {
	// names are those of --format, the first for messages; endings those of file names.
	names, endings []string
	// whole: programs read it, which must not miss a run.
	whole bool
	write func(s view.Summary, now time.Time) (string, error)
	// fold fits a page to the width of a terminal; nil leaves it as it is.
	fold func(page string, width int) string
}

// reportFormats are all formats, the default first.
var reportFormats = []reportFormat{
	{
		names: []string{"md", "markdown"}, endings: []string{"", ".md", ".markdown", ".txt"},
		write: func(s view.Summary, now time.Time) (string, error) { return view.Markdown(s, now), nil },
		fold:  view.Fold,
	},
	{
		names: []string{"json"}, endings: []string{".json"},
		write: func(s view.Summary, _ time.Time) (string, error) {
			object, err := view.Encode(s)
			return string(object), err
		},
	},
	{names: []string{"html"}, endings: []string{".html", ".htm"}, write: view.HTML},
	{
		names: []string{"junit"}, endings: []string{".xml"}, whole: true,
		write: func(s view.Summary, _ time.Time) (string, error) { return view.JUnit(s) },
	},
}

const (
	formatWords = "md, json, html or junit"
	endingWords = ".md, .html, .json or .xml (junit)"
)

// formatOf returns the format that is asked for, or the one of the file's name.
func (a *Commands) formatOf(f reportFlags) (reportFormat, error) {
	ending := strings.ToLower(filepath.Ext(f.out))
	name := f.format
	if name == "" && a.JSON {
		name = "json"
	}
	for _, one := range reportFormats {
		switch {
		case name == "" && slices.Contains(one.endings, ending):
			return one, nil
		case name == "" || !slices.Contains(one.names, name):
		case a.JSON && one.names[0] != "json":
			return one, exit.UsageError("leave out --json", "--json and --format %s ask for different formats", name)
		default:
			return one, nil
		}
	}
	if name == "" {
		return reportFormat{}, exit.UsageError("name it "+endingWords+", or add --format", "-o %s: no format has the ending %s", f.out, ending)
	}
	return reportFormat{}, exit.UsageError("--format "+formatWords, "--format %q is not one of: %s", name, strings.Replace(formatWords, " or", ",", 1))
}
