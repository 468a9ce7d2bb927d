package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/scope"
	"ralph/internal/text"
)

// The names of the formats of artifacts.
const (
	ArtifactSchema  = "ralph.artifact/v1"
	ArtifactsSchema = "ralph.artifacts/v1"
)

// Artifact is a file that a loop offers to others, as JSON.
type Artifact struct {
	Schema string `json:"schema"`
	// N names it in the repository.
	N      int64   `json:"n"`
	LoopID string  `json:"loop_id"`
	Path   string  `json:"path"`
	SHA256 string  `json:"sha256"`
	Bytes  int64   `json:"bytes"`
	Note   *string `json:"note"`
	// At is when it was published.
	At time.Time `json:"published_at"`
	// TakenTo is where a copy was put now, and TakenBy the loop or the person
	// the loop that took it; null otherwise.
	TakenTo *string `json:"taken_to"`
	TakenBy *string `json:"taken_by"`
}

// ArtifactList is `loop artifacts --json`, newest first.
type ArtifactList struct {
	Schema    string     `json:"schema"`
	Artifacts []Artifact `json:"artifacts"`
}

// Artifacts is the list for people.
func Artifacts(all []Artifact, now time.Time, p Palette) string {
	if len(all) == 0 {
		return "No loop offers a file here.\n  Offer one   ralph loop publish PATH --note \"…\"\n"
	}
	var b strings.Builder
	for _, a := range all {
		what := text.Clip(a.Path, p.width()-26)
		fmt.Fprintf(&b, "%4d  %s%9s  %4s\n", a.N, text.Pad(what, p.width()-26), text.Size(a.Bytes), text.Age(a.At, now))
		fmt.Fprintf(&b, "      %s\n", text.Clip("loop "+a.LoopID+" · sha256 "+a.SHA256[:min(len(a.SHA256), 12)], p.width()-6))
		if a.Note != nil {
			for _, l := range text.Wrap(*a.Note, p.width()-6, 2) {
				fmt.Fprintf(&b, "      %s\n", l)
			}
		}
	}
	b.WriteString("\nTake one with " + next.TakeFile("N") + "\n")
	return p.Out(b.String())
}

// Overlap is another active loop that declares files as its own which this one
// declares too.
type Overlap struct {
	LoopID string       `json:"loop_id"`
	Globs  []scope.Pair `json:"globs"`
}

// OverlapsOf finds them among the loops of the same repository. Ended loops do
// not conflict.
func OverlapsOf(s loop.State, others []loop.State) []Overlap {
	var out []Overlap
	if len(s.Task.Scope) == 0 || s.Status.Terminal() {
		return nil
	}
	for _, o := range others {
		if o.ID == s.ID || o.Status.Terminal() {
			continue
		}
		if pairs := scope.Overlaps(s.Task.Scope, o.Task.Scope); len(pairs) > 0 {
			out = append(out, Overlap{o.ID, pairs})
		}
	}
	return out
}

// Words is an overlap in one line: internal/auth/** is also of loop b (**/*.go).
func (o Overlap) Words() string {
	var mine, theirs []string
	for _, p := range o.Globs {
		mine, theirs = once(mine, p.Mine), once(theirs, p.Theirs)
	}
	return "scope " + listed(mine, 3) + " overlaps with loop " + text.Line(o.LoopID) + " (" + listed(theirs, 3) + ")"
}

func once(all []string, s string) []string {
	if slices.Contains(all, s) {
		return all
	}
	return append(all, s)
}

// forced describes a loop that was started beside too many others.
func forced(s loop.State) string {
	if s.ForcedOver == 0 {
		return ""
	}
	words := "beside " + text.Plural(s.ForcedOver, "loop") + " with --force: "
	return words + loop.Coordination(s.ForcedOver+1)
}
