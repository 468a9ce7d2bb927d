package prompt

import (
	"fmt"
	"slices"

	"ralph/internal/loop"
)

// history returns the last attempts before number n that did not pass, oldest
// first, and how many came before them.
func history(q quoter, s *loop.State, n int) ([]Past, int) {
	var over []loop.Attempt
	for _, a := range s.Recent {
		if a.N < n && a.Verdict != "" && a.Verdict != loop.Passed {
			over = append(over, a)
		}
	}
	shown := newest(over, mostHistory)
	printed := map[string]int{}
	out := make([]Past, 0, len(shown))
	for _, a := range shown {
		out = append(out, past(q, a, printed))
	}
	judged, passed := s.Judged()
	return out, max(judged-passed-len(shown), 0)
}

func past(q quoter, a loop.Attempt, printed map[string]int) Past {
	p := Past{
		N: a.N, Approach: approach(a.Approach), Ended: ended(q, a.Agent),
		Changed: a.Changed, Files: q.words(a.Files, mostPaths),
		Gate: q.word(a.FailedGate), Error: q.word(a.Error), Fingerprint: q.word(a.Fingerprint),
		Failures: failures(q, a.Results, printed, a.N), Notes: q.words(a.Notes, mostPaths),
		Unproved: a.FailedGate == loop.FailedProof,
	}
	for _, c := range a.Refused {
		p.Refused = append(p.Refused, Refusal{string(c.Code), q.long(c.What)})
	}
	for _, r := range a.Results {
		if r.Verdict == loop.Passed {
			p.Passed = append(p.Passed, q.word(r.Gate))
		}
	}
	return p
}

func approach(a loop.Approach) string {
	switch {
	case a.Shift && a.Expand:
		return "another approach, with more context"
	case a.Shift:
		return "another approach"
	case a.Expand:
		return "with more context"
	}
	return ""
}

func ended(q quoter, o loop.Outcome) string {
	if o.End == loop.EndDone || o.End == "" {
		return ""
	}
	if o.Message == "" {
		return string(o.End)
	}
	return fmt.Sprintf("%s: %s", o.End, q.word(o.Message))
}

// failures returns the gates that did not pass. Output identical to an earlier
// attempt's is referred to instead of printed again: printed maps output to its
// attempt.
func failures(q quoter, results []loop.Result, printed map[string]int, n int) []Failure {
	var out []Failure
	for _, r := range results {
		if r.Verdict == loop.Passed || r.Verdict == loop.Skipped && r.Reason == "" {
			continue
		}
		f := Failure{
			Gate: q.word(r.Gate), Level: string(r.Level), Verdict: string(r.Verdict),
			Reason: q.word(r.Reason), Measure: measure(r),
		}
		if r.Tests != nil {
			f.Failing = q.words(r.Tests.Failing, mostTests)
		}
		label := "output of gate " + r.Gate
		if r.Judging != nil && r.Judging.Verdict != loop.Passed { // the output is that of this run
			label += ", with the judge files of the base"
		}
		key := label + "\x00" + r.Excerpt
		if first, ok := printed[key]; ok && r.Excerpt != "" {
			f.Output = fmt.Sprintf("The output is identical to that of attempt %d.", first)
		} else {
			f.Output = q.evidence(label, r.Excerpt)
			printed[key] = n
		}
		out = append(out, f)
	}
	return out
}

// shift names the approach that failed alike: by its files and the subjects
// and changes of its commits.
func shift(q quoter, in Input) *Shift {
	last := in.State.Last()
	if last == nil {
		return nil
	}
	alike := alike(in.State.Recent, in.Attempt)
	if len(alike) == 0 {
		return nil
	}
	newestFailure := alike[len(alike)-1]
	out := &Shift{
		Times: max(len(alike), in.State.Repeats()), Gate: q.word(newestFailure.FailedGate),
		Error: q.word(newestFailure.Error), Fingerprint: q.word(newestFailure.Fingerprint),
		Output: trace(q, newestFailure), OnBase: onBase(in.State, newestFailure),
		Unproved: newestFailure.FailedGate == loop.FailedProof && in.State.Differs,
	}
	if out.Unproved {
		return out
	}
	for _, a := range newest(alike, mostHistory) {
		out.Forbidden = append(out.Forbidden, forbidden(q, a, in.Diffs))
	}
	return out
}

// onBase reports whether the gate failed in the same way before any work.
func onBase(s loop.State, a loop.Attempt) bool {
	before, now := loop.ResultOf(s.BaseResults, a.FailedGate), loop.ResultOf(a.Results, a.FailedGate)
	return before != nil && now != nil && now.Fingerprint != "" && before.Fingerprint == now.Fingerprint
}

// alike returns the newest attempts before number n that failed with one
// fingerprint.
func alike(all []loop.Attempt, n int) []loop.Attempt {
	before := slices.IndexFunc(all, func(a loop.Attempt) bool { return a.N >= n })
	if before < 0 {
		before = len(all)
	}
	return loop.Streak(all[:before])
}

// trace returns the end of the failed gate's output.
func trace(q quoter, a loop.Attempt) string {
	for _, r := range a.Results {
		if r.Gate == a.FailedGate {
			return quoter{q.nonce, min(q.block, 4<<10)}.evidence("the error itself", r.Excerpt)
		}
	}
	return ""
}

func forbidden(q quoter, a loop.Attempt, diffs []Diff) Forbidden {
	f := Forbidden{Attempt: a.N, Changed: a.Changed, Files: q.words(a.Files, mostPaths)}
	i := slices.IndexFunc(diffs, func(d Diff) bool { return d.Attempt == a.N })
	if i < 0 {
		return f
	}
	d := diffs[i]
	f.Subject = q.word(d.Subject)
	f.Stat = q.head("files of the failed approach", d.Stat)
	f.Patch = q.head("patch of the failed approach", d.Patch)
	return f
}

// newest returns the last n of all.
func newest[T any](all []T, n int) []T { return all[max(0, len(all)-n):] }

// guided returns people's instructions for the task, the oldest first: to the
// previous loop, then to this one.
func guided(s *loop.State) []string {
	if in := s.Task.Plan; in != nil && in.Told != "" {
		return append([]string{in.Told}, s.Guidance...)
	}
	return s.Guidance
}

func guidance(q quoter, all []string) []string {
	var out []string
	for _, text := range newest(all, mostSteering) {
		out = append(out, q.whole("guidance from a person", text, q.block))
	}
	return out
}

// answers returns the answered questions. A question that asked a person to do
// the work is of no use to the next agent.
func answers(q quoter, all []loop.Question) []Answer {
	var out []Answer
	for _, a := range newest(all, mostSteering) {
		if !a.Answered || a.Work || a.Interrupted || a.Limit || a.Dispute != nil {
			continue
		}
		out = append(out, Answer{
			Question: q.whole("question of an earlier run of the agent", a.Text, q.block),
			Text:     q.whole(answerLabel(a), a.Answer, q.block),
		})
	}
	return out
}

// answerLabel names the source of an answer.
func answerLabel(a loop.Question) string {
	if a.AnsweredByPolicy() {
		return "no person answered in time; this is the default that its asker gave"
	}
	return "answer from a person"
}

// disputes lists those that were decided.
func disputes(q quoter, all []loop.Dispute) []Dispute {
	var out []Dispute
	for _, d := range all {
		if d.Ruling != "" && d.Ruling != loop.Unheard {
			out = append(out, Dispute{
				Gate: q.word(d.Gate), Why: q.whole("the reason of an earlier run of the agent", d.Why, q.block),
				MayChange: q.words(d.MayChange, mostPaths), OfRefusal: d.OfRefusal, OfProof: d.OfProof, Upheld: d.Ruling == loop.Upheld,
			})
		}
	}
	return out
}

func context(q quoter, files []File) []string {
	var out []string
	for _, f := range files[:min(len(files), mostContext)] {
		if block := q.head("file "+f.Name, f.Text); block != "" {
			out = append(out, block)
		}
	}
	if n := len(files) - mostContext; n > 0 {
		out = append(out, fmt.Sprintf("[... %d more files ...]", n))
	}
	return out
}
