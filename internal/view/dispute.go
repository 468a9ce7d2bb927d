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
	// Refused are those that were one too many for their loop: no person was asked.
	Refused int `json:"refused"`
	Open    int `json:"open"`
}

func (n *Disputes) add(all []loop.Dispute) {
	n.Raised += len(all)
	for _, d := range all {
		switch d.Ruling {
		case loop.Upheld:
			n.Upheld++
		case loop.Dismissed:
			n.Dismissed++
		case loop.Unheard:
			n.Refused++
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
	refused := ""
	if n.Refused > 0 {
		refused = fmt.Sprintf(", %d refused: one too many", n.Refused)
	}
	return fmt.Sprintf("Disputes: %d (%d upheld, %d dismissed, %d open%s)", n.Raised, n.Upheld, n.Dismissed, n.Open, refused)
}

// disputesWords are disputes in the order in which they were raised, the same words once.
func disputesWords(all []loop.Dispute) []string {
	times := map[string]int{}
	var order []string
	for _, d := range all {
		words := disputeWords(d)
		if times[words] == 0 {
			order = append(order, words)
		}
		times[words]++
	}
	for n, words := range order {
		if times[words] > 1 {
			order[n] += fmt.Sprintf(" (%d times)", times[words])
		}
	}
	return order
}

// disputeWords is one dispute and its ruling, in one line.
func disputeWords(d loop.Dispute) string {
	out := "the agent disputed " + text.Line(d.About()) + ": " + text.Clip(text.Line(d.Why), 200)
	switch d.Ruling {
	case loop.Upheld:
		out += " → upheld by " + text.Line(cmp.Or(d.By, "a person"))
		switch {
		case d.OfRefusal:
			return out + "; such work is not refused any more"
		case d.OfProof:
			return out + "; no test has to fail without the work"
		}
		return out + "; may change " + listed(d.MayChange, 5)
	case loop.Dismissed:
		return out + " → dismissed by " + text.Line(cmp.Or(d.By, "a person"))
	case loop.Unheard:
		return out + fmt.Sprintf(" → refused: at most %d disputes a loop", loop.MaxDisputes)
	}
	return out + " → open"
}
