package command

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"ralph/internal/cli/exit"
	"ralph/internal/proc"
	"ralph/internal/text"
	"ralph/internal/view"
)

// Streams are the standard streams of a program.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// Env is the environment as KEY=value, Dir the working directory.
	Env []string
	Dir string
}

// Process is the streams of this process.
func Process() Streams {
	dir, _ := os.Getwd()
	return Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Env: os.Environ(), Dir: dir}
}

// Terminal is where a command talks to its user: streams, the flags that every
// command has, and the time.
type Terminal struct {
	Streams
	Now func() time.Time

	JSON    bool
	Config  string
	Quiet   bool
	Verbose int
	NoColor bool
	Yes     bool
	NoInput bool
}

func (t *Terminal) Getenv(name string) string {
	for _, v := range slices.Backward(t.Env) {
		if k, v, ok := strings.Cut(v, "="); ok && k == name {
			return v
		}
	}
	return ""
}

// IsTerminal reports whether a stream is a terminal, and not a dumb one.
func (t *Terminal) IsTerminal(stream any) bool {
	f := File(stream)
	return f != nil && t.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// Asks reports whether a person can be asked.
func (t *Terminal) Asks() bool {
	return !t.NoInput && t.Getenv("RALPH_NO_INPUT") == "" && t.IsTerminal(t.In) && t.IsTerminal(t.Err)
}

func (t *Terminal) colour(w io.Writer) bool {
	return !t.NoColor && t.Getenv("NO_COLOR") == "" && t.IsTerminal(w)
}

// unicode reports whether the locale can show more than ASCII.
func (t *Terminal) unicode() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToUpper(t.Getenv(name)); v != "" {
			return strings.Contains(v, "UTF-8") || strings.Contains(v, "UTF8")
		}
	}
	return false
}

// width of the terminal behind w, or 80.
func (t *Terminal) width(w io.Writer) int {
	if f := File(w); f != nil {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 20 {
			return n
		}
	}
	return 80
}

// Say writes a notice to standard error, unless --quiet.
func (t *Terminal) Say(format string, args ...any) {
	if !t.Quiet {
		t.tell(fmt.Sprintf(format, args...))
	}
}

// Note writes a notice that is no news of the work.
func (t *Terminal) Note(format string, args ...any) { t.Say("note: "+format, args...) }

// tell writes lines to standard error, folded where that is a terminal.
func (t *Terminal) tell(lines string) {
	fmt.Fprintln(t.Err, t.folded(lines))
}

// folded are lines as a terminal shows them best.
func (t *Terminal) folded(lines string) string {
	if !t.IsTerminal(t.Err) {
		return lines
	}
	return fold(lines, min(t.width(t.Err), mostColumns))
}

// mostColumns is how wide lines for people are at most.
const mostColumns = 80

// fold breaks lines that are wider between words; what follows is indented by two more, or
// stands in the last column of a row. A line with a command to copy stays whole, and so does
// one with colours.
func fold(lines string, width int) string {
	var out []string
	for line := range strings.SplitSeq(lines, "\n") {
		body := strings.TrimLeft(line, " ")
		if text.Width(line) <= width || isCommand(body) || strings.Contains(line, "\x1b") {
			out = append(out, line)
			continue
		}
		head, under := line[:len(line)-len(body)], 2
		if columns := columnsOf(body, width); columns != "" {
			head, body, under = head+columns, body[len(columns):], 0
		}
		indent := strings.Repeat(" ", text.Width(head)+under)
		folded := text.WrapWords(body, max(width-len(indent), 12))
		out = append(out, head+strings.Join(folded, "\n"+indent))
	}
	return strings.Join(out, "\n")
}

// columnsOf returns the narrow columns with which a row begins: up to the last gap of two
// spaces in its first third, where the next word fits behind them.
func columnsOf(row string, width int) string {
	end := 0
	for i := range len(row) {
		if i >= 2 && row[i] != ' ' && row[i-2:i] == "  " && text.Width(row[:i]) <= width/3 {
			end = i
		}
	}
	word, _, _ := strings.Cut(row[end:], " ")
	if text.Width(row[:end])+text.Width(word) > width {
		return ""
	}
	return row[:end]
}

// isCommand reports whether a line begins with a command, or ends with one.
func isCommand(line string) bool {
	_, last, _ := strings.Cut(line, ": ")
	for _, program := range []string{"ralph ", "git "} {
		if strings.HasPrefix(line, program) || strings.HasPrefix(last, program) && !strings.ContainsAny(last, ";,") {
			return true
		}
	}
	return false
}

// Print writes data to standard output.
func (t *Terminal) Print(text string) {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, _ = io.WriteString(t.Out, text)
}

// Object writes a JSON object to standard output.
func (t *Terminal) Object(v any) error {
	enc := json.NewEncoder(t.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// Report prints an error with its hint, as JSON where JSON was asked for.
func (t *Terminal) Report(f *exit.Error) {
	if f.Quiet {
		return
	}
	if t.JSON {
		_ = json.NewEncoder(t.Err).Encode(view.ErrorObject{Schema: view.ErrorSchema, Message: f.Error(), Hint: f.Hint, Exit: f.Code})
		return
	}
	t.tell("ralph: " + text.Clean(f.Error())) // it may name files of an agent
	if f.Hint != "" {
		t.tell("  try: " + text.Clean(f.Hint))
	}
}

func (t *Terminal) Palette(w any) view.Palette {
	p := view.Palette{ASCII: !t.unicode()}
	if f := File(w); f != nil {
		p.Color = t.colour(f)
	}
	if t.IsTerminal(w) {
		p.Width = t.width(File(w))
	}
	return p
}

func (t *Terminal) Encode(v any) error {
	data, err := view.Encode(v)
	if err == nil {
		_, err = t.Out.Write(data)
	}
	return err
}

// ExplicitConfig is the file that --config names.
func (t *Terminal) ExplicitConfig() string {
	if t.Config == "" || filepath.IsAbs(t.Config) {
		return t.Config
	}
	return filepath.Join(t.Dir, t.Config)
}

// Silence is how long a run without a terminal prints nothing at most.
const Silence = 60 * time.Second

// OnPath reports whether a program is installed.
func (t *Terminal) OnPath(name string) bool {
	_, err := proc.LookPath(name)
	return err == nil
}
