package review

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// heard is one run of an agent at a desk. Its texts hold no secrets.
type heard struct {
	out  loop.Outcome
	text string
	// changed describes what it did to its tree; empty is nothing.
	changed string
	// refused is why it was not asked: a required sandbox cannot be had.
	refused string
	by      loop.Holder
	prompt  string
}

// sit lets an agent answer a page, in a fresh context and a tree of its own.
func (d Desk) sit(ctx context.Context, v Reviewer, seat, try int, page string) (heard, error) {
	place, err := d.place(ctx, seat, try)
	if err != nil {
		return heard{}, err
	}
	defer place.leave(ctx)
	cell, err := d.sandbox(ctx, v.Agent)
	if err != nil {
		return heard{by: loop.HeldNone, refused: err.Error()}, nil
	}
	defer cell.Release()
	got := heard{by: cell.By, prompt: place.prompt()}
	if err := os.WriteFile(place.prompt(), []byte(d.Mask.Mask(page)), 0o600); err != nil {
		return got, fmt.Errorf("review: write the prompt: %w", err)
	}
	var said answer
	if got.out, err = v.Driver.Run(ctx, d.job(v, place, cell, &said)); err != nil {
		return got, err
	}
	if d.Ended != nil {
		d.Ended(ctx, v.Agent, got.out)
	}
	if got.changed, err = place.changed(ctx); err != nil {
		return got, err
	}
	got.out.Message, got.text = d.Mask.Mask(got.out.Message), d.Mask.Mask(said.text(got.out))
	return got, nil
}

func (d Desk) job(v Reviewer, p *place, c Sandboxed, said *answer) agent.Job {
	a := v.Agent
	// Writes are refused where the driver can; git checks in any case.
	a.Permissions = loop.PermissionsRead
	return agent.Job{
		Agent: a, Tree: p.tree, Prompt: p.prompt(), RunDir: p.file("run"), RunID: p.run, Raw: p.file("answer.txt"), Mask: d.Mask,
		Env: append(slices.Clip(c.Env), "RALPH_PROMPT_FILE="+p.prompt()), Sandbox: c.Sandbox, Timeout: d.Timeout, Patience: agent.PatienceFor(a), Grace: d.Grace, Kill: d.Kill, Alive: d.Alive, Now: d.Now,
		OnEvent: func(e agent.Event) {
			e.Text = d.Mask.Mask(e.Text)
			said.hear(e)
			if d.OnEvent != nil {
				d.OnEvent(a.Name, e)
			}
		},
	}
}

func (p *place) prompt() string          { return p.file("prompt.md") }
func (p *place) file(name string) string { return filepath.Join(p.dir, name) }

// maxAnswer bounds the part of a reviewer's output that is kept: its beginning and its end,
// so that two verdicts with much between them are seen to differ.
const maxAnswer = 512 << 10

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
		return headAndTail(out.OutputFile)
	}
	// The final text is truncated where it is long, and repeats the rest.
	return a.words.String() + "\n" + a.final
}

// headAndTail reads an output, without the middle of a long one.
func headAndTail(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil || info.Size() <= maxAnswer {
		whole, _ := io.ReadAll(io.LimitReader(f, maxAnswer))
		return string(whole)
	}
	head, _ := io.ReadAll(io.NewSectionReader(f, 0, maxAnswer/2))
	tail, _ := io.ReadAll(io.NewSectionReader(f, info.Size()-maxAnswer/2, maxAnswer/2))
	return string(head) + "\n" + string(tail)
}
