package ballot

import (
	"strings"

	"ralph/internal/text"
)

// mostAsked bounds the words of one reviewer in a question.
const mostAsked = 400

// Asks are the words of those who want a person to decide, where that is what the
// review came to: each once, before the names of all who said it. Without them a
// person would be asked, and not be told what.
func (o Outcome) Asks() []string {
	if o.Recommendation != NeedsHumanInput {
		return nil
	}
	var words []string
	who := map[string][]string{}
	for _, v := range o.Votes {
		if !v.Vote.Said() || v.Recommendation != NeedsHumanInput || v.Reason == "" {
			continue
		}
		said := text.Head(v.Reason, mostAsked)
		if who[said] == nil {
			words = append(words, said)
		}
		who[said] = append(who[said], v.Who())
	}
	out := make([]string, 0, len(words))
	for _, said := range words {
		out = append(out, said+" ("+strings.Join(who[said], ", ")+")")
	}
	return out
}
