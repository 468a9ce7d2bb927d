package view

import (
	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

// clashWords are the conflict that kept work from being accepted, and how a person
// resolves it.
func clashWords(c *loop.Clash, id, branch string) []string {
	return []string{clashLine(c), "resolve it yourself: " + next.MergeYourself(id, text.Line(branch))}
}

func clashLine(c *loop.Clash) string { return "accept met " + text.Line(c.String()) }
