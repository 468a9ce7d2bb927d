package ballot

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/text"
)

// Flaw is a kind of weakness of a plan. The set is closed.
type Flaw string

// The flaws that a critic looks for.
const (
	NoCriteria Flaw = "criteria"
	TooLarge   Flaw = "too_large"
	TooSmall   Flaw = "too_small"
	Overlap    Flaw = "overlap"
	Order      Flaw = "order"
	Unclear    Flaw = "unclear"
)

// Flaws returns all of them.
func Flaws() []Flaw { return []Flaw{NoCriteria, TooLarge, TooSmall, Overlap, Order, Unclear} }

// Criticism is one finding about a plan. Line is that of the file, from 1; 0 is
// the plan as a whole. Fix is what the critic would write instead, and may be
// empty.
type Criticism struct {
	Line int    `json:"line"`
	Flaw Flaw   `json:"flaw"`
	What string `json:"what"`
	Fix  string `json:"fix,omitempty"`
}

// Critique is a critic's answer about a plan.
type Critique struct {
	Summary  string      `json:"summary"`
	Findings []Criticism `json:"findings"`
}

// ParseCritique finds the critique with this nonce in an answer about a plan of so
// many lines. Its findings are sorted by line. Errors are written for the critic.
func ParseCritique(answer, nonce string, lines int) (Critique, error) {
	var found *Critique
	var wrong error
	for keys, err := range marked(answer, nonce) {
		var c Critique
		if err == nil {
			c, err = critique(keys, lines)
		}
		if err != nil {
			wrong = err
			continue
		}
		if found != nil && !slices.Equal(found.Findings, c.Findings) { // a repetition is none
			return Critique{}, errors.New("the answer holds two lists of findings that differ")
		}
		found = &c
	}
	if found == nil {
		return Critique{}, missing(answer, wrong)
	}
	return *found, nil
}

func critique(keys map[string]json.RawMessage, lines int) (c Critique, err error) {
	if c.Summary, err = stringField(keys, "summary", maxReason); err != nil {
		return c, err
	}
	raw, ok := keys["findings"]
	if !ok || json.Unmarshal(raw, &c.Findings) != nil || c.Findings == nil {
		return c, errors.New("findings must be a list of objects with line (a number), flaw, what and fix")
	}
	if len(c.Findings) > maxItems {
		return c, fmt.Errorf("there are %d findings: name the %d that matter most", len(c.Findings), maxItems)
	}
	for i := range c.Findings {
		f := &c.Findings[i]
		f.What, f.Fix = text.Head(text.Line(f.What), maxItemBytes), text.Head(text.Line(f.Fix), maxItemBytes)
		f.Flaw = Flaw(strings.ToLower(string(f.Flaw)))
		switch {
		case f.What == "":
			return c, errors.New("a finding needs what")
		case !slices.Contains(Flaws(), f.Flaw):
			return c, fmt.Errorf("flaw is %q: it must be one of %s", text.Head(string(f.Flaw), 40), flawNames())
		case f.Line < 0 || f.Line > lines:
			return c, fmt.Errorf("line is %d: the plan has lines 1 to %d; 0 is the plan as a whole", f.Line, lines)
		}
	}
	slices.SortStableFunc(c.Findings, func(a, b Criticism) int { return a.Line - b.Line })
	return c, nil
}

func flawNames() string {
	names := make([]string, len(Flaws()))
	for i, f := range Flaws() {
		names[i] = string(f)
	}
	return strings.Join(names, ", ")
}
