package notify

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"

	"github.com/gen2brain/beeep"

	"ralph/internal/notice"
	"ralph/internal/proc"
	"ralph/internal/text"
)

// desktop shows a notice on the desktop. The library asks the session's bus, and starts
// the system's own helper where there is none.
type desktop struct{}

var named sync.Once

func (desktop) Buttons() bool { return false }

func (desktop) Send(ctx context.Context, n notice.Notice) error {
	named.Do(func() { beeep.AppName = "ralph" })
	return bounded(ctx, func() error { return beeep.Notify(noOption(n.Title), noOption(n.Text()), "") })
}

// noOption keeps the program that shows a message from taking it for an option.
func noOption(s string) string {
	if strings.HasPrefix(s, "-") {
		return " " + s
	}
	return s
}

// bounded runs what cannot be interrupted; at the end of ctx it is left behind.
func bounded(ctx context.Context, f func() error) error {
	done := make(chan error, 1)
	go func() { done <- f() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("no answer: %w", context.Cause(ctx))
	}
}

// terminal rings the bell, or sends the sequence that terminals show as a notification:
// OSC 9 (iTerm2, Windows Terminal, kitty, WezTerm) or OSC 777 (urxvt, foot, Ghostty).
type terminal struct {
	kind string
	to   io.Writer
	tmux bool
}

func (terminal) Buttons() bool { return false }

func (t terminal) Send(_ context.Context, n notice.Notice) error {
	if t.to == nil {
		return ErrNoTerminal
	}
	sequence := "\a"
	switch title := strings.ReplaceAll(n.Title, ";", ","); t.kind {
	case "osc9":
		sequence = "\x1b]9;" + title + "\a"
	case "osc777":
		sequence = "\x1b]777;notify;ralph;" + title + "\a"
	}
	if t.tmux && t.kind != "bell" { // tmux passes on what it does not know only so
		sequence = "\x1bPtmux;" + strings.ReplaceAll(sequence, "\x1b", "\x1b\x1b") + "\x1b\\"
	}
	_, err := io.WriteString(t.to, sequence)
	return err
}

// program runs a command of the user's.
type program struct {
	line, dir string
	env       []string
}

func newProgram(line string, o Options) (Target, error) {
	if strings.TrimSpace(line) == "" {
		return nil, errors.New("the command is missing; write exec:COMMAND")
	}
	return program{line, o.Dir, o.Env}, nil
}

func (program) Buttons() bool { return true }

func (p program) Send(ctx context.Context, n notice.Notice) error {
	body, err := json.Marshal(n)
	if err != nil {
		return err
	}
	out, err := proc.Run(ctx, proc.Command{
		Argv: []string{"sh", "-c", p.line}, Dir: p.dir, Env: p.env, Stdin: bytes.NewReader(append(body, '\n')), MaxOutput: mostReply,
	})
	switch {
	case err != nil:
		return err
	case out.Signal != "":
		return fmt.Errorf("ended by signal %s", out.Signal)
	case out.Code != 0:
		return fmt.Errorf("exit code %d: %s", out.Code, text.Headline(string(out.Stderr), mostQuoted))
	}
	return nil
}
