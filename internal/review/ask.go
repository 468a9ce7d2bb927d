package review

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"ralph/internal/agent"
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
	place, err := r.Desk.place(ctx, seat, vote.Tries)
	if err != nil {
		return false, err
	}
	defer place.leave(ctx)
	cell, err := r.Desk.sandbox(ctx, v.Agent)
	if err != nil {
		vote.Sandbox = loop.HeldNone
		vote.Take(ballot.Verdict{Verdict: ballot.Unavailable, Reason: err.Error()})
		return false, nil
	}
	defer cell.Release()
	vote.Sandbox = cell.By
	nonce := newNonce()
	page := r.page(v.Stance, nonce, wrong)
	if err := os.WriteFile(place.prompt(), []byte(r.Desk.Mask.Mask(page)), 0o600); err != nil {
		return false, fmt.Errorf("review: write the prompt: %w", err)
	}
	var said answer
	out, err := v.Driver.Run(ctx, r.job(v, place, cell, &said))
	if err != nil {
		return false, err
	}
	vote.Usage = vote.Usage.Add(out.Usage.Sound())
	if out.Costly() {
		vote.Costly++
		if u := out.Usage.Sound(); u.CostMicroUSD == nil && u.TotalTokens() == nil {
			vote.Silent++
		}
	}
	vote.PromptFile, vote.OutputFile, vote.OutputSHA256 = place.prompt(), out.OutputFile, out.OutputSHA256
	if out.Model != "" {
		vote.Model = out.Model
	}
	changed, err := place.changed(ctx)
	if err != nil {
		return false, err
	}
	if changed != "" {
		vote.Take(ballot.Verdict{Verdict: ballot.Tampered, Reason: "it changed files, which a reviewer must not: " + changed})
		return false, nil
	}
	out.Message = r.Desk.Mask.Mask(out.Message)
	return hear(vote, r.Kind, out, r.Desk.Mask.Mask(said.text(out)), nonce), nil
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
	return vote.Transient || out.End == loop.EndFailed
}

func line(end, message string) string {
	if message == "" {
		return end
	}
	return message
}

func (r Request) job(v Reviewer, p *place, c Sandboxed, said *answer) agent.Job {
	d := r.Desk
	a := v.Agent
	// Writes are refused where the driver can; git checks in any case.
	a.Permissions = loop.PermissionsRead
	return agent.Job{
		Agent: a, Tree: p.tree, Prompt: p.prompt(), RunDir: p.file("run"), RunID: p.run, Raw: p.file("answer.txt"), Mask: d.Mask,
		Env: append(slices.Clip(c.Env), "RALPH_PROMPT_FILE="+p.prompt()), Sandbox: c.Sandbox, Timeout: d.Timeout, Patience: agent.PatienceFor(a), Grace: d.Grace, Kill: d.Kill, Alive: d.Alive, Now: d.Now,
		OnEvent: func(e agent.Event) { e.Text = d.Mask.Mask(e.Text); said.hear(e); d.OnEvent(a.Name, e) },
	}
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

func (p *place) prompt() string          { return p.file("prompt.md") }
func (p *place) file(name string) string { return filepath.Join(p.dir, name) }

// maxAnswer bounds the part of a reviewer's output that is kept.
const maxAnswer = 256 << 10

// answer collects a reviewer's output.
type answer struct {
	final  string
	words  strings.Builder
	spoken bool
}

func (a *answer) hear(e agent.Event) {
	switch e.Kind {
	case agent.Text:
		a.spoken = true
		if a.words.Len() < maxAnswer {
			a.words.WriteString(e.Text + "\n")
		}
	case agent.Result:
		a.spoken = true
		a.final = e.Text
	}
}

// text returns all of it. A plain command has only its output.
func (a *answer) text(out loop.Outcome) string {
	if !a.spoken {
		return tail(out.OutputFile)
	}
	// The final text is truncated where it is long, and repeats the rest.
	return a.words.String() + "\n" + a.final
}

func tail(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > maxAnswer {
		_, _ = f.Seek(-maxAnswer, 2)
	}
	buf := make([]byte, maxAnswer)
	n := 0
	for n < len(buf) {
		m, err := f.Read(buf[n:])
		n += m
		if err != nil {
			break
		}
	}
	return string(buf[:n])
}
