package planfile

import (
	"strings"
	"time"

	"go.yaml.in/yaml/v4"

	"ralph/internal/plan"
)

// sectionsWriter writes seed 003's frontmatter, and the boxes within sections.
type sectionsWriter struct {
	frontText
	*ticks
	// units has the progress entry of each task; names is set if progress is a
	// bare list of completed sections.
	units []unitEntry
	names bool
	plan  plan.Plan
	// byName maps a name in lower case to the indexes of its units.
	byName map[string][]int
	// lost are entries that match no heading.
	lost     []lostEntry
	warnings []Warning
}

// unitEntry is one entry of progress; status is empty without one.
type unitEntry struct {
	status plan.Status
	item   *yaml.Node
}

// lostEntry is an entry whose section has another name now.
type lostEntry struct {
	unitEntry
	name string
}

// progress reads the progress of the units.
func (h *sectionsWriter) progress(p plan.Plan) error {
	h.units, h.plan, h.byName = make([]unitEntry, len(p.Tasks)), p, map[string][]int{}
	for i, t := range p.Tasks {
		for _, name := range unitNames(t.Title) {
			h.byName[name] = append(h.byName[name], i)
		}
	}
	v := h.front.values["progress"]
	if v.none() {
		return nil
	}
	if v.node.Kind != yaml.SequenceNode {
		return parseError(v.line, "write a list of sections", "progress is not a list")
	}
	var errs error
	for _, item := range v.node.Content {
		h.names = h.names || item.Kind == yaml.ScalarNode
		errs = both(errs, h.unit(item))
	}
	h.renumbered()
	return errs
}

// unnumbered returns a name in lower case without its number, "" if it has none.
func unnumbered(name string) string {
	words, ok := plan.Unnumbered(name)
	if !ok {
		return ""
	}
	return strings.ToLower(words)
}

// renumbered matches lost entries to sections that only changed their number. Any
// other entry stays and is warned about: a renamed section is a new unit.
func (h *sectionsWriter) renumbered() {
	byWords := map[string][]int{}
	for i, t := range h.plan.Tasks {
		if words := unnumbered(t.Title); words != "" {
			byWords[words] = append(byWords[words], i)
		}
	}
	for _, l := range h.lost {
		if found := byWords[unnumbered(l.name)]; len(found) == 1 && h.units[found[0]].item == nil {
			h.units[found[0]] = l.unitEntry
			continue
		}
		h.warnings = append(h.warnings, Warning{l.item.Line + 1, "progress names the section " + quote(l.name) + ", which has no heading: the entry is ignored"})
	}
}

// unit reads one entry of progress: section and status, or the bare name of a
// completed section.
func (h *sectionsWriter) unit(item *yaml.Node) error {
	at := item.Line + 1
	var entry struct{ Section, Status string }
	if item.Kind == yaml.ScalarNode {
		entry.Section, entry.Status = item.Value, "complete"
	} else if item.Kind != yaml.MappingNode || item.Decode(&entry) != nil {
		entry.Section = ""
	}
	if entry.Section == "" {
		return parseError(at, "write section: and status:", "an entry of progress has no section")
	}
	status, ok := unitStatus(entry.Status)
	if !ok {
		return parseError(at, "write pending, in_progress or complete", "unknown status %s", quote(entry.Status))
	}
	switch found := h.byName[strings.ToLower(entry.Section)]; len(found) {
	case 0:
		h.lost = append(h.lost, lostEntry{unitEntry{status, item}, entry.Section})
	case 1:
		h.units[found[0]] = unitEntry{status, item}
	default:
		return parseError(at, "write the whole heading", "progress names the section %s, and %d headings begin like this", quote(entry.Section), len(found))
	}
	return nil
}

// unitNames returns the names of a heading in lower case: all of it, and the part
// before its colon.
func unitNames(title string) []string {
	title = strings.ToLower(title)
	before, _, cut := strings.Cut(title, ":")
	if before = strings.TrimSpace(before); !cut || before == title {
		return []string{title}
	}
	return []string{title, before}
}

// unitStatus reads seed 003's statuses, and those that ralph adds for units that
// were not completed.
func unitStatus(word string) (plan.Status, bool) {
	switch word {
	case "", "pending":
		return plan.Pending, true
	case "in_progress", "partial":
		return plan.Running, true
	case "complete":
		return plan.Done, true
	case "failed", "blocked", "skipped":
		return plan.Status(word), true
	}
	return "", false
}

func unitWord(s plan.Status) string {
	switch s {
	case plan.Pending, plan.Ready:
		return "pending"
	case plan.Running:
		return "in_progress"
	case plan.Done:
		return "complete"
	}
	return string(s)
}

func (h *sectionsWriter) setTask(e *edits, i int, c Change) Change {
	rest := c
	if c.Status != "" && h.setUnit(e, i, c.Status) {
		rest.Status = ""
		if c.Status == plan.Done {
			put(e, h.below[i], h.mark)
		}
	}
	return rest
}

// setUnit updates the entry of a unit, or queues a new one.
func (h *sectionsWriter) setUnit(e *edits, i int, s plan.Status) bool {
	switch item := h.units[i].item; {
	case item == nil && h.names && s != plan.Done, h.duplicates(i) > 1:
		return false
	case item == nil && readyAsPending(s) == plan.Pending && readyAsPending(h.plan.Tasks[i].Status) == plan.Pending:
		return true // what is not there has not begun
	case item == nil:
		e.units = append(e.units, h.entry(i, s))
		return true
	case item.Kind == yaml.ScalarNode:
		return s == plan.Done
	default:
		return h.setEntry(e, item, unitWord(s))
	}
}

// duplicates counts the sections with the name of this one.
func (h *sectionsWriter) duplicates(i int) int {
	return len(h.byName[strings.ToLower(h.plan.Tasks[i].Title)])
}

// entry returns a new entry in the style of the existing ones.
func (h *sectionsWriter) entry(i int, s plan.Status) string {
	name := quoted(h.plan.Tasks[i].Title)
	if h.names {
		return name
	}
	return "section: " + name + "\nstatus: " + unitWord(s)
}

// setEntry writes the status of an entry, which may have none.
func (h *sectionsWriter) setEntry(e *edits, item *yaml.Node, word string) bool {
	for k := 0; k+1 < len(item.Content); k += 2 {
		if item.Content[k].Value == "status" {
			return h.overwrite(e, item.Content[k+1], h.offset(item.Content[k]), word)
		}
	}
	if item.Style&yaml.FlowStyle != 0 {
		at := h.offset(item)
		size := flowSize(h.text[at:h.closing()])
		e.insert(at+max(size-1, 0), ", status: "+word)
		return size > 0
	}
	at := h.offset(item)
	start := h.front.starts[item.Line]
	e.insert(h.lineEnd(at), h.front.end+strings.Repeat(" ", at-start)+"status: "+word)
	return true
}

// setDependents writes the missing entries.
func (h *sectionsWriter) setDependents(e *edits, _ statuses) {
	if len(e.units) > 0 {
		h.setList(e, "progress", nil, e.units)
	}
}

func (h *sectionsWriter) setPlan(e *edits, s plan.PlanStatus) bool {
	return h.setScalar(e, "status", string(s))
}

func (h *sectionsWriter) setTexts(e *edits, name string, t texts) bool {
	added := make([]string, len(t.added))
	for i, s := range t.added {
		added[i] = quoted(s)
	}
	return h.setList(e, name, t.gone, added)
}

func (h *sectionsWriter) reviewed(e *edits, c Change) bool {
	return !c.At.IsZero() && h.setScalar(e, "last_review", c.At.UTC().Format(time.RFC3339))
}
