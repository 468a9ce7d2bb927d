package planfile

import (
	"bytes"
	"strings"

	"ralph/internal/plan"
)

// MaxSize is how large a plan file may be, in bytes: room for as many tasks as a
// plan may have.
const MaxSize = 16 << 20

// Format names one way to write a plan.
type Format string

// The formats.
const (
	Object     Format = "json"
	PRD        Format = "prd"
	Stories    Format = "stories"
	Features   Format = "features"
	Taskmaster Format = "taskmaster"
	Sections   Format = "sections"
	Tasks      Format = "tasks"
	SpecKit    Format = "speckit"
	OpenSpec   Format = "openspec"
	Kiro       Format = "kiro"
	Checklist  Format = "checklist"
	RalphMD    Format = "ralph.md"
)

// Formats are all of them, in the order in which they are explained.
func Formats() []Format {
	return []Format{
		Object, PRD, Sections, Stories, Features, Taskmaster, Tasks, SpecKit, OpenSpec, Kiro, Checklist, RalphMD,
	}
}

// File is a plan as it was read.
type File struct {
	Format Format
	Plan   plan.Plan
	// Warnings are what was not taken as people may have meant it.
	Warnings []Warning

	name string
	// bom is the mark that the file begins with, or nothing; text what follows.
	bom, text string
	hand      hand
}

// Warning is about one line of the file.
type Warning struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// known is what the refusal of any other file lists.
const known = "JSON with tasks, userStories or features, a tasks.json of Taskmaster, Markdown with frontmatter and ## sections, " +
	"with ### Task N: headings, with numbered checkboxes (Spec Kit, OpenSpec, Kiro), a plain checklist, RALPH.md"

const byteOrderMark = "\xef\xbb\xbf"

// Read recognises the format and reads the plan. name stands in messages, and
// helps where the content leaves the format open. The error is of type Errors.
func Read(name string, data []byte) (File, error) { return ReadAs(name, data, "") }

// ReadAs reads a plan in a format that is known; an empty one is looked for.
func ReadAs(name string, data []byte, as Format) (File, error) {
	text, found := bytes.CutPrefix(data, []byte(byteOrderMark))
	f, err := readAs(name, string(text), as)
	if found {
		f.bom = byteOrderMark
	}
	return f, err
}

func readAs(name, text string, as Format) (File, error) {
	f, err := read(name, text, as)
	if err == nil {
		err = f.Plan.Validate()
	}
	if err != nil {
		return File{}, located(name, err)
	}
	f.name, f.text = name, text
	if f.hand == nil {
		f.hand = handless{}
	}
	return f, nil
}

func read(name, text string, as Format) (File, error) {
	bare := strings.TrimSpace(text)
	switch {
	case len(text) > MaxSize:
		return File{}, wrong(0, "keep it below 16 MiB", "%d bytes are too many for a plan", len(text))
	case bare == "":
		return File{}, wrong(0, "", "the file is empty")
	case strings.IndexByte(text, 0) >= 0:
		return File{}, wrong(0, "", "this is no text")
	case bare[0] == '{' || bare[0] == '[' && !strings.HasPrefix(bare, "[ ]"):
		return readJSON(text, as)
	}
	return readMarkdown(name, text, as)
}
