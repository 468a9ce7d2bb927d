package plan

import (
	"slices"
	"strings"

	"ralph/internal/loop"
)

// Upheld is a loop.Granted that can be compared: its lists have NUL between the entries.
type Upheld struct {
	MayChange string `json:"may_change,omitempty"`
	Refuse    string `json:"refuse,omitempty"`
	Proof     bool   `json:"proof,omitempty"`
}

// with adds what another loop was permitted.
func (u Upheld) with(g loop.Granted) Upheld {
	was := u.Granted()
	var codes []string
	for _, c := range slices.Concat(was.Refuse, g.Refuse) {
		codes = append(codes, string(c))
	}
	return Upheld{
		MayChange: strings.Join(union(was.MayChange, g.MayChange), between),
		Refuse:    strings.Join(union(nil, codes), between),
		Proof:     u.Proof || g.Proof,
	}
}

// Granted is the permission for the next loop of the task.
func (u Upheld) Granted() (g loop.Granted) {
	if u.MayChange != "" {
		g.MayChange = strings.Split(u.MayChange, between)
	}
	if u.Refuse != "" {
		for c := range strings.SplitSeq(u.Refuse, between) {
			g.Refuse = append(g.Refuse, loop.ConcernCode(c))
		}
	}
	g.Proof = u.Proof
	return g
}
