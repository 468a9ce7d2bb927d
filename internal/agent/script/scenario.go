package script

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"go.yaml.in/yaml/v4"

	"ralph/internal/loop"
)

// Scenario lists what to do on each attempt.
type Scenario struct {
	Attempts [][]Step `yaml:"attempts"`
}

// Step is one thing the player does; exactly one field is set.
type Step struct {
	Say    string        `yaml:"say,omitempty"`
	Print  string        `yaml:"print,omitempty"`
	Flood  int64         `yaml:"flood,omitempty"` // bytes of output
	Write  *File         `yaml:"write,omitempty"`
	Append *File         `yaml:"append,omitempty"`
	Delete string        `yaml:"delete,omitempty"`
	Sh     string        `yaml:"sh,omitempty"`
	Sleep  time.Duration `yaml:"sleep,omitempty"`
	Result string        `yaml:"result,omitempty"`
	Usage  *Tokens       `yaml:"usage,omitempty"`

	Ask       *Ask    `yaml:"ask,omitempty"`
	Limit     *Limit  `yaml:"limit,omitempty"`
	Transient string  `yaml:"transient,omitempty"`
	Permanent string  `yaml:"permanent,omitempty"`
	Refuse    *Refuse `yaml:"refuse,omitempty"`
	Deny      *Denied `yaml:"deny,omitempty"`
	Window    *Window `yaml:"window,omitempty"`

	Exit *int `yaml:"exit,omitempty"`
	// Signal kills the player itself with that number.
	Signal int `yaml:"signal,omitempty"`
	// Hang never returns.
	Hang bool `yaml:"hang,omitempty"`
}

// interrupts: an attempt that this step ends is run again, with the same number.
func (s Step) interrupts() bool {
	return s.Ask != nil || s.Limit != nil || s.Transient != "" || s.Refuse != nil
}

type (
	// File to write, relative to the tree.
	File struct {
		Path string `yaml:"path"`
		Text string `yaml:"text"`
	}
	// Tokens used so far in this attempt.
	Tokens struct {
		Input  int64 `yaml:"input"`
		Output int64 `yaml:"output"`
		// Cost in dollars; 0 reports none. Model, where the scenario names one.
		Cost  float64 `yaml:"cost,omitempty"`
		Model string  `yaml:"model,omitempty"`
	}
	// Ask puts a question to a person and ends the attempt.
	Ask struct {
		Text    string   `yaml:"text"`
		Options []string `yaml:"options,omitempty"`
		Default string   `yaml:"default,omitempty"`
		// Within is how long it waits for an answer before it takes the default.
		Within time.Duration `yaml:"within,omitempty"`
	}
	// Limit reports that the usage limit is spent, for how long.
	Limit struct {
		Reset time.Duration `yaml:"reset,omitempty"`
		Text  string        `yaml:"text,omitempty"`
	}
	// Refuse reports that the provider does not serve: throttled, down or no_login. It
	// says to come back after Reset, if that is set.
	Refuse struct {
		As    loop.Health   `yaml:"as"`
		Reset time.Duration `yaml:"reset,omitempty"`
		Text  string        `yaml:"text,omitempty"`
	}
	// Window reports how much of a window of the usage limit is used, in per cent, and
	// that it begins anew after Reset.
	Window struct {
		Name  string        `yaml:"name"`
		Used  float64       `yaml:"used"`
		Reset time.Duration `yaml:"reset,omitempty"`
	}
	// Denied names a tool that was refused.
	Denied struct {
		Tool string `yaml:"tool"`
		Rule string `yaml:"rule,omitempty"`
	}
)

// Read reads a scenario; unknown keys are errors.
func Read(path string) (Scenario, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return Scenario{}, fmt.Errorf("read scenario: %w", err)
	}
	var s Scenario
	dec := yaml.NewDecoder(bytes.NewReader(data))
	dec.KnownFields(true)
	if err := dec.Decode(&s); err != nil && !errors.Is(err, io.EOF) {
		return Scenario{}, fmt.Errorf("read scenario %s: %w", path, err)
	}
	if len(s.Attempts) == 0 {
		return Scenario{}, fmt.Errorf("read scenario %s: it lists no attempts", path)
	}
	for _, step := range slices.Concat(s.Attempts...) {
		if r := step.Refuse; r != nil && !slices.Contains([]loop.Health{loop.Throttled, loop.Down, loop.NoLogin}, r.As) {
			return Scenario{}, fmt.Errorf("read scenario %s: refuse as %q: it is %s, %s or %s", path, r.As, loop.Throttled, loop.Down, loop.NoLogin)
		}
		if step.Ask == nil {
			continue
		}
		if err := step.Ask.question().CheckDeadline(); err != nil {
			return Scenario{}, fmt.Errorf("read scenario %s: the question %q: %w", path, step.Ask.Text, err)
		}
	}
	return s, nil
}

func (a Ask) question() loop.Question {
	return loop.Question{Text: a.Text, Options: a.Options, Default: a.Default, Within: a.Within}
}

// Attempt returns the steps of attempt n, counted from 1.
func (s Scenario) Attempt(n int) []Step {
	return s.Attempts[min(max(n, 1), len(s.Attempts))-1]
}
