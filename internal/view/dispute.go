package view

import (
	"cmp"
	"fmt"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// Disputes counts what agents said against gates: a measure of the gates' quality.
type Disputes struct {
	Raised    int `json:"raised"`
	Upheld    int `json:"upheld"`
	Dismissed int `json:"dismissed"`
	Open      int `json:"open"`
}

func (n *Disputes) add(all []loop.Dispute) {
	n.Raised += len(all)
	for _, d := range all {
		switch d.Ruling {
		case loop.Upheld:
			n.Upheld++
		case loop.Dismissed:
			n.Dismissed++
		default:
			n.Open++
		}
	}
}

// Line is the counts in one line; "" where no gate was disputed.
func (n Disputes) Line() string {
	if n.Raised == 0 {
		return ""
	}
	return fmt.Sprintf("Disputed gates: %d (%d upheld, %d dismissed, %d open)", n.Raised, n.Upheld, n.Dismissed, n.Open)
}

// disputeWords is one dispute and its ruling, in one line.
func disputeWords(d loop.Dispute) string {
	out := "the agent disputed gate " + text.Line(d.Gate) + ": " + text.Clip(text.Line(d.Why), 200)
	switch d.Ruling {
	case loop.Upheld:
		return out + " → upheld by " + text.Line(cmp.Or(d.By, "a person")) + "; may change " + listed(d.MayChange, 5)
	case loop.Dismissed:
		return out + " → dismissed by " + text.Line(cmp.Or(d.By, "a person"))
	}
	return out + " → open"
}
