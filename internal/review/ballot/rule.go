package ballot

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/text"
)

// Rule is how many votes decide.
type Rule struct {
	// Unanimous requires the approval of all, Need that of so many; neither
	// requires more than half of all seats.
	Unanimous bool `json:"unanimous,omitempty"`
	Need      int  `json:"need,omitempty"`
	// Quorum is how many must answer, abstentions included; zero is more than
	// half of all seats.
	Quorum int `json:"quorum,omitempty"`

	// alone: any one answer decides, and a rejection beats every approval.
	alone bool
	seats int
}

// Validate refuses a rule that cannot be met.
func (r Rule) Validate(seats int) error {
	switch {
	case seats < 1:
		return errors.New("no reviewer votes")
	case r.Unanimous && r.Need > 0:
		return errors.New("a rule is unanimous or needs a number, not both")
	case r.Need < 0 || r.Need > seats:
		return fmt.Errorf("need is %d, there are %d votes", r.Need, seats)
	case r.Quorum < 0 || r.Quorum > seats:
		return fmt.Errorf("the quorum is %d, there are %d votes", r.Quorum, seats)
	}
	return nil
}

// of fits a rule to the votes at hand. Where substitutes voted for missing
// reviewers, all that answered must agree.
func (r Rule) of(kind Kind, votes []Vote) Rule {
	r.seats = len(votes)
	r.alone = kind.Alone()
	for _, v := range votes {
		r.alone = r.alone || v.Fallback
	}
	if r.Quorum <= 0 {
		r.Quorum = r.seats/2 + 1
	}
	if r.alone {
		r.Quorum = 1
	}
	return r
}

// needs is how many approvals decide.
func (r Rule) needs() int {
	switch {
	case r.Unanimous:
		return r.seats
	case r.Need > 0:
		return r.Need
	}
	return r.seats/2 + 1
}

// decide is the heart of it. A tie, silence and abstentions approve nothing.
func (r Rule) decide(o Outcome) Decision {
	switch {
	case !o.Quorum:
		return Undecided
	case r.alone:
		return r.one(o)
	case o.Approvals >= r.needs():
		return Approved
	case o.Rejections >= r.defeats():
		return Rejected
	}
	return Undecided
}

// defeats is how many rejections decide: more than half, or so many that the
// approvals a rule asks for cannot come any more. A tie decides nothing.
func (r Rule) defeats() int {
	if r.Unanimous || r.Need > 0 {
		return r.seats - r.needs() + 1
	}
	return r.seats/2 + 1
}

func (Rule) one(o Outcome) Decision {
	switch {
	case o.Rejections > 0:
		return Rejected
	case o.Approvals > 0:
		return Approved
	}
	return Undecided
}

func (r Rule) String() string {
	switch {
	case r.alone:
		return "one reviewer"
	case r.Unanimous:
		return fmt.Sprintf("unanimous, quorum %d of %d", r.Quorum, r.seats)
	case r.Need > 0:
		return fmt.Sprintf("need %d, quorum %d of %d", r.Need, r.Quorum, r.seats)
	}
	return fmt.Sprintf("majority, quorum %d of %d", r.Quorum, r.seats)
}

// reason is one line: the count, the text of the votes against, and what a
// decision lacks.
func (o Outcome) reason() string {
	var counts []string
	for _, c := range []struct {
		n    int
		word string
	}{{o.Approvals, "approve"}, {o.Rejections, "reject"}, {o.Abstentions, "abstain"}, {o.Missing, "without a verdict"}} {
		if c.n > 0 {
			counts = append(counts, fmt.Sprintf("%d %s", c.n, c.word))
		}
	}
	line := fmt.Sprintf("%s %s: %s", o.Kind, o.Decision, strings.Join(counts, ", "))
	var why []string
	for _, v := range o.Votes {
		if v.Reason != "" && (v.Vote == Reject || o.Decision == Undecided && v.Vote != Approve) {
			why = append(why, v.Who()+": "+v.Reason)
		}
	}
	if len(why) > 0 {
		line += " (" + strings.Join(why, "; ") + ")"
	}
	if lacks := o.lacks(); o.Decision != Undecided && lacks != "" {
		line += "; degraded: " + lacks
	}
	if o.Own && !slices.ContainsFunc(o.Votes, func(v Vote) bool { return v.Fallback }) {
		line += "; its author's own agent judged it"
	}
	return text.Head(line, 600)
}

// lacks returns why an outcome is degraded: the reviewers that did not vote, and
// whether substitutes did; empty where it is not.
func (o Outcome) lacks() string {
	var silent, parts []string
	seats, stoodIn := 0, ""
	for _, v := range o.Votes {
		switch {
		case v.Fallback:
			stoodIn = v.Who()
			continue
		case !v.Vote.Said():
			silent = append(silent, v.Who()+": "+string(v.Vote))
		}
		seats++
	}
	if len(silent) > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d without a vote (%s)", len(silent), seats, strings.Join(silent, ", ")))
	}
	if stoodIn != "" {
		parts = append(parts, "the author's own agent has stood in ("+stoodIn+")")
	}
	return strings.Join(parts, "; ")
}

// Who names the reviewer and its stance.
func (v Vote) Who() string {
	if v.Stance == "" {
		return v.Reviewer
	}
	return v.Reviewer + "/" + v.Stance
}
