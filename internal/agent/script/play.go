package script

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"ralph/internal/loop"
	"ralph/internal/proc"
)

// line is one event of the player's protocol.
type line struct {
	Type     string         `json:"ralph_script"`
	Text     string         `json:"text,omitempty"`
	Tool     string         `json:"tool,omitempty"`
	Path     string         `json:"path,omitempty"`
	Usage    *loop.Usage    `json:"usage,omitempty"`
	Question *loop.Question `json:"question,omitempty"`
	ResetAt  time.Time      `json:"reset_at,omitzero"`
	Provider loop.Health    `json:"provider,omitempty"`
	Rule     string         `json:"rule,omitempty"`
	Window   *loop.Window   `json:"window,omitempty"`
}

// Play is the child's side: it plays the present attempt of a scenario in the
// working directory and returns the exit code.
func Play(ctx context.Context, path string, out io.Writer) int {
	s, err := Read(path)
	if err != nil {
		fmt.Fprintln(out, err)
		return 1
	}
	n, _ := strconv.Atoi(os.Getenv("RALPH_ITERATION"))
	p := player{ctx: ctx, out: out}
	for i, step := range s.Attempt(n) {
		if step.interrupts() && heard(i) {
			continue
		}
		if code, ended := p.play(step); ended {
			return code
		}
	}
	return 0
}

// heard reports whether step i has interrupted this attempt before, and records
// that it does now. The record is beside the attempt's prompt.
func heard(i int) bool {
	prompt := os.Getenv("RALPH_PROMPT_FILE")
	if prompt == "" {
		return false
	}
	marks := filepath.Join(filepath.Dir(prompt), Marks)
	_ = os.MkdirAll(marks, 0o700) // an error shows in the next line
	mark, err := os.OpenFile(filepath.Join(marks, "step-"+strconv.Itoa(i)), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return os.IsExist(err)
	}
	return mark.Close() != nil
}

type player struct {
	ctx context.Context
	out io.Writer
}

func (p player) emit(l line) {
	data, _ := json.Marshal(l)
	_, _ = p.out.Write(append(data, '\n'))
}

// play performs one step; ended reports that the attempt is over.
func (p player) play(s Step) (code int, ended bool) {
	switch {
	case s.Say != "":
		p.emit(line{Type: "text", Text: s.Say})
	case s.Print != "":
		_, _ = io.WriteString(p.out, s.Print+"\n")
	case s.Flood > 0:
		p.flood(s.Flood)
	case s.Write != nil:
		return p.write(*s.Write, os.O_TRUNC)
	case s.Append != nil:
		return p.write(*s.Append, os.O_APPEND)
	case s.Delete != "":
		return p.fail(os.RemoveAll(s.Delete))
	case s.Sh != "":
		return p.sh(s.Sh)
	case s.Sleep > 0:
		time.Sleep(s.Sleep)
	case s.Result != "":
		p.emit(line{Type: "result", Text: s.Result})
	case s.Usage != nil:
		p.emit(line{Type: "usage", Usage: s.Usage.told(), Text: s.Usage.Model})
	case s.Deny != nil:
		p.emit(line{Type: "denied", Tool: s.Deny.Tool, Rule: s.Deny.Rule})
	case s.Window != nil:
		w := loop.Window{Name: s.Window.Name, Used: s.Window.Used}
		if s.Window.Reset > 0 {
			w.ResetsAt = time.Now().Add(s.Window.Reset)
		}
		p.emit(line{Type: "window", Window: &w})
	default:
		return p.end(s)
	}
	return 0, false
}

// told returns the usage that a step reports.
func (k Tokens) told() *loop.Usage {
	u := &loop.Usage{InputTokens: &k.Input, OutputTokens: &k.Output}
	if k.Cost != 0 {
		u.CostMicroUSD, u.CostSource = loop.MicroUSD(k.Cost), "reported"
	}
	return u
}

// end performs the steps that end an attempt.
func (p player) end(s Step) (code int, ended bool) {
	switch {
	case s.Ask != nil:
		p.emit(line{Type: "question", Question: new(s.Ask.question())})
	case s.Limit != nil:
		l := line{Type: "limit", Text: s.Limit.Text}
		if s.Limit.Reset > 0 {
			l.ResetAt = time.Now().Add(s.Limit.Reset)
		}
		p.emit(l)
		return 1, true
	case s.Transient != "":
		p.emit(line{Type: "transient", Text: s.Transient})
		return 1, true
	case s.Refuse != nil:
		l := line{Type: "refuse", Text: s.Refuse.Text, Provider: s.Refuse.As}
		if s.Refuse.Reset > 0 {
			l.ResetAt = time.Now().Add(s.Refuse.Reset)
		}
		p.emit(l)
		return 1, true
	case s.Permanent != "":
		p.emit(line{Type: "permanent", Text: s.Permanent})
		return 1, true
	case s.Exit != nil:
		return *s.Exit, true
	case s.Signal != 0:
		return p.fail(killSelf(s.Signal))
	case s.Hang:
		select {}
	}
	return 0, true
}

// killSelf ends the player like a crashing agent.
func killSelf(signal int) error {
	self, err := os.FindProcess(os.Getpid())
	if err != nil {
		return err
	}
	if err := self.Signal(syscall.Signal(signal)); err != nil {
		return err
	}
	select {}
}

func (p player) fail(err error) (int, bool) {
	if err != nil {
		fmt.Fprintln(p.out, err)
		return 1, true
	}
	return 0, false
}

func (p player) write(f File, mode int) (int, bool) {
	if err := os.MkdirAll(filepath.Dir(f.Path), 0o777); err != nil {
		return p.fail(err)
	}
	file, err := os.OpenFile(f.Path, os.O_WRONLY|os.O_CREATE|mode, 0o666)
	if err != nil {
		return p.fail(err)
	}
	if _, err := file.WriteString(f.Text); err != nil {
		return p.fail(err)
	}
	p.emit(line{Type: "file_change", Path: f.Path})
	return p.fail(file.Close())
}

func (p player) sh(command string) (int, bool) {
	out, err := proc.Run(p.ctx, proc.Command{Argv: []string{"sh", "-c", command}, Env: os.Environ()})
	_, _ = p.out.Write(append(out.Stdout, out.Stderr...))
	return p.fail(err)
}

func (p player) flood(n int64) {
	block := bytes.Repeat([]byte("flood of output that will never be read.\n"), 1024)
	for n > 0 {
		k, err := p.out.Write(block[:min(n, int64(len(block)))])
		if err != nil {
			return
		}
		n -= int64(k)
	}
}
