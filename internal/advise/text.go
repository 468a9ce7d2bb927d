package advise

import (
	"fmt"
	"strings"

	"ralph/internal/text"
)

// Text is the advice for people: plain, in 80 columns.
func Text(a Advice) string {
	var t sheet
	t.Line(0, a.Summary)
	t.plan(a)
	t.running(a.Active)
	if len(a.Reasons) > 0 {
		t.Head("WHY")
	}
	for _, r := range a.Reasons {
		t.reason(r)
	}
	if len(a.Assumed) > 0 {
		t.Head("ASSUMED")
	}
	for _, s := range a.Assumed {
		t.WriteString("  ")
		t.Line(2, s)
	}
	if len(a.Reasons) > 0 {
		t.Head("+ for several loops   - for one   ? not known")
	}
	return t.String()
}

// margin is how many columns stand before the text of a list.
const margin = 14

type sheet struct{ text.Page }

// item is a line of a list, with a word before it.
func (t *sheet) item(word, s string) {
	fmt.Fprintf(t, "%-*s", margin, "  "+word)
	t.Line(margin, s)
}

func (t *sheet) plan(a Advice) {
	if a.Plan == nil {
		return
	}
	s := a.Plan
	t.Head("PLAN")
	title := ""
	if s.Title != "" {
		title = ", " + s.Title
	}
	t.item("file", fmt.Sprintf("%s (%s%s)", s.File, s.Format, title))
	t.item("tasks", fmt.Sprintf("%d, %d of them to do", s.Tasks, s.Open))
	if s.Open == 0 {
		return
	}
	if len(s.Turns) > 1 {
		t.item("turns", turns(s.Turns))
	}
	t.item("longest", fmt.Sprintf("%s (%.0f %% of the tasks to do)", arrows(s.Longest), 100**s.Sequential))
	for i, g := range a.Groups {
		t.item(fmt.Sprintf("group %d", i+1), strings.Join(g, ", "))
	}
	t.item("first", strings.Join(a.First, ", "))
}

// turns is "1 loop: 7, 2: 4, 3: 3".
func turns(all []int) string {
	parts := make([]string, len(all))
	for i, n := range all {
		parts[i] = fmt.Sprintf("%d: %d", i+1, n)
	}
	return "with 1 loop: " + strings.TrimPrefix(strings.Join(parts, ", with "), "1: ")
}

// arrows shows a chain; of a long one its ends.
func arrows(ids []string) string {
	const most = 6
	if len(ids) > most {
		ids = []string{ids[0], ids[1], ids[2], fmt.Sprintf("(%d more)", len(ids)-5), ids[len(ids)-2], ids[len(ids)-1]}
	}
	return strings.Join(ids, " → ")
}

func (t *sheet) running(all []Active) {
	if len(all) == 0 {
		return
	}
	t.Head(fmt.Sprintf("RUNNING (%d)", len(all)))
	for _, a := range all {
		fmt.Fprintf(t, "  %s\n", text.Line(a.LoopID))
		t.item("", text.Clip(a.Task, text.Columns-margin))
		if len(a.Scope) > 0 {
			t.item("", "scope "+strings.Join(a.Scope, ", "))
		}
	}
}

func (t *sheet) reason(r Reason) {
	mark := map[Side]string{ForMany: "+", ForOne: "-", Unknown: "?"}[r.Favors]
	var sources []string
	for _, s := range []string{r.From, r.Rule} {
		if strings.HasPrefix(s, "seed ") { // its number is for programs, and on that page
			if _, rule, ok := strings.Cut(s, ": "); ok {
				s = rule + ", docs/seeds.md"
			} else {
				s = "docs/seeds.md"
			}
		}
		if s != "" {
			sources = append(sources, s)
		}
	}
	fmt.Fprintf(t, "%-2s%-*s", mark, margin-2, strings.ReplaceAll(r.Code, "_", " "))
	t.Line(margin, r.Text+" ["+strings.Join(sources, "; ")+"]")
}
