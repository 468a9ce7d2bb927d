package suspect

import (
	"ralph/internal/loop"
	"ralph/internal/proof/judge"
	"ralph/internal/testing/prooftest"
)

// change returns the case of a gate with the base's files changed; "" removes one.
func change(gate string, base, changes prooftest.Tree) (judge.Case, prooftest.Store) {
	s := prooftest.Store{}
	return judge.Case{Gate: loop.Gate{Name: "g", Run: gate}, Base: s.Add(base), Work: s.Add(base.Changed(changes)), Content: s.Read}, s
}
