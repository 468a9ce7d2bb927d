package schema

import (
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"

	"ralph/internal/loop"
)

// coded describes the types whose values are codes. Readers are shown the known
// ones as examples, since more may come.
func coded(t reflect.Type, strict bool) *jsonschema.Schema {
	all := codes(t)
	if all == nil {
		return nil
	}
	s := &jsonschema.Schema{Type: "string"}
	if strict {
		s.Enum = all
	} else {
		s.Examples = all
	}
	return s
}

// codes are all values of a type; nil for one that has no closed set. A status
// may also be crashed, which is found by looking and never stored.
func codes(t reflect.Type) []any {
	switch t {
	case reflect.TypeFor[loop.Status]():
		return []any{loop.Pending, loop.Running, loop.Waiting, loop.Paused, loop.StatusPassed, loop.StatusFailed, loop.Aborted, "crashed"}
	case reflect.TypeFor[loop.Reason]():
		return reasons()
	case reflect.TypeFor[loop.Step]():
		return []any{loop.StepSetup, loop.StepBase, loop.StepAgent, loop.StepCommit, loop.StepGates, loop.StepProof, loop.StepVerify, loop.StepKeep, loop.StepTidy, loop.StepDone}
	case reflect.TypeFor[loop.Mode]():
		return []any{loop.Supervised, loop.AgentDriven}
	case reflect.TypeFor[loop.Kind]():
		return []any{loop.KindCommand, loop.KindTests, loop.KindCoverage, loop.KindLint, loop.KindTypes, loop.KindMutation, loop.KindVisual, loop.KindReview, loop.KindHuman, loop.KindAnswer}
	case reflect.TypeFor[loop.Level]():
		return []any{loop.Hard, loop.Soft}
	case reflect.TypeFor[loop.Verdict]():
		return []any{loop.Passed, loop.Failed, loop.Error, loop.Skipped}
	case reflect.TypeFor[loop.End]():
		return []any{loop.EndDone, loop.EndFailed, loop.EndTimeout, loop.EndLimit, loop.EndTransient, loop.EndPermanent, loop.EndAsked, loop.EndInterrupted}
	}
	return nil
}

func reasons() []any {
	var out []any
	seen := map[loop.Reason]bool{}
	for _, status := range []loop.Status{loop.StatusPassed, loop.StatusFailed, loop.Aborted, loop.Waiting} {
		for _, r := range loop.Reasons()[status] {
			if !seen[r] {
				seen[r] = true
				out = append(out, r)
			}
		}
	}
	return out
}
