package view

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/next"
	"ralph/internal/text"
)

// lookTwice lists what gates cannot judge: a start beside too many loops, claims
// without a change, changed tests and rewritten branches (the notes of the
// attempts), restored files, a result that is not about a clean commit.
func lookTwice(s loop.State, f Facts) []string {
	var out []string
	if words := forced(s); words != "" {
		out = append(out, "ran "+words)
	}
	for _, q := range s.Questions {
		if q.AnsweredByPolicy() && q.Dispute == nil {
			out = append(out, unanswered(q))
		}
	}
	out = append(append(out, unheard(s)...), disputesWords(s.Disputes)...)
	var of perAttempt
	concerns := Item{State: s, Facts: f}.Look()
	named := map[string]bool{} // permitted files of the attempts before
	for _, a := range f.attempts(s) {
		at, permitted := func(what string) { of.add(a.N, what) }, []string(nil)
		if claimed(a) {
			at("claimed to be done without any change; not accepted")
		}
		for _, n := range a.Notes {
			if !loop.TellsRefusal(n) && !s.ToldByConcern(a, n) { // its dispute tells it, or what is below
				at(text.SpacedLine(n))
			}
		}
		if slices.ContainsFunc(a.Files, isConfig) {
			at("changed ralph.yaml, which decides how later work is judged and sandboxed")
		}
		if a.Agent.Leftovers > 0 {
			at(fmt.Sprintf("left processes behind: %d, ended by ralph", a.Agent.Leftovers))
		}
		for _, d := range a.Agent.Denials {
			at("was not allowed to use " + text.Line(d.Tool) + toAllow(d.Rule))
		}
		for _, r := range a.Results {
			if len(r.Restored) > 0 {
				at("touched what gate " + text.Line(r.Gate) + " needs; put back: " + listed(r.Restored, 5))
			}
			if j := r.Judging; j != nil && j.Verdict != loop.Passed {
				with := "changed judge files: " + listed(j.SetAside, 5)
				if len(j.SetAside) == 0 {
					with = "its new tests: " + listed(j.NewTests, 5)
				}
				at("passed gate " + text.Line(r.Gate) + " only with " + with)
			}
			if r.Weak != "" && r.Canary == "" && r.Verdict == loop.Passed && !slices.ContainsFunc(concerns, func(c loop.Concern) bool { return c.Code == loop.ConcernReview }) {
				at("passed review " + text.Line(r.Gate) + " although " + text.Line(r.Weak))
			}
			for _, file := range r.Permitted {
				if !named[file] {
					permitted = append(permitted, file)
				}
				named[file] = true
			}
		}
		if len(permitted) > 0 && !s.JudgesConcern(a) {
			slices.Sort(permitted)
			at("changed files that judge it, as permitted: " + listed(permitted, 5))
		}
	}
	out = append(out, of.lines()...)
	if n := f.earlier(s); n > 0 {
		out = append(out, "before these: "+text.Plural(n, "attempt")+", shown by "+next.Show(s.ID))
	}
	for _, c := range concerns {
		out = append(out, c.What)
	}
	out = append(out, aboutAgent(s, f)...)
	return append(out, unsure(s)...)
}

// perAttempt are words about attempts, each once, with the attempts of which they are
// said.
type perAttempt []struct {
	what     string
	attempts []int
}

func (p *perAttempt) add(n int, what string) {
	for i := range *p {
		if said := &(*p)[i]; said.what == what {
			if !slices.Contains(said.attempts, n) {
				said.attempts = append(said.attempts, n)
			}
			return
		}
	}
	*p = append(*p, struct {
		what     string
		attempts []int
	}{what, []int{n}})
}

func (p perAttempt) lines() (out []string) {
	for _, said := range p {
		word := "attempts"
		if len(said.attempts) == 1 {
			word = "attempt"
		}
		word += " " + text.Numbers(said.attempts)
		if strings.HasPrefix(said.what, "the ") {
			word += ":"
		}
		out = append(out, word+" "+said.what)
	}
	return out
}

// lookOutside lists what a loop may have left outside of its work, which counts also where the
// work is not to be accepted.
func lookOutside(s loop.State, f Facts) (out []string) {
	out = unheard(s)
	for _, a := range f.attempts(s) {
		for _, n := range a.Notes {
			if strings.HasSuffix(n, loop.ObeyedNote) {
				out = append(out, text.SpacedLine(n))
			}
		}
		if a.Agent.Leftovers > 0 {
			out = append(out, fmt.Sprintf("left processes behind: %d, ended by ralph", a.Agent.Leftovers))
		}
	}
	return append(out, aboutAgent(s, f)...)
}

func isConfig(file string) bool { return path.Base(file) == "ralph.yaml" }

func toAllow(rule string) string {
	if rule == "" {
		return ""
	}
	return "; to allow it: " + text.Line(rule)
}

// aboutAgent lists what holds for all attempts alike; it is shown once.
func aboutAgent(s loop.State, f Facts) (out []string) {
	if s.Agent.Permissions == loop.PermissionsSkip {
		out = append(out, agentName(s.Agent)+" worked without its own permission checks (permissions: skip)")
	}
	if heldBy(s) == string(loop.HeldNone) {
		out = append(out, "no sandbox held "+agentName(s.Agent)+": its writes outside of its tree are unknown")
	}
	for _, a := range f.attempts(s) {
		// An agent that could not start reported no version, and that is no news.
		if a.Agent.Untested && (a.Agent.Version != "" || a.Agent.End == loop.EndDone) {
			return append(out, untested(a.Agent, s.Agent))
		}
	}
	return out
}

func untested(o loop.Outcome, a loop.Agent) string {
	version := "of an unknown version"
	if o.Version != "" {
		version = text.Line(o.Version)
	}
	return agentName(a) + " " + version + " is not one that ralph was tried with (" + text.Line(o.Tested) + ")"
}

// claimed: the agent ended by itself as if all were well, nothing had changed,
// and the gates did not pass.
func claimed(a loop.Attempt) bool {
	return a.Agent.End == loop.EndDone && !a.Changed && a.Verdict != "" && a.Verdict != loop.Passed
}

func unsure(s loop.State) []string {
	if s.Status != loop.StatusPassed {
		return nil
	}
	if s.Reason == loop.Imported {
		return []string{"passed in another runner; ralph has no evidence of it"}
	}
	if len(s.Task.Criteria) > 0 && !reviewed(s) {
		return []string{"unreviewed: the work was not compared with its criteria (review: in ralph.yaml)"}
	}
	return nil
}

// reviewed reports whether a reviewer other than the author approved the work.
func reviewed(s loop.State) bool {
	_, results := newestRound(s)
	for _, r := range results {
		if g, _ := s.Gate(r.Gate); g.IsReview() && g.Level != loop.Soft && r.Verdict == loop.Passed {
			return true
		}
	}
	return false
}
