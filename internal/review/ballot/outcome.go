package ballot

import (
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// Decision of a review.
type Decision string

// The decisions. Undecided does not approve: too few answered, or no side has
// the votes that the rule requires.
const (
	Approved  Decision = "approved"
	Rejected  Decision = "rejected"
	Undecided Decision = "undecided"
)

// OutcomeSchema is the format of a review's record.
const OutcomeSchema = "ralph.review/v1"

// Outcome is the result of a review, with every vote.
type Outcome struct {
	Schema   string   `json:"schema"`
	Kind     Kind     `json:"kind"`
	Decision Decision `json:"decision"`
	// Reason is one line for people and for the next attempt.
	Reason string `json:"reason"`
	Rule   string `json:"rule"`
	Votes  []Vote `json:"votes"`
	// Approvals, Rejections and Abstentions were said; Missing votes were not.
	Approvals   int `json:"approvals"`
	Rejections  int `json:"rejections"`
	Abstentions int `json:"abstentions"`
	Missing     int `json:"missing"`
	// Findings of all reviewers, each once. Resolved are ids of known gaps that
	// more than half of the answers call resolved.
	Gaps      []string `json:"gaps"`
	EdgeCases []string `json:"edge_cases"`
	Extra     []string `json:"extra"`
	Resolved  []string `json:"resolved"`

	Recommendation Advice `json:"recommendation"`
	// Quorum: as many answered as the rule requires. Without, a person decides.
	Quorum bool `json:"quorum"`
	// Own: only the author's own agent approved. Unshown are files whose changes
	// the reviewers were not shown in full.
	Own     bool     `json:"own,omitempty"`
	Unshown []string `json:"unshown,omitempty"`
	// Degraded: fewer or other reviewers than requested decided.
	Degraded bool       `json:"degraded"`
	Usage    loop.Usage `json:"usage"`
}

// Passed reports whether the work was approved.
func (o Outcome) Passed() bool { return o.Decision == Approved }

// Weak says why an approval counts for less than it seems to; empty where it does not.
func (o Outcome) Weak() string {
	switch {
	case !o.Passed():
		return ""
	case o.Own:
		return "only its author's own agent approved it"
	case len(o.Unshown) > 0:
		return "its reviewers were not shown the changes of " + text.Few(o.Unshown, 3)
	}
	return ""
}

// Allows returns the answer about one judge file: every reviewer that voted must allow
// it. ok is false where none has answered.
func (o Outcome) Allows(path string) (f File, by string, ok bool) {
	for _, v := range o.Votes {
		if v.Vote != Approve && v.Vote != Reject {
			continue
		}
		i := slices.IndexFunc(v.Files, func(f File) bool { return f.Path == path })
		if i < 0 {
			return File{Path: path, Reason: "no answer about this file"}, v.Who(), true
		}
		if f, by, ok = v.Files[i], v.Who(), true; !f.Allow {
			return f, by, true
		}
	}
	return f, by, ok
}

// Held returns the weakest sandbox of any reviewer, empty if it was not
// recorded, or no process of theirs ran.
func (o Outcome) Held() loop.Holder {
	least := loop.Holder("")
	for _, v := range o.Votes {
		switch {
		case v.Sandbox == "":
		case least == "", v.Sandbox == loop.HeldNone, v.Sandbox == loop.HeldLandlock && least == loop.HeldBubblewrap:
			least = v.Sandbox
		}
	}
	return least
}

// Count makes an outcome of votes. Spec and quality are decided by the one
// reviewer who answered, magi and councils by the rule.
func Count(kind Kind, rule Rule, votes []Vote) Outcome {
	o := Outcome{
		Schema: OutcomeSchema, Kind: kind, Votes: votes,
		Gaps: []string{}, EdgeCases: []string{}, Extra: []string{}, Resolved: []string{},
	}
	for _, v := range votes {
		o.add(v)
	}
	rule = rule.of(kind, votes)
	o.Rule, o.Quorum = rule.String(), rule.seats > 0 && o.said() >= rule.Quorum
	o.Decision = rule.decide(o)
	o.Own = o.Passed() && !slices.ContainsFunc(votes, func(v Vote) bool { return v.Vote == Approve && !v.Author && !v.Fallback })
	o.Resolved = o.resolved()
	o.Recommendation = o.advice()
	o.Reason = o.reason()
	return o
}

func (o *Outcome) add(v Vote) {
	switch v.Vote {
	case Approve:
		o.Approvals++
	case Reject:
		o.Rejections++
	case Abstain:
		o.Abstentions++
	default:
		o.Missing++
	}
	o.Usage = o.Usage.Add(v.Usage)
	o.Degraded = o.Degraded || v.Fallback || !v.Vote.Said()
	if v.Vote.Said() {
		o.Gaps, o.EdgeCases, o.Extra = merge(o.Gaps, v.Gaps), merge(o.EdgeCases, v.EdgeCases), merge(o.Extra, v.Extra)
	}
}

// Later reports when it makes sense to ask reviewers without a verdict again:
// until is the first reset of their usage limits, zero if none is known; soon
// means that a provider which failed may recover.
func (o Outcome) Later(now time.Time) (until time.Time, soon bool) {
	for _, v := range o.Votes {
		if v.ResetAt.After(now) && (until.IsZero() || v.ResetAt.Before(until)) {
			until = v.ResetAt
		}
		soon = soon || v.Transient
	}
	return until, soon
}

// Silent reports whether no reviewer answered.
func (o Outcome) Silent() bool { return o.said() == 0 }

// said counts the reviewers that answered.
func (o Outcome) said() int { return o.Approvals + o.Rejections + o.Abstentions }

// maxFindings bounds each list of an outcome.
const maxFindings = 100

// merge adds new findings. Two findings are one when they differ in case,
// spaces and the dot at their end only.
func merge(have, more []string) []string {
	for _, m := range more {
		same := func(h string) bool { return folded(h) == folded(m) }
		if len(have) < maxFindings && !slices.ContainsFunc(have, same) {
			have = append(have, m)
		}
	}
	return have
}

func folded(s string) string {
	return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(s), " ")), ".")
}

// resolved returns the known gaps that more than half of the answers call
// so.
func (o Outcome) resolved() []string {
	count := map[string]int{}
	for _, v := range o.Votes {
		if v.Vote.Said() {
			for _, id := range merge(nil, v.Resolved) {
				count[id]++
			}
		}
	}
	out := []string{}
	for id, n := range count {
		if 2*n > o.said() {
			out = append(out, id)
		}
	}
	slices.Sort(out)
	return out
}

// advice of an outcome. A plan is archived only when the work was approved, all
// reviewers with an answer advise it, and nothing is left: seed 003 checks gaps
// in one place and edge cases in another, and leaves "fail, archive" open. A
// person is asked when more than half advise it, or nothing was decided.
func (o Outcome) advice() Advice {
	said := map[Advice]int{}
	for _, v := range o.Votes {
		if v.Vote.Said() {
			said[v.Recommendation]++
		}
	}
	switch {
	case o.Decision == Undecided, 2*said[NeedsHumanInput] > o.said():
		return NeedsHumanInput
	case o.Passed() && said[Archive] == o.said() && len(o.Gaps)+len(o.EdgeCases) == 0:
		return Archive
	}
	return Continue
}

// mostAsked bounds the text of one reviewer in a question.
const mostAsked = 400

// Asks returns the questions for a person, if the review asks for one: each
// once, with the names of the reviewers that asked it. Without them the person
// would not know the question.
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
