package suspect

import (
	"fmt"
	"strings"

	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// Finding is a line for which gates may be green although the task is not done: it can end
// or steer the run of the tests that judge it, finds out that it is judged, knows their
// answers, or leaves something out. Honest code has such lines, too: they are for a person to
// look at.
type Finding struct {
	Path string
	// Line is counted from 1; 0 is the whole file.
	Line int
	// What the line does.
	What string
	// Code is the line, without the blanks around it; "" where it says nothing.
	Code string
}

func (s Finding) String() string {
	if s.Line == 0 {
		return s.Path + " " + s.What
	}
	said := fmt.Sprintf("%s:%d %s", s.Path, s.Line, s.What)
	if s.Code != "" {
		said += " (" + s.Code + ")"
	}
	return said
}

// Quote gives findings the lines of the work that they are about.
func Quote(found []Finding, work []proof.File, content func(id string) ([]byte, error)) error {
	files, lines := proof.Index(work), map[string][]string{}
	for i, f := range found {
		if f.Line == 0 {
			continue
		}
		if _, read := lines[f.Path]; !read {
			data, err := content(files[f.Path].ID)
			if err != nil {
				return err
			}
			lines[f.Path] = strings.Split(syntax.InLines(proof.SourceLanguage(f.Path, string(data)), data), "\n")
		}
		if all := lines[f.Path]; f.Line <= len(all) {
			found[i].Code = strings.TrimSpace(all[f.Line-1])
		}
	}
	return nil
}
