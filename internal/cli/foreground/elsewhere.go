package foreground

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/cli/project"
	"ralph/internal/proc"
)

// ResumeInBackground starts a process that continues a loop, and returns when
// it does. The process survives this one. What it refuses comes back as it would
// have been said, with its exit code.
func (a *Runner) ResumeInBackground(ctx context.Context, p *project.Project, id string, more ...string) error {
	args := []string{"-C", p.Root(), "--json", "--no-input"}
	if a.Config != "" {
		args = append(args, "--config", a.ExplicitConfig())
	}
	args = append(append(args, "resume", id, "-d"), more...)
	parted, words, err := a.speechless(ctx, proc.Background{Args: args, Dir: "/", Env: a.Env})
	if err != nil || parted.Detached || a.TeamAddress != nil && parted.Code == 0 { // a worker continues it
		return err
	}
	return refusal(parted.Code, words)
}

// speechless starts a background that has no streams of ours, and answers what
// it printed before it was released.
func (a *Runner) speechless(ctx context.Context, b proc.Background) (proc.HandoffResult, []byte, error) {
	from, to, err := os.Pipe()
	if err != nil {
		return proc.HandoffResult{}, nil, err
	}
	defer from.Close()
	said := make(chan []byte, 1)
	go func() {
		words, _ := io.ReadAll(io.LimitReader(from, 1<<20))
		_, _ = io.Copy(io.Discard, from)
		said <- words
	}()
	b.Err, b.OwnSession = to, true
	parted, err := b.Start(ctx)
	_ = to.Close()
	return parted, <-said, err
}

// refusal is what another ralph answered: its ralph.error/v1, or its last words.
func refusal(code int, words []byte) error {
	var e struct{ Message, Hint string }
	lines := bytes.Split(bytes.TrimSpace(words), []byte("\n"))
	last := lines[len(lines)-1]
	switch {
	case json.Unmarshal(last, &e) == nil && e.Message != "":
	case code < 0:
		e.Message = "the process that should continue it was killed"
	default:
		e.Message = strings.TrimSpace(fmt.Sprintf("the process that should continue it ended with exit code %d: %s", code, last))
		e.Message = strings.TrimSuffix(e.Message, ":")
	}
	if code <= 0 {
		code = exit.Internal
	}
	return &exit.Error{Code: code, Err: errors.New(e.Message), Hint: e.Hint}
}
