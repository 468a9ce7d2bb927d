package view

import (
	"fmt"
	"strings"
	"time"

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
	// who took it; null otherwise.
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
	b.WriteString("\nTake one with ralph loop take N\n")
	return p.Out(b.String())
}
