package loop

import (
	"fmt"
	"slices"
	"strings"
)

// RefusalCodes are the concerns for which a loop can refuse work instead of leaving it to
// the person who accepts it: those that another attempt can be without. What the request,
// the machine or the base causes is none.
func RefusalCodes() []ConcernCode {
	return []ConcernCode{ConcernRepairs, ConcernJudges, ConcernSuspect, ConcernObeyed, ConcernCanary, ConcernSkipped, ConcernNames, ConcernNested}
}

// CheckRefuse returns why work cannot be refused for one of these concerns, or nil.
func CheckRefuse(codes []ConcernCode) error {
	for _, c := range codes {
		if !slices.Contains(RefusalCodes(), c) {
			return fmt.Errorf("refuse %q: it is one of %s", c, strings.Join(CodeNames(RefusalCodes()), ", "))
		}
	}
	return nil
}

// refusals are the concerns about an attempt, all else of which passed, for which the loop
// refuses work. They are told to the agent: of a hidden gate it hears nothing but its name.
func (s *State) refusals(a *Attempt) []Concern {
	if len(s.Refuse) == 0 || s.preliminary() {
		return nil
	}
	told := a.clone()
	for i, r := range told.Results {
		if r.Hidden && r.Weak != "" {
			told.Results[i].Weak = "it may be for work that does not do the task"
		}
		if r.Hidden {
			told.Results[i].CanaryWhy = ""
		}
	}
	return slices.DeleteFunc(s.concernsAbout(&told), func(c Concern) bool { return !slices.Contains(s.Refuse, c.Code) })
}

// refusal names the failure of an attempt that is refused for these concerns.
func refusal(of []Concern) (gate, reason, fingerprint string) {
	var codes, whats []string
	for _, c := range of {
		codes, whats = append(codes, string(c.Code)), append(whats, c.What)
	}
	codes = slices.Compact(codes)
	return codes[0], "the gates passed, and the work is refused: " + strings.Join(whats, "; "), short("refused " + strings.Join(codes, " "))
}

// RefusesFor reports whether a name is that of a concern for which work is refused. A gate of
// the same name comes first.
func (s *State) RefusesFor(name string) bool {
	_, isGate := s.Gate(name)
	return !isGate && slices.Contains(s.Refuse, ConcernCode(name))
}

// lastFailed is the newest attempt that failed by a gate or a refusal of this name, or nil.
func (s *State) lastFailed(name string) *Attempt {
	for i := range slices.Backward(s.Recent) {
		if a := &s.Recent[i]; a.Verdict == Failed && a.FailedGate == name {
			return a
		}
	}
	return nil
}
