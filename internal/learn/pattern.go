package learn

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
)

// Kind of a pattern.
type Kind string

// The kinds.
const (
	ErrorFix Kind = "error_fix"
	Success  Kind = "success"
	Anti     Kind = "anti_pattern"
	Note     Kind = "note"
)

// kinds lists all of them.
func kinds() []Kind { return []Kind{ErrorFix, Success, Anti, Note} }

// Pattern is one thing learned. All of its text is foreign, cleaned and bounded.
type Pattern struct {
	Kind Kind `json:"kind"`
	// Summary is one line for people.
	Summary string `json:"summary"`
	// Fingerprint of the failure it is about, of Gate; empty is none.
	Fingerprint string    `json:"fingerprint,omitempty"`
	Gate        string    `json:"gate,omitempty"`
	GateKind    loop.Kind `json:"gate_kind,omitempty"`
	// Error holds the first lines of the failure, verbatim; Failing the ids of
	// tests.
	Error   []string `json:"error,omitempty"`
	Failing []string `json:"failing,omitempty"`

	// Files were changed; Paths are globs given by the author.
	Files []string `json:"files,omitempty"`
	Paths []string `json:"paths,omitempty"`
	// Languages are the extensions of source files, as in ".go"; Words are those
	// of the task.
	Languages []string `json:"languages,omitempty"`
	Words     []string `json:"words,omitempty"`

	// Diff is an excerpt of the change, Text what was written down by hand.
	Diff string `json:"diff,omitempty"`
	Text string `json:"text,omitempty"`

	// Agent and Gates are those of a success, Attempts how many it took.
	Agent    string   `json:"agent,omitempty"`
	Gates    []string `json:"gates,omitempty"`
	Attempts Attempts `json:"attempts,omitzero"`
	// Fell: the anti-pattern is a change under which a value fell; else the
	// approach failed Times times alike.
	Fell  bool `json:"fell,omitempty"`
	Times int  `json:"times,omitempty"`

	// Sources are where it was seen, at most mostSources: the loop whose work the
	// pattern shows first; accepted loops before others, then the newest.
	Sources []Source `json:"sources,omitempty"`
}

// Attempts that the loops of a success took.
type Attempts struct {
	Fewest int `json:"fewest"`
	Most   int `json:"most"`
	Sum    int `json:"sum"`
}

// Source is the attempt of a loop that showed a pattern. Without a loop it was
// written by By.
type Source struct {
	Loop    string    `json:"loop_id,omitempty"`
	Attempt int       `json:"attempt,omitempty"`
	By      string    `json:"by,omitempty"`
	At      time.Time `json:"at"`
	// Outcome of the loop, as far as it was known when the pattern was stored.
	Outcome Outcome `json:"outcome,omitempty"`
}

// Review is a person's verdict on a pattern.
type Review string

// A dropped pattern is shown to no loop again, also when it is seen again.
const (
	Unreviewed Review = "unreviewed"
	Promoted   Review = "promoted"
	Dropped    Review = "dropped"
)

// Known is a stored pattern with its counts.
type Known struct {
	// Num names it for people and programs.
	Num int64 `json:"num"`
	Pattern
	Review Review `json:"review"`
	// Seen counts the loops that taught it, Used those that were shown it.
	// Helped of Decided ended so that it can be said to have helped; the others
	// are still running or ended for another reason.
	Seen    int       `json:"seen"`
	Used    int       `json:"used"`
	Decided int       `json:"decided"`
	Helped  int       `json:"helped"`
	Updated time.Time `json:"updated_at"`
}

// A pattern that was shown often and helped too seldom is not shown again,
// unless a person promoted it (the pruning of seed 001's first implementation:
// below one half after three uses).
const (
	enoughUses = 3
	leastRate  = 0.5
)

// Worn reports whether the pattern has proved to be useless.
func (k Known) Worn() bool {
	return k.Review != Promoted && k.Decided >= enoughUses && float64(k.Helped) < leastRate*float64(k.Decided)
}

// rate is how often the pattern helped; one that is unused yet is between
// good and bad.
func (k Known) rate() float64 { return float64(k.Helped+1) / float64(k.Decided+2) }

// Key identifies equal patterns: an error with the same fix, a success in the
// same place, the same approach that failed alike, the same words.
func (p Pattern) Key() string {
	var parts []string
	switch p.Kind {
	case ErrorFix:
		parts = append([]string{p.Fingerprint, p.Gate}, p.Files...)
	case Success:
		parts = append([]string{p.Agent, strings.Join(p.Gates, ",")}, p.Files...)
	case Anti:
		parts = append([]string{p.Fingerprint, p.Gate, fell(p.Fell)}, p.Files...)
	}
	parts = append(parts, p.Paths...)
	if p.Text != "" {
		parts = append(parts, p.Fingerprint, p.Text)
	}
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return string(p.Kind) + ":" + hex.EncodeToString(sum[:8])
}

func fell(yes bool) string {
	if yes {
		return "fell"
	}
	return "alike"
}

// Merge is the pattern after it was seen again, with all sources. Its content is
// that of the better outcome: what was not accepted never changes what accepted
// work taught, and the text that a person may have promoted stays. Of two equal
// ones it is the newer.
func Merge(old, again Pattern) Pattern {
	was, now := old.outcome().standing(), again.outcome().standing()
	p := again
	switch {
	case was > now, was == now && again.outcome() == OutcomeDriven:
		p = old
	case was == now:
		p.Times = max(old.Times, again.Times)
		p.Words = union(again.Words, old.Words, mostWords)
		p.Diff = cmp.Or(again.Diff, old.Diff)
	}
	p.Attempts = old.attemptsWith(again)
	p.Sources = mergeSources(old.Sources, again.Sources)
	return p
}

// attemptsWith counts each loop once.
func (p Pattern) attemptsWith(again Pattern) Attempts {
	switch {
	case p.Attempts == (Attempts{}):
		return again.Attempts
	case again.Attempts == (Attempts{}), len(again.Sources) > 0 && p.TaughtBy(again.Sources[0].Loop):
		return p.Attempts
	}
	return Attempts{
		Fewest: min(p.Attempts.Fewest, again.Attempts.Fewest), Most: max(p.Attempts.Most, again.Attempts.Most),
		Sum: p.Attempts.Sum + again.Attempts.Sum,
	}
}

// union keeps the order of a, then of b.
func union(a, b []string, most int) []string {
	out := slices.Clone(a)
	for _, s := range b {
		if len(out) < most && !slices.Contains(out, s) {
			out = append(out, s)
		}
	}
	return out
}
