package project

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/config"
	"ralph/internal/text"
	"ralph/internal/trust"
)

// Allowed reports whether the user allowed this content on this machine, or another one
// that runs and sends the same and is not stricter anywhere. What runs and sends nothing
// needs no permission as long as it is not weaker than ralph's own settings.
func (a *Opener) Allowed(p *Project, lines []trust.Line) bool {
	return NeedsNothing(lines) || a.TrustBook().Allowed(p.Place.CommonDir, trust.Digest(lines)) ||
		slices.ContainsFunc(a.TrustBook().Contents(p.Place.CommonDir), func(before []trust.Line) bool { return covers(before, lines) })
}

// NeedsNothing reports whether a content needs no permission.
func NeedsNothing(lines []trust.Line) bool { return covers(nil, lines) }

// covers reports whether what was allowed before permits what is there now.
func covers(before, now []trust.Line) bool {
	return slices.Equal(started(before), started(now)) && len(weakened(before, now)) == 0
}

// started are the lines of which every other value asks: they have no order.
func started(lines []trust.Line) []trust.Line {
	return slices.DeleteFunc(slices.Clone(lines), func(l trust.Line) bool { return ordered(l) })
}

// ordered reports whether a line has a value that is stricter or weaker than another.
func ordered(l trust.Line) bool {
	return l.Effect == string(config.Rules) || l.Effect == string(config.Opens)
}

// weakened returns what of now is weaker than before.
func weakened(before, now []trust.Line) []config.Weaker {
	return config.Weakened(asks(before), asks(now))
}

func asks(lines []trust.Line) []config.Ask {
	out := make([]config.Ask, len(lines))
	for i, l := range lines {
		out[i] = config.Ask{Effect: config.Effect(l.Effect), Key: l.Key, Value: l.Value}
	}
	return out
}

// changes is how a content differs from the one that was allowed last.
type changes struct {
	first       bool // nothing was allowed before
	added, gone []trust.Line
	weaker      []config.Weaker
}

func (a *Opener) changes(p *Project, lines []trust.Line) (c changes) {
	var before []trust.Line
	if all := a.TrustBook().Contents(p.Place.CommonDir); len(all) > 0 {
		before = all[0]
	}
	c.first, c.weaker = before == nil, weakened(before, lines)
	c.added, c.gone = trust.Changes(before, lines)
	c.added, c.gone = c.without(c.added), c.without(c.gone)
	return c
}

// without leaves out the lines whose change is told as a weaker value.
func (c changes) without(lines []trust.Line) []trust.Line {
	return slices.DeleteFunc(lines, func(l trust.Line) bool {
		return l.Effect != string(config.Runs) && slices.ContainsFunc(c.weaker, func(w config.Weaker) bool { return w.Key == l.Key })
	})
}

// notAllowed refuses a command that cannot ask, and names what is new, changed or weaker
// since something was allowed, or else what is gone.
func (a *Opener) notAllowed(p *Project, lines []trust.Line) error {
	c := a.changes(p, lines)
	added, gone := started(c.added), started(c.gone)
	var what []string
	switch {
	case len(added) > 0:
		what = append(what, "asks for what was not allowed on this machine: "+fewKeys(added))
	case len(gone) > 0:
		what = append(what, "was allowed on this machine in another form, and is not allowed in this one, without: "+fewKeys(gone))
	case len(c.weaker) == 0:
		what = append(what, "was allowed on this machine in another form, and is not allowed in this one")
	}
	if len(c.weaker) > 0 {
		keys := make([]string, len(c.weaker))
		for i, w := range c.weaker {
			keys[i] = text.Exact(w.Key)
		}
		than := "what was allowed"
		if c.first {
			than = "ralph's own settings"
		}
		what = append(what, "is weaker than "+than+": "+text.Few(keys, 3))
	}
	return exit.UsageError(allowing(), "%s %s", config.FileName, strings.Join(what, "; it "))
}

// fewKeys names up to three keys.
func fewKeys(lines []trust.Line) string {
	keys := make([]string, len(lines))
	for i, l := range lines {
		keys[i] = text.Exact(l.Key)
	}
	return text.Few(keys, 3)
}

// TrustQuestion shows what is asked for; where something was allowed before, what
// has changed since.
func (a *Opener) TrustQuestion(p *Project, lines []trust.Line) string {
	c := a.changes(p, lines)
	if c.first {
		return fmt.Sprintf("%s of %s asks for this. It was not allowed on this machine before:\n%s", config.FileName, text.Line(p.Title()), Lines(lines))
	}
	out := fmt.Sprintf("%s of %s has changed since it was allowed.\n", config.FileName, text.Line(p.Title()))
	if len(c.weaker) > 0 {
		out += "Weaker than allowed:\n"
	}
	for _, w := range c.weaker {
		out += fmt.Sprintf("  %s  %s, was %s\n", text.Exact(w.Key), given(w.Now), given(w.Before))
	}
	if len(c.added) > 0 {
		out += "New or changed:\n" + Lines(c.added)
	}
	if len(c.gone) > 0 {
		out += "No longer asked for:\n" + Lines(c.gone)
	}
	return out
}

// given is a value as ralph.yaml has it.
func given(value string) string { return cmp.Or(text.Exact(value), "not set") }
