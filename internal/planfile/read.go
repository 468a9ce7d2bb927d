package planfile

import (
	"bytes"
	"strings"

	"ralph/internal/plan"
)

// MaxSize is the maximum size of a plan file in bytes: room for plan.MaxTasks.
const MaxSize = 16 << 20

// Format is a file format of plans.
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

// Formats returns all of them, in the order of the documentation.
func Formats() []Format {
	return []Format{
		Object, PRD, Sections, Stories, Features, Taskmaster, Tasks, SpecKit, OpenSpec, Kiro, Checklist, RalphMD,
	}
}

// File is a plan file that was read.
type File struct {
	Format Format
	Plan   plan.Plan
	// Warnings name parts that ralph may have read in another sense than the
	// author meant.
	Warnings []Warning

	name string
	// bom is the byte order mark of the file, if any; text is what follows.
	bom, text string
	writer    writer
}

// Warning is about one line of the file.
type Warning struct {
	Line    int    `json:"line"`
	Message string `json:"message"`
}

// known lists the formats for the error about any other file.
const known = "JSON with tasks, userStories or features, a tasks.json of Taskmaster, Markdown with frontmatter and ## sections, " +
	"with ### Task N: headings, with numbered checkboxes (Spec Kit, OpenSpec, Kiro), a plain checklist, RALPH.md"

const byteOrderMark = "\xef\xbb\xbf"

// Read detects the format and reads the plan. name is used in messages, and
// decides where the content leaves the format open. The error is of type Errors.
func Read(name string, data []byte) (File, error) { return ReadAs(name, data, "") }

// ReadAs reads a plan in a given format; it detects an empty one.
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
		if err = f.Plan.Validate(); err != nil {
			err = f.atFields(text, err)
		}
	}
	if err != nil {
		return File{}, located(name, err)
	}
	f.name, f.text = name, text
	if f.writer == nil {
		f.writer = noWriter{}
	}
	return f, nil
}

func read(name, text string, as Format) (File, error) {
	bare := strings.TrimSpace(text)
	switch {
	case len(text) > MaxSize:
		return File{}, parseError(0, "keep it below 16 MiB", "%d bytes are too many for a plan", len(text))
	case bare == "":
		return File{}, parseError(0, "", "the file is empty")
	case strings.IndexByte(text, 0) >= 0:
		return File{}, parseError(0, "", "this is not text")
	case bare[0] == '{' || bare[0] == '[' && !strings.HasPrefix(bare, "[ ]"):
		return readJSON(text, as)
	}
	return readMarkdown(name, text, as)
}
