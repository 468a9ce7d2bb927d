package api

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"strings"
	"time"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// stop is why a model stopped.
type stop string

// The reasons, over all providers. Any other is unexpected.
const (
	whole   stop = "whole"
	cut     stop = "cut"
	refused stop = "refused"
)

// verdictOf returns the verdict on a stream that has ended: by itself, or with an error.
func (c *call) verdictOf(err error) stream.Verdict {
	switch {
	case c.failed != nil:
		return *c.failed
	case c.said.Len() > maxAnswer:
		return stream.Failed(fmt.Sprintf("the answer is longer than %d MB", maxAnswer>>20))
	case c.reason == "" && err != nil:
		return stream.Down("the answer was cut off: " + err.Error())
	case c.reason == "":
		return stream.Down("the answer ended without a reason to stop: it was cut off")
	case c.reason == refused:
		return stream.Failed(words("the model refused", c.refusal))
	case c.reason == cut:
		return stream.Failed(fmt.Sprintf("the answer was truncated at its limit of tokens (agents.%s.max_tokens)", c.job.Agent.Name))
	case c.reason != whole:
		return stream.Failed(fmt.Sprintf("the model stopped for the reason %q", string(c.reason)))
	case strings.TrimSpace(c.said.String()) == "":
		return stream.Failed("the answer is empty")
	}
	return stream.Done()
}

// struck returns text without the key: a server may echo it, and these
// messages stand in files.
func (c *call) struck(text string) string {
	key, _ := c.key()
	if len(key) < 8 {
		return text
	}
	return strings.ReplaceAll(text, key, "(key)")
}

// outcome keeps the answer and returns the result of the run.
func (c *call) outcome(v stream.Verdict, took time.Duration) (loop.Outcome, error) {
	out := loop.Outcome{
		End: v.End, Message: text.Head(c.struck(v.Message), 1<<10), Provider: v.Provider, ResetAt: v.ResetAt, Model: c.model, Session: c.id,
		Usage: c.usage, Duration: took, OutputFile: c.job.Raw,
	}
	if c.reason != "" {
		out.Usage.Turns, out.Usage.ToolCalls = new(int64(1)), new(int64(0))
	}
	answer := c.job.Mask.Mask(c.struck(c.said.String()))
	if err := os.WriteFile(c.job.Raw, []byte(answer), 0o600); err != nil {
		return out, fmt.Errorf("keep the answer: %w", err)
	}
	sum := sha256.Sum256([]byte(answer))
	out.OutputSHA256, out.OutputBytes = hex.EncodeToString(sum[:]), int64(len(answer))
	c.tell(&out, answer)
	return out, nil
}

func (c *call) tell(out *loop.Outcome, answer string) {
	if strings.TrimSpace(answer) != "" {
		c.job.Emit(agent.Event{Kind: agent.Text, Text: answer})
	}
	if out.Usage.InputTokens != nil || out.Usage.OutputTokens != nil {
		used := out.Usage
		c.job.Emit(agent.Event{Kind: agent.UsageSeen, Usage: &used})
	}
	switch out.End {
	case loop.EndDone:
		// All of it is in the event and in the file: state keeps less.
		out.Words = text.Head(answer, 8<<10)
		c.job.Emit(agent.Event{Kind: agent.Result, Text: answer})
	case loop.EndLimit:
		c.job.Emit(agent.Event{Kind: agent.Limited, Text: out.Message, ResetAt: out.ResetAt})
	case loop.EndTransient:
		c.job.Emit(agent.Event{Kind: agent.Trouble, Text: out.Message})
	}
}

func words(ours, theirs string) string {
	if theirs = strings.TrimSpace(theirs); theirs == "" {
		return ours
	}
	return ours + ": " + text.Head(theirs, 300)
}
