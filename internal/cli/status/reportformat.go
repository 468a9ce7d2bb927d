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
	// names are those of --format, endings those of file names; messages have the first.
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
		names: []string{"md", "markdown"}, endings: []string{".md", ".markdown", ".txt", ""},
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

// formatNames are the first names of all formats, and the first ending of each.
func formatNames() (names, endings []string) {
	for _, f := range reportFormats {
		names, endings = append(names, f.names[0]), append(endings, f.endings[0])
	}
	return names, endings
}

// oneOf joins words for a choice: "a, b or c".
func oneOf(words []string) string {
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}

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
	names, endings := formatNames()
	if name == "" {
		return reportFormat{}, exit.UsageError("name it "+oneOf(endings)+", or add --format", "-o %s: no format has the ending %s", f.out, ending)
	}
	return reportFormat{}, exit.UsageError("--format "+oneOf(names), "--format %q is not one of: %s", name, strings.Join(names, ", "))
}
