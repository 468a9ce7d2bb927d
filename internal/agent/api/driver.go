package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"strings"
	"time"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// Driver asks a model.
type Driver struct{}

var _ agent.Driver = Driver{}

// Capabilities: tokens, and a limit where the provider reports when it ends.
func (Driver) Capabilities() agent.Capabilities {
	return agent.Capabilities{Usage: true, Limits: true}
}

// Run sends one request and waits for the whole answer.
func (Driver) Run(ctx context.Context, job agent.Job) (loop.Outcome, error) {
	prompt, err := os.ReadFile(job.Prompt)
	if err != nil {
		return loop.Outcome{}, fmt.Errorf("read the prompt: %w", err)
	}
	began := time.Now()
	c := newCall(job)
	inner, end := c.watched(ctx)
	v := c.ask(inner, string(prompt))
	end()
	if ctx.Err() != nil {
		return loop.Outcome{}, context.Cause(ctx)
	}
	if stopped, ok := errors.AsType[*stopError](context.Cause(inner)); ok {
		v = stopped.verdict
	}
	return c.outcome(v, time.Since(began))
}

// call is one request and its answer.
type call struct {
	job agent.Job
	on  dialect
	// said is the text of the answer, err the verdict of an error in the
	// stream.
	said    strings.Builder
	refusal string
	failed  *stream.Verdict
	reason  stop
	usage   loop.Usage
	model   string
	id      string
	heard   chan struct{}
}

func newCall(job agent.Job) *call {
	return &call{job: job, on: speaks(job.Agent), heard: make(chan struct{}, 1)}
}

// maxAnswer bounds an answer.
const maxAnswer = 8 << 20

// ask sends the request and reads the answer.
func (c *call) ask(ctx context.Context, prompt string) stream.Verdict {
	req, wrong := c.request(ctx, strings.ToValidUTF8(prompt, "�"))
	if wrong.End != "" {
		return wrong
	}
	client := client()
	defer client.CloseIdleConnections()
	resp, err := client.Do(req)
	if err != nil {
		return stream.Down("the provider cannot be reached: " + err.Error())
	}
	defer resp.Body.Close()
	c.sign()
	if resp.StatusCode != http.StatusOK {
		return c.refused(resp)
	}
	if kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type")); kind == "text/html" {
		return stream.Transient(fmt.Sprintf("%s answers with a web page, not as a model does (agents.%s.base_url)", req.URL.Host, c.job.Agent.Name))
	}
	lines := agent.NewLines(func(line []byte) { c.line(line) })
	_, err = io.Copy(io.MultiWriter(lines, writer(c.alive)), resp.Body)
	lines.Flush()
	return c.verdictOf(err)
}

// client follows no redirect: only the standard header of a key would be held
// back from the new address.
func client() *http.Client {
	t := http.DefaultTransport.(*http.Transport).Clone()
	return &http.Client{
		Transport:     t,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

func (c *call) request(ctx context.Context, prompt string) (*http.Request, stream.Verdict) {
	a := c.job.Agent
	if a.Model == "" {
		return nil, stream.Permanent(fmt.Sprintf("no model is configured (agents.%s.model)", a.Name))
	}
	if c.on == nil {
		return nil, stream.Permanent(fmt.Sprintf("unknown provider %q (agents.%s.provider)", a.Provider, a.Name))
	}
	key, wrong := c.key()
	if wrong.End != "" {
		return nil, wrong
	}
	body, err := json.Marshal(c.on.body(a, prompt))
	if err != nil {
		return nil, stream.Permanent(err.Error())
	}
	base := strings.TrimSuffix(orElse(a.BaseURL, c.on.base()), "/")
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, base+c.on.path(), bytes.NewReader(body))
	if err != nil {
		return nil, stream.Permanent(fmt.Sprintf("agents.%s.base_url: %v", a.Name, err))
	}
	req.Header.Set("Content-Type", "application/json")
	req.Header.Set("User-Agent", "ralph")
	c.on.header(req.Header, key)
	return req, stream.Verdict{}
}

// key is the provider's, from the environment. Without a configured name it is
// needed at the provider's own address only.
func (c *call) key() (string, stream.Verdict) {
	a := c.job.Agent
	key := strings.TrimSpace(agent.Variable(c.job.Env, orElse(a.KeyEnv, c.on.keyEnv())))
	if name := KeyName(a); key == "" && name != "" {
		return "", stream.Permanent(fmt.Sprintf("no key: the environment has no %s (agents.%s.key_env)", name, a.Name))
	}
	return key, stream.Verdict{}
}

// KeyName is the variable that must hold a key for an agent to be asked; empty
// where none need be there.
func KeyName(a loop.Agent) string {
	if on := speaks(a); a.KeyEnv == "" && a.BaseURL == "" && on != nil {
		return on.keyEnv()
	}
	return a.KeyEnv
}

func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

type writer func([]byte) (int, error)

func (w writer) Write(p []byte) (int, error) { return w(p) }

// began records the id of the answer, and its model.
func (c *call) began(id, model string) {
	if c.model != "" || model == "" {
		return
	}
	c.id, c.model = text.Head(id, 200), text.Head(model, 200)
	c.job.Emit(agent.Event{Kind: agent.Session, Text: c.id, Model: c.model})
}
