package view

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/learn"
	"ralph/internal/text"
)

// LearnSchema is the name of LearnedObject's format.
const LearnSchema = "ralph.learn/v1"

// LearnedObject is the output of the `ralph learn` commands with --json.
type LearnedObject struct {
	Schema   string        `json:"schema"`
	Patterns []learn.Known `json:"patterns"`
	// Files are the written files, by export only.
	Files []string `json:"files,omitempty"`
}

// LearnedOf is the object of patterns.
func LearnedOf(all []learn.Known, files ...string) LearnedObject {
	return LearnedObject{LearnSchema, append([]learn.Known{}, all...), files}
}

// NothingLearned is the text of an empty list.
const NothingLearned = `Nothing was learned yet: patterns are taken down when loops end.
  Write one down yourself   ralph learn add "…"
`

// Learned is `learn list` for people: helpful patterns come first.
func Learned(all []learn.Known, p Palette) string {
	if len(all) == 0 {
		return p.Out(NothingLearned)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", p.bold("   #  what           seen  used  helped"))
	open := 0
	for _, k := range all {
		fmt.Fprintf(&b, "%4d  %-13s  %4d  %4d  %6s  %s\n", k.Num, kindWords(k.Kind), k.Seen, k.Used, helpedOf(k), p.reviewed(k))
		for _, l := range text.Wrap(k.Summary, p.width()-6, 2) {
			fmt.Fprintf(&b, "      %s\n", l)
		}
		if why := withheldWork(k); why != "" {
			fmt.Fprintf(&b, "      %s\n", p.dim("not used: "+why))
		}
		if k.Review == learn.Unreviewed {
			open++
		}
	}
	b.WriteString("\nseen: loops that taught it; used: loops that were shown it\n")
	if open > 0 {
		b.WriteString(p.dim("ralph learn show N · promote N · drop N") + "\n")
	}
	return p.Out(b.String())
}

// helpedOf returns how often a pattern helped, of the uses with a known result.
func helpedOf(k learn.Known) string {
	if k.Decided == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d", k.Helped, k.Decided)
}

func (p Palette) reviewed(k learn.Known) string {
	switch {
	case k.Review == learn.Promoted:
		return p.good("✓ reviewed")
	case k.Review == learn.Dropped:
		return p.bad("✗ dropped")
	case k.Worn():
		return p.dim("did not help, shown no more")
	}
	return p.ask("? unreviewed")
}

// withheldWork returns why no loop sees a pattern, where its review and its use do
// not tell.
func withheldWork(k learn.Known) string {
	if k.Review == learn.Dropped || k.Worn() {
		return ""
	}
	return k.Withheld()
}

func kindWords(k learn.Kind) string { return text.Line(strings.ReplaceAll(string(k), "_", " ")) }

// Pattern is `learn show`: everything that is kept of one.
func Pattern(k learn.Known, p Palette) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s  %s\n", p.bold(fmt.Sprintf("%d %s", k.Num, kindWords(k.Kind))), p.reviewed(k))
	for _, l := range text.Wrap(k.Summary, p.width()-2, 3) {
		fmt.Fprintf(&b, "  %s\n", l)
	}
	fact := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&b, "  %-8s %s\n", name, text.Clip(value, p.width()-11))
		}
	}
	b.WriteString("\n")
	fact("not used", withheldWork(k))
	fact("seen", text.Plural(k.Seen, "loop"))
	if k.Used > 0 {
		fact("used", fmt.Sprintf("%s, helped %s", text.Plural(k.Used, "loop"), helpedOf(k)))
	}
	fact("failure", k.Fingerprint)
	fact("gate", k.Gate)
	fact("tests", strings.Join(k.Failing, ", "))
	fact("files", strings.Join(k.Files, ", "))
	fact("paths", strings.Join(k.Paths, ", "))
	fact("agent", k.Agent)
	for _, s := range k.Sources {
		fact("from", sourceWords(s))
	}
	passage(&b, "The failure", strings.Join(k.Error, "\n"))
	passage(&b, "The change", text.Visible(k.Diff))
	passage(&b, "Written down", k.Text)
	b.WriteString("\n")
	if k.Review != learn.Promoted {
		fmt.Fprintf(&b, "%s\n", p.dim(fmt.Sprintf("ralph learn promote %d", k.Num)))
	}
	if k.Review != learn.Dropped {
		fmt.Fprintf(&b, "%s\n", p.dim(fmt.Sprintf("ralph learn drop %d", k.Num)))
	}
	return p.Out(b.String())
}

func sourceWords(s learn.Source) string {
	day := s.At.UTC().Format("2006-01-02")
	switch {
	case s.Loop == "":
		return s.By + ", " + day
	case s.By != "":
		return s.By + " in loop " + s.Loop + ", " + day
	}
	return fmt.Sprintf("%s, attempt %d, %s", s.Loop, s.Attempt, day)
}

func passage(b *strings.Builder, title, body string) {
	if body = strings.TrimRight(text.Clean(body), "\n"); body != "" {
		fmt.Fprintf(b, "\n%s\n    %s\n", title, strings.ReplaceAll(body, "\n", "\n    "))
	}
}

// Proposal is something that these loops taught and no person has looked at.
type Proposal struct {
	Num     int64      `json:"num"`
	Kind    learn.Kind `json:"kind"`
	Summary string     `json:"summary"`
	Seen    int        `json:"seen"`
}

// Propose adds what the loops of the report taught, for a person to review: the
// patterns that came up most often first. Left out is what a person would not keep: that
// gates passed, and a failure that one loop only had.
func (r *Summary) Propose(all []learn.Known) {
	in := map[string]bool{}
	for _, l := range r.Loops {
		in[l.LoopID] = true
	}
	taught := slices.DeleteFunc(slices.Clone(all), func(k learn.Known) bool {
		return k.Review != learn.Unreviewed || k.Worn() || !worthKeeping(k) || !slices.ContainsFunc(k.Sources, func(s learn.Source) bool { return in[s.Loop] })
	})
	slices.SortStableFunc(taught, func(a, b learn.Known) int {
		return cmp.Or(cmp.Compare(b.Seen, a.Seen), cmp.Compare(a.Num, b.Num))
	})
	for _, k := range taught {
		r.Learned = append(r.Learned, Proposal{k.Num, k.Kind, k.Summary, k.Seen})
	}
}

// worthKeeping reports whether a person would perhaps keep a pattern: a note that an agent
// or a user wrote, or a failure that came up in more loops than one.
func worthKeeping(k learn.Known) bool {
	return k.Kind == learn.Note || k.Kind != learn.Success && k.Seen > 1
}
