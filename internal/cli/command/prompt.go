package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"ralph/internal/cli/exit"
)

// All input of the user is read here. A prompt ends with its context and then
// takes nothing: neither a line that is half typed nor what is typed later.

// Confirm asks a yes-or-no question; an empty line means no. Without a terminal it
// returns an error that names --yes.
func (t *Terminal) Confirm(ctx context.Context, question string) (bool, error) {
	if t.Yes {
		return true, nil
	}
	if !t.Asks() {
		return false, exit.UsageError("add --yes", "confirmation required; re-run with --yes: %s", question)
	}
	return t.YesOrNo(ctx, question+" [y/N] ", false)
}

// YesOrNo asks until the user types yes or no; an empty line means empty. The end
// of input means no.
func (t *Terminal) YesOrNo(ctx context.Context, question string, empty bool) (bool, error) {
	for {
		answer, err := t.Ask(ctx, question)
		if errors.Is(err, io.EOF) {
			return false, nil
		}
		if err != nil {
			return false, err
		}
		switch strings.ToLower(answer) {
		case "":
			return empty, nil
		case "y", "yes":
			return true, nil
		case "n", "no":
			return false, nil
		}
		fmt.Fprintln(t.Err, "  yes or no?")
	}
}

// Ask prints a question and reads one line.
func (t *Terminal) Ask(ctx context.Context, question string) (string, error) {
	words := strings.TrimRight(question, " ")
	fmt.Fprint(t.Err, t.folded(words)+question[len(words):])
	line, err := typed(ctx, t.In)
	if ctx.Err() != nil {
		forgetTyped(t.In)
		return "", context.Cause(ctx)
	}
	return strings.TrimSpace(line), err
}

// AskNow is ask for what was not to be foreseen: what was typed before it was
// shown was meant for something else.
func (t *Terminal) AskNow(ctx context.Context, question string) (string, error) {
	forgetTyped(t.In)
	return t.Ask(ctx, question)
}

// typed reads a line without taking more from the stream, until the context ends.
// If reading cannot be interrupted, the reader is abandoned and its input
// dropped.
func typed(ctx context.Context, r io.Reader) (string, error) {
	if f, ok := r.(*os.File); ok && waits(f) {
		return readLine(patient{ctx, f})
	}
	type read struct {
		line string
		err  error
	}
	lines := make(chan read, 1)
	go func() {
		line, err := readLine(r)
		lines <- read{line, err}
	}()
	select {
	case r := <-lines:
		return r.line, r.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

// patient reads from a terminal when there is something, and no longer than its
// context lasts.
type patient struct {
	ctx context.Context
	f   *os.File
}

func (p patient) Read(b []byte) (int, error) {
	for p.ctx.Err() == nil {
		if ready, err := readable(p.f); err != nil {
			return 0, err
		} else if ready {
			return p.f.Read(b)
		}
	}
	return 0, context.Cause(p.ctx)
}

// readLine reads up to a line's end without taking more from the stream. The end
// of input ends a line as well; a terminal that is gone does not.
func readLine(r io.Reader) (string, error) {
	var line []byte
	one := make([]byte, 1)
	for len(line) < 64<<10 {
		n, err := r.Read(one)
		if n == 1 {
			if one[0] == '\n' {
				return string(line), nil
			}
			line = append(line, one[0])
		}
		if errors.Is(err, io.EOF) && len(line) > 0 {
			return string(line), nil
		}
		if err != nil {
			return "", err
		}
	}
	return string(line), nil
}
