package view

import (
	"bytes"
	"cmp"
	"fmt"
	"html"
	"html/template"
	"strings"

	"github.com/bluekeyes/go-gitdiff/gitdiff"

	"ralph/internal/text"
)

// What is shown of a diff: larger ones are looked at in an editor.
const (
	mostDiffLines = 4000
	mostFileLines = 2000
	mostDiffWidth = 1000
)

// DiffFile is a file of a diff. Body are rows of a table: all foreign text in it is
// escaped.
type DiffFile struct {
	Name, How      string
	Added, Deleted int
	Body           template.HTML
	Folded         bool
}

// Diff is a patch for reading. Cut: there is more of it.
type Diff struct {
	Files []DiffFile
	Cut   bool
	// Raw is the patch as it is, where it could not be read.
	Raw string
}

// ReadDiff reads a patch. One that cannot be read, since it is cut for example, is Raw.
func ReadDiff(patch []byte) Diff {
	parsed, _, err := gitdiff.Parse(bytes.NewReader(patch))
	if err != nil {
		return Diff{Raw: text.Cut(text.Visible(string(patch)), 1<<20), Cut: true}
	}
	var d Diff
	left := mostDiffLines
	for _, f := range parsed {
		one := DiffFile{Name: text.Line(nameOf(f)), How: howOf(f)}
		var lines int
		one.Body, one.Added, one.Deleted, lines = diffHTML(f, min(left, mostFileLines))
		left -= lines
		one.Folded = one.Added+one.Deleted > 400
		d.Cut = d.Cut || one.Body == "" && len(f.TextFragments) > 0
		d.Files = append(d.Files, one)
	}
	return d
}

func nameOf(f *gitdiff.File) string {
	switch {
	case f.IsRename || f.IsCopy:
		return f.OldName + " → " + f.NewName
	case f.NewName == "":
		return f.OldName
	}
	return f.NewName
}

func howOf(f *gitdiff.File) string {
	switch {
	case f.IsBinary:
		return "binary"
	case f.IsNew:
		return "new"
	case f.IsDelete:
		return "deleted"
	case f.IsRename:
		return "renamed"
	case f.NewMode != 0 && f.NewMode != f.OldMode && f.OldMode != 0:
		return fmt.Sprintf("mode %o", f.NewMode&0o777)
	}
	return ""
}

// diffHTML is a file's changes as rows of a table, at most so many. The file is what an
// agent wrote: every character of it is escaped here.
func diffHTML(f *gitdiff.File, most int) (rows template.HTML, added, deleted, lines int) {
	var b strings.Builder
	code := syntaxOf(cmp.Or(f.NewName, f.OldName))
	for _, fragment := range f.TextFragments {
		added += int(fragment.LinesAdded)
		deleted += int(fragment.LinesDeleted)
		if lines >= most {
			continue
		}
		fmt.Fprintf(&b, "<tr class=\"hunk\"><td colspan=\"3\">%s</td></tr>\n", html.EscapeString(tidy(fragment.Header())))
		before, after := fragment.OldPosition, fragment.NewPosition
		for _, l := range fragment.Lines {
			if lines++; lines > most {
				b.WriteString("<tr class=\"hunk\"><td colspan=\"3\">… more lines: see the branch …</td></tr>\n")
				break
			}
			class, sign, old, now := "same", " ", fmt.Sprint(before), fmt.Sprint(after)
			switch l.Op {
			case gitdiff.OpAdd:
				class, sign, old = "add", "+", ""
				after++
			case gitdiff.OpDelete:
				class, sign, now = "del", "-", ""
				before++
			default:
				before, after = before+1, after+1
			}
			fmt.Fprintf(&b, "<tr class=\"%s\"><td>%s</td><td>%s</td><td>%s%s</td></tr>\n", class, old, now, sign, code.highlight(tidy(l.Line)))
		}
	}
	return template.HTML(b.String()), added, deleted, lines //nolint:gosec // every part of it is escaped or a number
}

// tidy is foreign text for a row, on one line. What a terminal or the direction of a script
// would obey is shown and not obeyed.
func tidy(s string) string {
	return text.Cut(strings.ReplaceAll(strings.TrimRight(text.Visible(s), "\n"), "\t", "    "), mostDiffWidth)
}
