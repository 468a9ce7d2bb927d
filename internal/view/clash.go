package view

import (
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

// clashWords are the conflict that kept work from being accepted, and how a person
// resolves it.
func clashWords(c *loop.Clash, id, branch string) []string {
	return []string{clashLine(c), next.MergeYourself(*c, id, text.Line(branch))}
}

// clashName is the name of these words among the facts of a run.
func clashName(c *loop.Clash) string {
	if c.Gate != "" {
		return "red gate"
	}
	return "conflict"
}

func clashLine(c *loop.Clash) string { return "accept met " + text.Line(c.String()) }

// afterMerge is when the run can be accepted, for a list that names the merge itself.
func afterMerge(c *loop.Clash) string {
	if c.Gate != "" {
		return "after its merge and a repair"
	}
	return "after its merge"
}
