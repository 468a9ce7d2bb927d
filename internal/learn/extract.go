package learn

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/proof/redgreen"
	"ralph/internal/text"
)

// Files gives access to the files of a loop beside its state. Either function
// may be nil or return nothing; each is called only for the few attempts that
// matter.
type Files struct {
	// Patch returns the changes of attempt n.
	Patch func(n int) string
	// Output returns the output of a gate on attempt n (0 is the base).
	Output func(n int, gate string) string
}

func (f Files) patch(n int) string {
	if f.Patch == nil {
		return ""
	}
	return f.Patch(n)
}

func (f Files) output(n int, gate string) string {
	if f.Output == nil {
		return ""
	}
	return f.Output(n, gate)
}

// extract returns the patterns of an ended loop, at most mostPatterns, and none
// for a loop that has not ended.
func (h record) extract() []Pattern {
	if !h.state.Status.Terminal() {
		return nil
	}
	var out []Pattern
	seen := map[string]bool{}
	for _, p := range append(append(h.fixes(), h.antis()...), h.success()...) {
		if key := p.Key(); !seen[key] && len(out) < mostPatterns {
			seen[key] = true
			out = append(out, p)
		}
	}
	return out
}

// mostPatterns of one loop: a loop of a thousand attempts must not crowd out
// what the others taught.
const mostPatterns = 20

// pattern holds the fields that all patterns of the loop share.
func (h record) pattern(kind Kind, attempt int, at time.Time) Pattern {
	s := h.state
	text := strings.Join(append([]string{s.Task.Text}, s.Task.Criteria...), "\n")
	return Pattern{
		Kind: kind, Words: words(text),
		Sources: []Source{{Loop: s.ID, Attempt: attempt, At: at.UTC(), Outcome: OutcomeOf(s.State)}},
	}
}

// about fills in the failure a pattern is about.
func (p *Pattern) about(f failure) {
	p.Fingerprint, p.Gate, p.GateKind = f.fingerprint, name(f.gate, mostName), f.kind
	p.Error = f.lines
	if f.result.Tests != nil {
		p.Failing = names(f.result.Tests.Failing, 5, mostPath)
	}
}

// changed fills in the files and their changes, those of judge files left out: a
// loop must not teach others to change what judges them. It reports whether
// there is something left to teach.
func (h record) changed(p *Pattern, files []string, patch string) bool {
	product := taught(files, h.judges)
	p.Files, p.Languages = names(product, mostFiles, mostPath), languages(product)
	p.Diff = excerpt(patch, p.Error, mostDiff, h.judges)
	return len(product) > 0 || len(files) == 0
}

// taught are the files that are neither judge files by their names nor by what the gates
// of the loop found: what they opened, what the project protects.
func taught(files, judges []string) []string {
	return slices.DeleteFunc(redgreen.Product(files), func(f string) bool { return slices.Contains(judges, f) })
}

// judgesOf are the judge files that the attempts changed, with permission or in vain.
func judgesOf(attempts []loop.Attempt) (out []string) {
	for _, a := range attempts {
		out = append(out, a.JudgesChanged()...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// success is how the loop passed, if it did by work.
func (h record) success() []Pattern {
	s := h.state
	last := s.Last()
	if s.Status != loop.StatusPassed || last == nil {
		return nil
	}
	p := h.pattern(Success, last.N, s.EndedAt)
	h.changed(&p, filesOf(s.Attempts), "")
	if len(p.Files) == 0 {
		return nil // where it was done is all that others can use
	}
	for _, g := range s.Gates {
		if !failedAt(last, g) {
			p.Gates = append(p.Gates, name(g.Name, mostName))
		}
	}
	p.Gates = p.Gates[:min(len(p.Gates), 10)]
	p.Agent = cmp.Or(name(s.Agent.Name, mostName), "an agent")
	p.Attempts = Attempts{Fewest: s.Iteration, Most: s.Iteration, Sum: s.Iteration}
	p.Summary = name(fmt.Sprintf("%s passed %s in %s by changing %s", p.Agent, strings.Join(p.Gates, ", "), times(s.Iteration, "attempt"), some(p.Files)), mostSummary)
	return []Pattern{p}
}

// failedAt reports whether a soft gate did not pass on the attempt: a hard one did
// where the loop passed.
func failedAt(a *loop.Attempt, g loop.Gate) bool {
	return g.Level == loop.Soft && !slices.ContainsFunc(a.Results, func(r loop.Result) bool {
		return r.Gate == g.Name && r.Verdict == loop.Passed
	})
}

func times(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// fixes are the failures that a change ended.
func (h record) fixes() []Pattern {
	var out []Pattern
	for _, f := range h.failures {
		if len(f.fix) == 0 || len(f.lines) == 0 {
			continue
		}
		last := f.fix[len(f.fix)-1]
		p := h.pattern(ErrorFix, last.N, last.EndedAt)
		p.about(f)
		if !h.changed(&p, filesOf(f.fix), h.patches(f.fix)) {
			continue
		}
		p.Summary = name(fmt.Sprintf("%s: %s: gone after a change to %s", f.gate, headline(f.lines), some(p.Files)), mostSummary)
		out = append(out, p)
	}
	return out
}

// filesOf are the files that attempts changed.
func filesOf(attempts []loop.Attempt) []string {
	var files []string
	for _, a := range attempts {
		files = union(files, a.Files, 10*mostFiles)
	}
	return files
}

// patches of attempts, the newest first.
func (h record) patches(attempts []loop.Attempt) string {
	var out []string
	for _, a := range slices.Backward(attempts) {
		if a.Changed {
			out = append(out, h.files.patch(a.N))
		}
	}
	return strings.Join(out, "\n")
}

// headline returns the most telling line: the first that names an error or compares
// two values, else the first that describes a failure.
func headline(lines []string) string {
	for _, says := range []func(string) bool{sharp.MatchString, telling.MatchString, func(string) bool { return true }} {
		if i := slices.IndexFunc(lines, says); i >= 0 {
			return text.Head(strings.TrimSpace(lines[i]), 80)
		}
	}
	return ""
}

// some names the first of a list.
func some(list []string) string {
	switch n := len(list); n {
	case 0:
		return "files that are not listed"
	case 1:
		return list[0]
	default:
		return fmt.Sprintf("%s and %d more", list[0], n-1)
	}
}

// Helped reports whether a pattern that an ended loop was shown has helped: the
// failure it is about was there and was ended by a change, or the loop passed.
// decided is false where the end is unrelated to the work.
func Helped(s loop.Whole, p Pattern) (helped, decided bool) {
	if s.Status == loop.StatusPassed {
		return true, true
	}
	if p.Fingerprint != "" && slices.ContainsFunc(history(s, Files{}).failures, func(f failure) bool {
		return f.fingerprint == p.Fingerprint && len(f.fix) > 0
	}) {
		return true, true
	}
	switch s.Reason {
	case loop.MaxAttempts, loop.Stuck, loop.Plateau, loop.NoChange, loop.Regression, loop.Stalled:
		return false, true
	}
	return false, false
}
