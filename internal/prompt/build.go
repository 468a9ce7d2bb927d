package prompt

import (
	_ "embed" // the template is a file, so that people can read it as one
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"text/template"

	"ralph/internal/lazyregexp"
	"ralph/internal/learn"
	"ralph/internal/loop"
	"ralph/internal/prompt/fence"
)

//go:embed implementer.md.tmpl
var implementer string

// A block of foreign text may have mostBlock bytes; where the page does not
// fit, all blocks are halved until they have leastBlock.
const (
	mostBlock  = 16 << 10
	leastBlock = 256
)

// Page is the agent's prompt.
type Page struct {
	Text string
	// Learned are the numbers of the patterns that stand on it: a template of a
	// project's own may leave them out.
	Learned []int64
}

// Build writes the page. An error names the template and its line, or how
// much larger than allowed the page is.
func Build(in Input) (Page, error) {
	if in.MaxBytes <= 0 {
		in.MaxBytes = MaxBytes
	}
	in.State = in.State.ForAgents()
	if err := in.chooseNonce(); err != nil {
		return Page{}, err
	}
	t, err := parse(in.Template)
	if err != nil {
		return Page{}, fmt.Errorf("build prompt: %w", err)
	}
	var text string
	for block := mostBlock; block >= leastBlock; block /= 2 {
		text, err = render(t, data(in, block), 4*in.MaxBytes+1<<20)
		if err != nil {
			return Page{}, fmt.Errorf("build prompt: %w", err)
		}
		if len(text) <= in.MaxBytes {
			return page(in, block, text), nil
		}
	}
	return Page{}, fmt.Errorf("build prompt: %d bytes with everything cut, at most %d are allowed", len(text), in.MaxBytes)
}

// page finds out what was learned in the text: the section carries the nonce,
// which no other text can contain.
func page(in Input, block int, text string) Page {
	section, shown := learned(in, block)
	if section == "" || !strings.Contains(text, section) {
		return Page{Text: text}
	}
	return Page{text, shown}
}

func parse(override string) (*template.Template, error) {
	name, text := "implementer.md.tmpl", implementer
	if override != "" {
		name, text = "override", override
	}
	return template.New(name).Option("missingkey=error").Parse(text)
}

func render(t *template.Template, d Data, most int) (string, error) {
	w := &bounded{left: most}
	if err := t.Execute(w, d); err != nil {
		return "", err
	}
	return strings.TrimSpace(w.String()) + "\n", nil
}

// bounded stops a template that would never end.
type bounded struct {
	strings.Builder
	left int
}

var errEndless = errors.New("the template writes far more than a prompt may have")

func (w *bounded) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, errEndless
	}
	return w.Builder.Write(p)
}

var noncePattern = lazyregexp.New(`^[0-9A-Za-z-]{4,64}$`)

// chooseNonce takes a digest of the input where none was given: a text cannot
// contain its own digest, so no block can write its own end.
func (in *Input) chooseNonce() error {
	if in.Nonce == "" {
		raw, err := json.Marshal(in)
		if err != nil {
			return fmt.Errorf("build prompt: %w", err)
		}
		in.Nonce = fence.Nonce(raw)
	}
	if !noncePattern.MatchString(in.Nonce) {
		return fmt.Errorf("build prompt: nonce %q: use 4 to 64 letters, digits or -", in.Nonce)
	}
	return nil
}

// MaxBytes is the size of a prompt where the input names none.
const MaxBytes = 64 << 10

// Input is the material of the page. State is the loop before the attempt;
// the caller collects the rest.
type Input struct {
	State    loop.State
	Attempt  int
	Approach loop.Approach
	// Context are the files and symbols that the last failure lacked, read
	// already (seed 004's tier 2).
	Context []File
	// Diffs show what failed attempts changed, for the approach to forbid.
	Diffs []Diff
	// Learned are the patterns that fit, the best first.
	Learned []learn.Known
	// Interrupted: the tree holds partial work of this same attempt.
	Interrupted bool
	// Resumed: the agent continues in the session in which a usage limit cut it off.
	Resumed bool
	// StateFile is where the agent can read the whole history.
	StateFile string
	// Program is the path of ralph, where a shell may not find it by its name.
	Program string

	// Template replaces the built-in one (text/template over Data).
	Template string
	// MaxBytes bounds the page; 0 means the constant of that name.
	MaxBytes int
	// Nonce marks the blocks of data. Empty: taken from a digest of the input,
	// which no text in the input can contain.
	Nonce string
}

// File is a piece of context.
type File struct{ Name, Text string }

// Diff is what one attempt changed: the subject of its commit, `git diff
// --stat` and the patch.
type Diff struct {
	Attempt              int
	Subject, Stat, Patch string
}
