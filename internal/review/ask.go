package review

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"time"

	"ralph/internal/loop"
	"ralph/internal/review/ballot"
)

// maxTries limits the requests to one reviewer: it is asked once more after an
// answer without a verdict, or a temporary failure.
const maxTries = 2

// ask asks one reviewer; seat is the number of its slot.
func (r Request) ask(ctx context.Context, v Reviewer, seat int) (ballot.Vote, error) {
	vote := ballot.Vote{
		Reviewer: v.Agent.Name, Use: v.Agent.Use, Model: v.Agent.Model, Stance: string(v.Stance),
		Author: v.Agent.Name == r.Author,
	}
	if v.Driver == nil {
		vote.Take(ballot.Verdict{Verdict: ballot.Unavailable, Reason: fmt.Sprintf("no driver %q in this program", v.Agent.Use)})
		return vote, nil
	}
	if until, why := r.Desk.held(ctx, v.Agent); !until.IsZero() {
		vote.Take(ballot.Verdict{Verdict: ballot.Unavailable, Reason: "not asked: " + why})
		vote.ResetAt = until
		return vote, nil
	}
	began := r.Desk.now()
	wrong := ""
	for vote.Tries < maxTries {
		vote.Tries++
		again, err := r.try(ctx, v, seat, wrong, &vote)
		if err != nil {
			return vote, err
		}
		if !again || vote.Tries == maxTries {
			break
		}
		if wrong = vote.Reason; vote.Vote != ballot.Malformed {
			wrong = ""
		}
		if vote.Vote == ballot.Unavailable {
			if err := r.Desk.pause(ctx); err != nil {
				return vote, err
			}
		}
	}
	r.Subject.callByID(&vote)
	vote.Duration = r.Desk.now().Sub(began)
	return vote, nil
}

// try asks once and fills in the vote. It reports whether asking again makes
// sense.
func (r Request) try(ctx context.Context, v Reviewer, seat int, wrong string, vote *ballot.Vote) (again bool, err error) {
	nonce := newNonce()
	got, err := r.Desk.sit(ctx, v, seat, vote.Tries, r.page(v.Stance, nonce, wrong))
	if err != nil {
		return false, err
	}
	vote.Sandbox = got.by
	if got.refused != "" {
		vote.Take(ballot.Verdict{Verdict: ballot.Unavailable, Reason: got.refused})
		return false, nil
	}
	out := got.out
	vote.Usage = vote.Usage.Add(out.Usage.Sound())
	if out.Costly() {
		vote.Costly++
		if u := out.Usage.Sound(); u.CostMicroUSD == nil && u.TotalTokens() == nil {
			vote.Silent++
		}
	}
	vote.PromptFile, vote.OutputFile, vote.OutputSHA256 = got.prompt, out.OutputFile, out.OutputSHA256
	if out.Model != "" {
		vote.Model = out.Model
	}
	if got.changed != "" {
		vote.Take(ballot.Verdict{Verdict: ballot.Tampered, Reason: "it changed files, which a reviewer must not: " + got.changed})
		return false, nil
	}
	return hear(vote, r.Kind, out, got.text, nonce), nil
}

// hear derives a vote from a run's end and its text.
func hear(vote *ballot.Vote, kind ballot.Kind, out loop.Outcome, text, nonce string) (again bool) {
	vote.ResetAt, vote.Transient = out.ResetAt, out.End == loop.EndTransient || out.End == loop.EndInterrupted
	word := ballot.Unavailable
	switch out.End {
	case loop.EndDone:
		d, err := ballot.Parse(kind, text, nonce)
		if err == nil {
			vote.Take(d)
			return false
		}
		vote.Take(ballot.Verdict{Verdict: ballot.Malformed, Reason: err.Error()})
		return true
	case loop.EndTimeout:
		word = ballot.Late
	case loop.EndAsked:
		out.Message = "it asked a question instead of answering"
	}
	vote.Take(ballot.Verdict{Verdict: word, Reason: line(string(out.End), out.Message)})
	// A reviewer that is late once may only have been slow.
	return vote.Transient || out.End == loop.EndFailed || out.End == loop.EndTimeout
}

func line(end, message string) string {
	if message == "" {
		return end
	}
	return message
}

// newNonce returns a word that cannot be guessed.
func newNonce() string {
	b := make([]byte, 12)
	_, _ = rand.Read(b) // never fails, or ends the program
	return hex.EncodeToString(b)
}

func (d Desk) now() time.Time {
	if d.Now != nil {
		return d.Now()
	}
	return time.Now()
}

const defaultBackOff = 5 * time.Second

func (d Desk) pause(ctx context.Context) error {
	wait := d.BackOff
	if wait <= 0 {
		wait = defaultBackOff
	}
	t := time.NewTimer(wait)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}
