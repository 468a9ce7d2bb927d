package loop

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// RefusalCodes are the concerns for which a loop can refuse work instead of leaving it to
// the person who accepts it: those that another attempt can be without. What the request,
// the machine or the base causes is none.
func RefusalCodes() []ConcernCode {
	return []ConcernCode{ConcernRepairs, ConcernJudges, ConcernWeak, ConcernUndone, ConcernSilenced, ConcernTampers, ConcernSuspect, ConcernObeyed, ConcernCanary, ConcernSkipped, ConcernNames, ConcernNested}
}

// DefaultRefusals are those for which a loop refuses work unless it is told otherwise: what
// keeps the checks from saying anything about the task, which honest work rarely does and its
// agent can do without.
func DefaultRefusals() []ConcernCode {
	return []ConcernCode{ConcernWeak, ConcernUndone, ConcernSilenced, ConcernTampers}
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
func (s *State) refusals(a *Attempt) (out []Concern) {
	if len(s.Refuse) == 0 || s.preliminary() {
		return nil
	}
	told, all := a.clone(), s.concernsAbout(a)
	told.Results = slices.DeleteFunc(told.Results, func(r Result) bool { return r.Hidden })
	seen := s.concernsAbout(&told)
	for _, code := range s.Refuse {
		is := func(c Concern) bool { return c.Code == code }
		some := len(out)
		for _, c := range seen {
			if is(c) {
				out = append(out, c)
			}
		}
		if len(out) == some && slices.ContainsFunc(all, is) {
			out = append(out, Concern{code, "a hidden gate found it (" + strings.Join(hiddenGates(a.Results), ", ") + ")"})
		}
	}
	return out
}

func hiddenGates(results []Result) (names []string) {
	for _, r := range results {
		if r.Hidden {
			names = append(names, r.Gate)
		}
	}
	return names
}

// refuse closes an attempt that is refused for these concerns.
func (a *Attempt) refuse(of []Concern) {
	var codes, whats []string
	for _, c := range of {
		codes, whats = append(codes, string(c.Code)), append(whats, c.What)
	}
	codes = slices.Compact(codes)
	a.Refused, a.FailedGate = of, codes[0]
	a.Error = "the gates passed, but the work is refused (" + strings.Join(codes, ", ") + "): " + strings.Join(whats, ". Also: ")
	a.Fingerprint = short(strings.Map(func(r rune) rune { // a line that moved is no other failure
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, strings.Join(append(codes, whats...), "\n")))
}

// RefusesFor reports whether a name is that of a concern for which work is refused.
func (s Spec) RefusesFor(name string) bool {
	return slices.Contains(s.Refuse, ConcernCode(name))
}

// lastRefused is the newest attempt that was refused for a concern, and what was found; nil
// where none was.
func (s *State) lastRefused(code string) (a *Attempt, what string) {
	for i := range slices.Backward(s.Recent) {
		for _, c := range s.Recent[i].Refused {
			if string(c.Code) == code {
				return &s.Recent[i], c.What
			}
		}
	}
	return nil, ""
}
