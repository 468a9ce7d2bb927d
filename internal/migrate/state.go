package migrate

import (
	"strconv"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/text"
)

// ParseStateMarkdown reads seed 004's .ralph_state.md: the counters, the output
// of the last failure verbatim, and the table of attempts.
func ParseStateMarkdown(data []byte) (Found, []Loss, error) {
	head, body, err := frontmatter(data)
	if err != nil {
		return Found{}, nil, err
	}
	lost := &losses{}
	f := newFields("", head, lost)
	found := f.taskState()
	if found.TaskID == "" {
		return Found{}, nil, &Error{Line: 2, Why: "has no task_id: this is not the state file of a task"}
	}
	outputs, rows := sections(body)
	found.Attempts = attemptsOf(rows, found.Gate, f)
	if len(outputs)+len(f.m) > 0 {
		f.lastFailure(&found, outputs)
	}
	f.rest(noPlace)
	return found, lost.all, nil
}

// taskState reads what both forms of the file contain.
func (f fields) taskState() Found {
	id := text.Clip(f.text("task_id"), 100)
	found := Found{
		Kind: RalphState, ID: id, TaskID: id, Standing: Open,
		Iteration: f.whole("iteration"), Max: f.whole("max_iterations"), UpdatedAt: f.when("timestamp"),
		Gate: f.word("last_gate"),
	}
	// Both are counted from the attempts.
	f.setAside("stuck_count", "strategy_shifts")
	return found
}

var (
	outputHeading = lazyregexp.New(`^## (.{1,80}) Output \(verbatim\)`)
	attemptRow    = lazyregexp.New(`^\|\s*(\d{1,6})\s*\|\s*([^|]{0,80}?)\s*\|\s*([^|]{0,80}?)\s*\|\s*(\w{0,8})\s*\|\s*$`)
)

// output is one verbatim section.
type output struct{ gate, text string }

// sections splits the body. A line in a fence is never a heading.
func sections(body string) (outputs []output, rows [][]string) {
	fence := ""
	for line := range strings.Lines(body) {
		bare := strings.TrimRight(line, "\r\n")
		switch mark := fenceOf(bare); {
		case fence != "" && mark == fence && strings.TrimLeft(bare, "`") == "":
			fence = ""
		case fence != "":
			if n := len(outputs); n > 0 {
				outputs[n-1].text += line
			}
		case mark != "":
			fence = mark
		default:
			if m := outputHeading.FindStringSubmatch(bare); m != nil {
				outputs = append(outputs, output{gate: strings.ToLower(m[1])})
			} else if m := attemptRow.FindStringSubmatch(bare); m != nil {
				rows = append(rows, m[1:])
			}
		}
	}
	return outputs, rows
}

// fenceOf returns the three or more backticks that a line begins with.
func fenceOf(line string) string {
	if mark := line[:len(line)-len(strings.TrimLeft(line, "`"))]; len(mark) >= 3 {
		return mark
	}
	return ""
}

// attemptsOf reads the rows of the table. They have another name for the gate that
// failed last.
func attemptsOf(rows [][]string, last string, f fields) []loop.Attempt {
	var out []loop.Attempt
	for _, r := range rows {
		n, _ := strconv.Atoi(r[0])
		if sameGate(r[1], last) {
			r[1] = last
		}
		row := newFields("attempt.", map[string]any{
			"n": strconv.Itoa(n), "gate": r[1], "hash": r[2], "shift": strings.EqualFold(r[3], "yes"), "passed": false,
		}, f.lost)
		out = append(out, row.attempt(n, ""))
	}
	return out
}

// lastFailure adds the outputs and counters of the newest failure to the last
// attempt.
func (f fields) lastFailure(found *Found, outputs []output) {
	exit, hash := f.exit("exit_code"), f.hash("error_hash")
	files := f.texts(50, "files_modified")
	if len(found.Attempts) == 0 {
		if found.Iteration == 0 || found.Gate == "" && len(outputs) == 0 {
			return
		}
		found.Attempts = []loop.Attempt{{N: found.Iteration, Changed: true, Verdict: loop.Failed, FailedGate: found.Gate, Error: "did not pass", Fingerprint: hash}}
	}
	last := &found.Attempts[len(found.Attempts)-1]
	last.EndedAt, last.Files, last.Results = found.UpdatedAt, files, nil
	for _, o := range outputs {
		last.Results = append(last.Results, o.result(found.Gate, exit))
	}
	if len(outputs) == 0 && found.Gate != "" {
		last.Results = append(last.Results, output{gate: found.Gate}.result(found.Gate, exit))
	}
}

// result of a section. Only the gate that failed last has a known verdict: the file
// keeps the output of the others but not their result.
func (o output) result(failed string, exit *int) loop.Result {
	r := loop.Result{Gate: failed, Kind: kindOf(failed), Level: loop.Hard, Verdict: loop.Failed, Excerpt: text.Middle(strings.Trim(o.text, "\r\n"), mostOutput), ExitCode: exit}
	if !sameGate(o.gate, failed) {
		r.Gate, r.Kind = text.Clip(o.gate, 60), kindOf(o.gate)
		r.Verdict, r.ExitCode, r.Reason = loop.Skipped, nil, "only its output was kept"
	}
	return r
}

// sameGate matches headings such as "Test" and "Spec Reviewer" to the gates tests
// and spec-review.
func sameGate(a, b string) bool {
	if a == "" || b == "" {
		return a == b
	}
	n := min(len(a), len(b), 4)
	return a[:n] == b[:n]
}

// ParseStateJSON reads .ralph_state.json, which seed 004's program writes instead
// of the Markdown. Its `iteration` is the next one.
func ParseStateJSON(data []byte) (Found, []Loss, error) {
	m, err := object(data)
	if err != nil {
		return Found{}, nil, err
	}
	lost := &losses{}
	f := newFields("", m, lost)
	found := f.taskState()
	if found.TaskID == "" {
		return Found{}, nil, &Error{Line: 1, Why: "has no task_id: this is not the state file of a task"}
	}
	found.Iteration = max(found.Iteration-1, 0)
	found.Attempts = f.iterations("", "attempts")
	f.lastFailure(&found, nil)
	f.rest(noPlace)
	return found, lost.all, nil
}
