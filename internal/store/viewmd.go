package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// stateMarkdown is seed 004's state file: its frontmatter keys, the verbatim
// output of the last attempts, newest first, and the history of all.
func stateMarkdown(st loop.State, attempts []loop.Attempt) string {
	var b strings.Builder
	st = st.ForAgents()
	frontmatter(&b, st, attempts)
	shown := 0
	for _, a := range slices.Backward(attempts) {
		if len(a.Results) > 0 && shown < shownAttempts {
			sections(&b, a.ForAgents(), shown == 0)
			shown++
		}
	}
	history(&b, attempts)
	return b.String()
}

// Seed 004's rolling window of attempts, and its limit of lines.
const (
	shownAttempts = 3
	shownLines    = 100
)

func frontmatter(b *strings.Builder, st loop.State, attempts []loop.Attempt) {
	gate, exit, hash := lastFailure(st)
	fmt.Fprintf(b, "---\ntask_id: %s\n", yamlText(st.Task.ID))
	fmt.Fprintf(b, "iteration: %d\nmax_iterations: %d\n", st.Iteration, st.Limits.MaxIterations)
	fmt.Fprintf(b, "last_gate: %s\nexit_code: %s\nerror_hash: %s\n", yamlText(gate), exit, yamlText(hash))
	fmt.Fprintf(b, "timestamp: %s\n", newestNews(st).UTC().Format(time.RFC3339))
	fmt.Fprintf(b, "stuck_count: %d\nstrategy_shifts: %d\n", stuckCount(attempts), shiftCount(attempts))
	files := modified(attempts)
	if len(files) == 0 {
		b.WriteString("files_modified: []\n---\n")
		return
	}
	b.WriteString("files_modified:\n")
	for _, f := range files {
		fmt.Fprintf(b, "  - %s\n", yamlText(f))
	}
	b.WriteString("---\n")
}

// newestNews is when the attempts last changed.
func newestNews(st loop.State) time.Time {
	a := st.Last()
	switch {
	case a == nil:
		return st.StartedAt
	case a.EndedAt.IsZero():
		return a.StartedAt
	}
	return a.EndedAt
}

// lastFailure is about the newest attempt that has been to a gate.
func lastFailure(st loop.State) (gate, exit, hash string) {
	for _, a := range slices.Backward(st.Recent) {
		if len(a.Results) == 0 && a.FailedGate == "" {
			continue
		}
		gate, exit = a.FailedGate, "null"
		if gate == "" {
			gate = a.Results[len(a.Results)-1].Gate
		}
		for _, r := range a.Results {
			if r.Gate == gate && r.ExitCode != nil {
				exit = strconv.Itoa(*r.ExitCode)
			}
		}
		return gate, exit, a.Fingerprint
	}
	return "", "null", ""
}

// stuckCount is how many attempts running failed alike; a failure seen once is
// no sign of being stuck (seed 004's example has 0).
func stuckCount(attempts []loop.Attempt) int {
	if n := len(loop.Streak(attempts)); n > 1 {
		return n
	}
	return 0
}

func shiftCount(attempts []loop.Attempt) (n int) {
	for _, a := range attempts {
		if a.Approach.Shift {
			n++
		}
	}
	return n
}

func modified(attempts []loop.Attempt) []string {
	var files []string
	for _, a := range attempts {
		files = append(files, a.Files...)
	}
	slices.Sort(files)
	return slices.Compact(files)
}

var plainText = lazyregexp.New(`^[A-Za-z_][A-Za-z0-9_./-]*$`)

// yamlText is a string that YAML reads back as that string: plain where nothing
// else can be meant, else quoted, with escapes YAML and Go share.
func yamlText(s string) string {
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return strconv.Quote(s)
	}
	if plainText.MatchString(s) {
		return s
	}
	return strconv.Quote(strings.ToValidUTF8(s, "\uFFFD"))
}

// sections quotes what each gate of an attempt said.
func sections(b *strings.Builder, a loop.Attempt, newest bool) {
	for _, r := range a.Results {
		if r.Excerpt == "" && r.Verdict == loop.Passed {
			continue
		}
		shown, title := r.Excerpt, heading(r.Gate)+" Output (verbatim)"
		if shown == "" {
			shown, title = r.Reason, heading(r.Gate)+" Result"
		}
		if !newest {
			title += fmt.Sprintf(", attempt %d", a.N)
		}
		shown = text.Middle(shown, shownLines)
		fence := fenceFor(shown)
		fmt.Fprintf(b, "\n## %s\n%s\n%s\n%s\n", title, fence, strings.TrimRight(shown, "\n"), fence)
	}
}

// heading is a gate's name on one line, its first letter raised.
func heading(gate string) string {
	gate = oneLine(gate, 60)
	if gate == "" {
		return "Gate"
	}
	first, size := utf8.DecodeRuneInString(gate)
	return string(unicode.ToUpper(first)) + gate[size:]
}

// fenceFor is longer than any run of backticks in the text.
func fenceFor(text string) string {
	longest, run := 2, 0
	for _, r := range text {
		if r != '`' {
			run = 0
			continue
		}
		run++
		longest = max(longest, run)
	}
	return strings.Repeat("`", longest+1)
}

func history(b *strings.Builder, attempts []loop.Attempt) {
	b.WriteString("\n## Attempt History\n| # | Gate | Error Hash | Strategy Shift |\n|---|------|------------|----------------|\n")
	if n := notShown(attempts); n > 0 {
		fmt.Fprintf(b, "| 1–%d | not shown | | |\n", n)
	}
	for _, a := range attempts {
		shift := "no"
		if a.Approach.Shift {
			shift = "yes"
		}
		gate := strings.ReplaceAll(oneLine(a.FailedGate, 60), "|", `\|`)
		fmt.Fprintf(b, "| %d | %s | %s | %s |\n", a.N, gate, a.Fingerprint, shift)
	}
}
