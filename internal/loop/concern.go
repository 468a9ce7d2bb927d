package loop

import (
	"fmt"
	"slices"
	"strings"
)

// Concern is one thing about work that passed which a person should look at before
// it is accepted: every front end shows view.Item.Look or view.PlanItem.Look, and accept
// asks about it. Of work that a version before this list recorded, accept looks at one more
// thing itself: whether it changes ralph.yaml.
type Concern struct {
	Code ConcernCode `json:"code"`
	// What is one line for people.
	What string `json:"what"`
}

// ConcernCode names a concern; accept --allow takes it.
type ConcernCode string

// The concerns. Partial is about plans only.
const (
	ConcernPartial   ConcernCode = "partial"
	ConcernUnproved  ConcernCode = "unproved"
	ConcernReview    ConcernCode = "review"
	ConcernRepairs   ConcernCode = "repairs"
	ConcernUnchecked ConcernCode = "unchecked"
	ConcernJudges    ConcernCode = "judges"
	ConcernPermits   ConcernCode = "permits"
	ConcernSecrets   ConcernCode = "secrets"
	ConcernWeak      ConcernCode = "weak"
	ConcernUndone    ConcernCode = "undone"
	ConcernSilenced  ConcernCode = "silenced"
	ConcernTampers   ConcernCode = "tampers"
	ConcernSuspect   ConcernCode = "suspect"
	ConcernObeyed    ConcernCode = "obeyed"
	ConcernCanary    ConcernCode = "canary"
	ConcernSkipped   ConcernCode = "skipped"
	ConcernNames     ConcernCode = "names"
	ConcernEvidence  ConcernCode = "evidence"
	ConcernSoft      ConcernCode = "soft"
	ConcernRewritten ConcernCode = "rewritten"
	ConcernNested    ConcernCode = "nested"
	ConcernTree      ConcernCode = "tree"
	ConcernRoom      ConcernCode = "room"
	ConcernFlaky     ConcernCode = "flaky"
)

// concerns are all codes, in the order in which they are shown, with the words for a concern
// of several tasks.
var concerns = [...]struct {
	code  ConcernCode
	words string
}{
	{ConcernPartial, "the plan is not complete"},
	{ConcernUnproved, "no gate or test was seen to fail without the work"},
	{ConcernReview, "its only proof is a review, and that review is weak"},
	{ConcernRepairs, "its only proof is a repair of what another task had broken"},
	{ConcernUnchecked, "a check that the plan proposes did not run"},
	{ConcernJudges, "tests or other files that judge the work were changed"},
	{ConcernPermits, "it had permission to change every file that judges it"},
	{ConcernSecrets, "its commits add what looks like secrets"},
	{ConcernWeak, "its new tests do not show that it is right"},
	{ConcernUndone, "it does not do what its task says"},
	{ConcernSilenced, "it hides code from the tools that check it, or suppresses their warnings"},
	{ConcernTampers, "it interferes with the tests or gates that judge it"},
	{ConcernSuspect, "new code could make the gates pass although the task is not done"},
	{ConcernObeyed, "it changes files that control later sessions or other gates"},
	{ConcernCanary, "a gate was not seen to report failures"},
	{ConcernSkipped, "tests are skipped, and it is not known whether they ran on the base"},
	{ConcernNames, "it is not known exactly which tests ran on the base"},
	{ConcernEvidence, "its evidence is missing or was changed"},
	{ConcernSoft, "soft gates did not pass"},
	{ConcernRewritten, "its agent rewrote history"},
	{ConcernNested, "repositories inside the tree are not in the commit"},
	{ConcernTree, "gates ran in the agent's own tree"},
	{ConcernRoom, "gates ran in a copy of the tree, without a sandbox"},
	{ConcernFlaky, "flaky gates passed only because they are in quarantine"},
}

// Words describe the concern where it is about several tasks.
func (c ConcernCode) Words() string {
	for _, known := range concerns {
		if known.code == c {
			return known.words
		}
	}
	return string(c)
}

// ConcernCodes are all of them, in the order in which they are shown.
func ConcernCodes() []ConcernCode {
	codes := make([]ConcernCode, len(concerns))
	for i, known := range concerns {
		codes[i] = known.code
	}
	return codes
}

// CodeNames are codes as words.
func CodeNames(codes []ConcernCode) []string {
	names := make([]string, len(codes))
	for i, c := range codes {
		names[i] = string(c)
	}
	return names
}

// Concerns lists what a person should look at in work that passed; nothing for a
// loop that has not, and for one without work of its own. A loop that began before a
// proof could be asked is not called unproved. changed are files of its evidence that are
// missing or not as they were recorded.
func (s *State) Concerns(changed ...string) []Concern {
	a := s.Last()
	if s.Status != StatusPassed || s.Reason != Green || a == nil || s.Mode == AgentDriven && !a.Verifying {
		return nil
	}
	return s.concernsAbout(a, changed...)
}

// concernsAbout are the concerns about an attempt as if it had passed.
func (s *State) concernsAbout(a *Attempt, changed ...string) []Concern {
	var out []Concern
	add := func(code ConcernCode, what string) {
		if what != "" {
			out = append(out, Concern{code, what})
		}
	}
	if s.Proof != "" && s.ProofLabel() == Unproved {
		add(ConcernUnproved, because("unproved", s.unprovedWhy(a)))
	}
	if a.Proof != nil && a.Proof.Review != "" {
		weak := ResultOf(a.Results, a.Proof.Review)
		if weak != nil && weak.Weak != "" {
			add(ConcernReview, "its only proof is a review, and that review is weak: "+weak.Weak+" ("+weak.Gate+")")
		}
	}
	if p := a.Proof; p != nil && p.Repaired != "" && p.Review == "" {
		add(ConcernRepairs, fmt.Sprintf("its only proof is that gate %s passes again: the gate passed on %.7s, where the plan began, and an earlier task broke it", p.Gate, p.Repaired))
	}
	if in := s.Task.Plan; in != nil && len(in.Unchecked) > 0 {
		add(ConcernUnchecked, "checks that its plan proposes did not run, because they are not approved: "+strings.Join(in.Unchecked, ", "))
	}
	if files := judgesChanged(a.Results); files != "" {
		add(ConcernJudges, files+s.reviewedWords())
	}
	add(ConcernPermits, s.boundless())
	if len(a.Secrets) > 0 {
		add(ConcernSecrets, "the commits add what looks like a secret: "+strings.Join(a.Secrets, ", "))
	}
	for _, code := range []ConcernCode{ConcernWeak, ConcernUndone, ConcernSilenced, ConcernTampers, ConcernSuspect} {
		if found := a.found(code); len(found) > 0 {
			add(code, code.Words()+": "+strings.Join(found, "; "))
		}
		for _, r := range a.Results {
			if found := r.found(code); len(found) > 0 && r.Level != Soft {
				add(code, "gate "+r.Gate+" is green, but "+strings.Join(found, "; "))
			}
		}
		if p := a.Proof; code == ConcernWeak && p != nil && p.Weak != "" {
			add(code, "its new tests prove little: "+p.Weak)
		}
	}
	if len(a.Obeyed) > 0 {
		add(ConcernObeyed, "it changes files that control later sessions of agents and editors, the set-up of later loops, or gates of other work: "+strings.Join(a.Obeyed, ", "))
	}
	add(ConcernCanary, unknownCanary(a.Results))
	add(ConcernSkipped, about(a.Results, s.skipsUnseen, "tests are skipped, and it is not known whether they ran on the base: the gate failed there before its tests ran"))
	add(ConcernNames, about(a.Results, s.namesUnread, "the names of some tests cannot be read on the base, so ralph would not notice if one of them was replaced"))
	add(ConcernNames, about(a.Results, s.FewerTests, "fewer tests ran than on the base; their runner prints no names, so it is not known which are missing"))
	if len(changed) > 0 {
		add(ConcernEvidence, "evidence is missing or was changed after it was recorded: "+strings.Join(changed, ", "))
	}
	if soft := s.SoftFailures(); len(soft) > 0 {
		add(ConcernSoft, "soft gates did not pass: "+strings.Join(soft, ", "))
	}
	for _, past := range s.Recent {
		if past.Rewritten {
			add(ConcernRewritten, fmt.Sprintf("the agent rewrote history in attempt %d", past.N))
		}
	}
	if len(a.Nested) > 0 {
		add(ConcernNested, s.besides(a.Nested))
	}
	add(ConcernTree, about(a.Results, Result.inAgentTree, "gates ran in the agent's own tree, which may contain files that are in no commit"))
	add(ConcernRoom, about(a.Results, s.weakerRoom, "gates ran in a copy of the tree without a sandbox, where their processes can write whatever you can, also the files of the next gate"))
	add(ConcernFlaky, s.inQuarantine(a.Results))
	return out
}

// besides names folders that are repositories of their own, which no commit of ralph's holds,
// with where they are and what to do.
func (s *State) besides(nested []string) string {
	text := "these folders are git repositories of their own, so their files are not part of the work: " + strings.Join(nested, ", ") + "; copy what you need of them out of " + s.Worktree
	if s.InPlace {
		return text
	}
	return text + ", which is kept until ralph clean --drop " + s.ID
}

// skipsUnseen: the gate skips tests, and on the base it did not get to any: the ratchet
// cannot tell what they were there.
func (s *State) skipsUnseen(r Result) bool {
	base := ResultOf(s.BaseResults, r.Gate)
	return r.Level != Soft && r.Verdict == Passed && r.Tests != nil && r.Tests.Skipped > 0 && base != nil && failedByItself(*base) && base.Tests == nil
}

// namesUnread: the ratchet does not know the tests of the base.
func (s *State) namesUnread(r Result) bool {
	base := ResultOf(s.BaseResults, r.Gate)
	return r.Level != Soft && r.Verdict == Passed && base != nil && base.Tests != nil && base.Tests.NamesUnread
}

// FewerTests: fewer tests ran with the base's judges than ran on the base, where not all of
// them have names. A whole multiple, of the failures, too, can be one number of tests: where some
// failed, a script can run them all again.
func (s *State) FewerTests(r Result) bool {
	base, now := ResultOf(s.BaseResults, r.Gate), r.Tests
	if r.Judging != nil {
		now = r.Judging.Tests
	}
	if r.Level == Soft || r.Verdict != Passed || base == nil || base.Tests == nil || now == nil || base.Tests.NamesFile != "" && !base.Tests.NamesPartial {
		return false
	}
	if now.Run <= 0 || now.Run >= base.Tests.Run {
		return false
	}
	times := int(base.Tests.Run / now.Run)
	return base.Tests.Run%now.Run != 0 || base.Tests.Failed%times != 0
}

// unknownCanary names the gates that were not seen to report failures, with the reason of
// the first. A gate in the agent's own tree has a concern of its own.
func unknownCanary(results []Result) string {
	unknown := func(r Result) bool {
		return r.Canary == CanaryUnknown && r.Level != Soft && !r.inAgentTree()
	}
	i := slices.IndexFunc(results, unknown)
	if i < 0 {
		return ""
	}
	return about(results, unknown, because("a gate was not seen to report failures", results[i].CanaryWhy))
}

// about is what holds for some of the results, with the names of their gates; empty
// where there are none.
func about(results []Result, holds func(Result) bool, what string) string {
	var gates []string
	for _, r := range results {
		if holds(r) {
			gates = append(gates, r.Gate)
		}
	}
	if len(gates) == 0 {
		return ""
	}
	return what + " (" + strings.Join(gates, ", ") + ")"
}

func (r Result) inAgentTree() bool { return r.Where == "agent" || r.Room == RoomTree }

// weakerRoom reports whether a gate ran with less around it than on the base. What the
// machine cannot give at all is said when a run begins, and by doctor.
func (s *State) weakerRoom(r Result) bool {
	base := ResultOf(s.BaseResults, r.Gate)
	return r.unheldCopy() && base != nil && base.Room != "" && !base.unheldCopy()
}

// unheldCopy: a copy has no walls of its own, as layers do. In a sandbox it has
// those of the sandbox.
func (r Result) unheldCopy() bool { return r.Room == RoomCopy && r.Sandbox == HeldNone }

// inQuarantine names the flaky gates that passed only for their quarantine, with its end and owner.
func (s *State) inQuarantine(results []Result) string {
	var gates []string
	for _, r := range results {
		if r.Flaky == "" || r.Verdict != Passed {
			continue
		}
		name := r.Gate
		if i := slices.IndexFunc(s.Gates, func(g Gate) bool { return g.Name == r.Gate && g.Flaky.Owner != "" }); i >= 0 {
			f := s.Gates[i].Flaky
			name += " until " + f.QuarantineUntil + ", owner " + f.Owner
		}
		gates = append(gates, name)
	}
	if len(gates) == 0 {
		return ""
	}
	return "flaky gates passed only because they are in quarantine: " + strings.Join(gates, "; ")
}

func (s *State) unprovedWhy(a *Attempt) string {
	if a.Proof == nil {
		return ""
	}
	return a.Proof.Why
}
