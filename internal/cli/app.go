package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/term"

	"ralph/internal/report"

	"ralph/internal/proc"
	"ralph/internal/sandbox"
)

// Streams are what a program talks through.
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

// Options are for tests of the whole program.
type Options struct {
	// Fault is called at each point at which a crash must be survived.
	Fault func(point string)
	// Grace replaces the time between asking a process to end and ending it.
	Grace time.Duration
}

// app is what every command shares: streams, global flags, and the time.
type app struct {
	Streams
	Options
	now func() time.Time
	// args are what was typed, in the directory started.
	args    []string
	started string
	// leash ties a command in the background to its starter; nil in the
	// foreground. It is let go at the event with the name recorded; "" is the
	// first one that finds the loop going on.
	leash    *proc.Leash
	recorded string

	// about is the loop or plan that the command turned out to be about: what hints
	// call ID.
	about string

	// guest restricts a command that an agent sent from inside of its sandbox.
	guest *guest
	// kit is what this machine offers to hold agents with.
	kit *sandbox.Capabilities

	json    bool
	config  string
	quiet   bool
	verbose int
	noColor bool
	yes     bool
	noInput bool

	// told, if there is one, is given the loop that a command told about.
	told *told
}

func (a *app) getenv(name string) string {
	for _, v := range slices.Backward(a.Env) {
		if k, v, ok := strings.Cut(v, "="); ok && k == name {
			return v
		}
	}
	return ""
}

// isTerminal says whether a stream is one, and not a dumb one.
func (a *app) isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && a.getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// asks says whether there is a person who can be asked.
func (a *app) asks() bool {
	return !a.noInput && a.getenv("RALPH_NO_INPUT") == "" && a.isTerminal(a.In) && a.isTerminal(a.Err)
}

func (a *app) colour(w io.Writer) bool {
	return !a.noColor && a.getenv("NO_COLOR") == "" && a.isTerminal(w)
}

// unicode says whether the locale can show more than ASCII.
func (a *app) unicode() bool {
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := strings.ToUpper(a.getenv(name)); v != "" {
			return strings.Contains(v, "UTF-8") || strings.Contains(v, "UTF8")
		}
	}
	return false
}

// width of the terminal behind w, or 80.
func (a *app) width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if n, _, err := term.GetSize(int(f.Fd())); err == nil && n > 20 {
			return n
		}
	}
	return 80
}

// say writes a notice to standard error, unless --quiet.
func (a *app) say(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintf(a.Err, format+"\n", args...)
	}
}

// print writes data to standard output.
func (a *app) print(text string) {
	if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	_, _ = io.WriteString(a.Out, text)
}

// object writes a JSON object to standard output.
func (a *app) object(v any) error {
	enc := json.NewEncoder(a.Out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// report prints an error with its hint, as JSON where JSON was asked for.
func (a *app) report(f *failure) {
	if f.quiet {
		return
	}
	if a.json {
		_ = json.NewEncoder(a.Err).Encode(report.ErrorObject{Schema: report.ErrorSchema, Message: f.Error(), Hint: f.hint, Exit: f.code})
		return
	}
	fmt.Fprintln(a.Err, "ralph: "+f.Error())
	if f.hint != "" {
		fmt.Fprintln(a.Err, "  try: "+f.hint)
	}
}
