package loop

import (
	"fmt"
	"strings"
)

// A state is written whole with every transition, so it has a maximum, whatever
// number of attempts a loop makes and however much they print. It keeps the newest
// attempts, questions and instructions. The store keeps each attempt in a row of
// its own, and the journal keeps everything.
//
// Ten attempts are more than any reader of the state needs: prompts quote three
// (seed 004), the failed approach is that of the newest StuckAfter (3), and
// detectors read the tally. A loop with the default limits forgets none.
const (
	mostRecent    = 10
	mostQuestions = 20
	mostGuidance  = 20
	mostSpent     = 40

	// Bytes of JSON. A person's text is never cut.
	excerptBytes  = 16 << 10
	attemptBytes  = 112 << 10
	baseBytes     = 24 << 10
	questionBytes = 16 << 10
	guidanceBytes = 16 << 10
	messageBytes  = 4 << 10
)

// Bounded returns the state without what it need not hold. It is decided on as
// before. Apply returns bounded states; those of older versions, and of imported
// loops, may hold everything.
func (s State) Bounded() State {
	s = s.clone()
	s.bound()
	return s
}

func (s *State) bound() {
	s.forget(mostRecent)
	for len(s.Recent) > 1 && heavier(attemptBytes, s.Recent, Attempt.weight) {
		s.forget(len(s.Recent) - 1)
	}
	if a := s.Last(); a != nil && heavier(attemptBytes, s.Recent, Attempt.weight) {
		a.cut()
	}
	if heavier(baseBytes, s.BaseResults, Result.weight) {
		cutResults(s.BaseResults, baseBytes/2)
	}
	if heavier(baseBytes/2, s.BaseAgain, Result.weight) {
		cutResults(s.BaseAgain, baseBytes/4)
	}
	s.boundQuestions()
	s.Guidance = newest(s.Guidance, mostGuidance)
	for len(s.Guidance) > 1 && heavier(guidanceBytes, s.Guidance, jsonBytes) {
		s.Guidance = s.Guidance[1:]
	}
	s.Message, s.PauseWhy = cutText(s.Message, messageBytes), cutText(s.PauseWhy, messageBytes)
	if s.Ending != nil {
		s.Ending.Message = cutText(s.Ending.Message, messageBytes)
	}
}

// forget drops all but the n newest attempts; the tally keeps what decisions need
// of the others.
func (s *State) forget(n int) {
	if len(s.Recent) > n {
		t := s.tally()
		s.Tally, s.Recent = &t, newest(s.Recent, n)
	}
}

// boundQuestions counts the questions before it drops the oldest: their numbers
// name them.
func (s *State) boundQuestions() {
	all := s.asked()
	s.Questions = newest(s.Questions, mostQuestions)
	for len(s.Questions) > 1 && heavier(questionBytes, s.Questions, Question.weight) {
		s.Questions = s.Questions[1:]
	}
	if len(s.Questions) == 1 {
		s.Questions[0].Text = cutText(s.Questions[0].Text, questionBytes/2)
	}
	if all > len(s.Questions) {
		s.Asked = all
	}
}

func newest[T any](all []T, n int) []T { return all[max(0, len(all)-n):] }

// heavier reports whether a list takes more bytes of JSON, about.
func heavier[T any](most int, list []T, weight func(T) int) bool {
	for _, one := range list {
		if most -= weight(one); most < 0 {
			return true
		}
	}
	return false
}

// cutText keeps the beginning of a text, at most so many bytes of JSON.
func cutText(s string, most int) string {
	if 6*len(s) <= most || jsonBytes(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:(most-8)/6], "") + "…"
}

// cutMiddle keeps the beginning of a text and more of its end, where the error is.
func cutMiddle(s string, most int) string {
	if 6*len(s) <= most || jsonBytes(s) <= most {
		return s
	}
	const mark = 64
	keep := (most - mark) * len(s) / jsonBytes(s)
	head, tail := keep/3, keep-keep/3
	for jsonBytes(strings.ToValidUTF8(s[:head], ""))+jsonBytes(strings.ToValidUTF8(s[len(s)-tail:], "")) > most-mark {
		head, tail = head*3/4, tail*3/4
	}
	return strings.ToValidUTF8(s[:head], "") + "\n[... cut; the file has all of it ...]\n" + strings.ToValidUTF8(s[len(s)-tail:], "")
}

// The weights count the JSON of the other fields as a constant.

func (a Attempt) weight() int {
	n := 1500 + jsonBytes(a.Error) + jsonBytes(a.Agent.Message) + jsonList(a.Files, a.Notes, a.Nested, a.Secrets, a.Links, a.Suspects, a.Obeyed) + a.Findings.weight()
	for _, r := range a.Results {
		n += r.weight()
	}
	for _, c := range a.Refused {
		n += 50 + jsonBytes(c.What)
	}
	for _, d := range a.Agent.Denials {
		n += 30 + jsonBytes(d.Tool) + jsonBytes(d.Rule)
	}
	for _, w := range a.Agent.Windows {
		n += 100 + jsonBytes(w.Name)
	}
	if a.Proof != nil {
		n += a.Proof.weight()
	}
	if q := a.Agent.Question; q != nil {
		n += q.weight()
	}
	return n
}

func (r Result) weight() int {
	n := 900 + jsonBytes(r.Reason) + jsonBytes(r.Weak) + jsonBytes(r.Excerpt) + jsonBytes(r.OutputFile) + jsonList(r.Missing, r.Argv, r.Restored, r.Permitted, r.Lost, r.Opened, r.Rewritten) + r.Findings.weight() + 400*len(r.Spent)
	if r.Tests != nil {
		n += jsonList(r.Tests.Failing) + jsonBytes(r.Tests.NamesFile)
	}
	for _, f := range r.Judges {
		n += f.weight()
	}
	for _, o := range r.Others {
		n += 120 + jsonBytes(o.File)
	}
	if j := r.Judging; j != nil {
		n += 300 + jsonBytes(j.Reason) + jsonBytes(j.OutputFile) + jsonList(j.SetAside, j.NewTests)
		if j.Tests != nil {
			n += jsonList(j.Tests.Failing)
		}
	}
	return n
}

func (f JudgeFile) weight() int {
	return 60 + jsonBytes(f.Path) + jsonList([]string{f.ID, f.By, f.Reason})
}

func (p *Proof) weight() int {
	n := 300 + jsonBytes(p.Why) + jsonBytes(p.Weak) + jsonList(p.Tests, p.Undone)
	for _, r := range p.Without {
		n += r.weight()
	}
	return n
}

func (q Question) weight() int {
	n := 300 + jsonBytes(q.Text) + jsonBytes(q.Answer) + jsonList(q.Options)
	if d := q.Dispute; d != nil {
		n += 300 + jsonBytes(d.Why) + jsonList(d.Files)
	}
	return n
}

// cut shortens what is too large for the state, the output first.
func (a *Attempt) cut() {
	cutResults(a.Results, attemptBytes/2)
	if p := a.Proof; p != nil {
		cutResults(p.Without, attemptBytes/8)
		p.Why, p.Weak, p.Tests, p.Undone = cutText(p.Why, messageBytes), cutText(p.Weak, messageBytes), cutList(p.Tests, 2*messageBytes), cutList(p.Undone, 2*messageBytes)
	}
	a.Error = cutText(a.Error, messageBytes)
	a.Agent.Message = cutText(a.Agent.Message, messageBytes)
	a.Files, a.Notes, a.Agent.Denials = cutList(a.Files, 2*messageBytes), cutList(a.Notes, 2*messageBytes), a.Agent.Denials[:min(len(a.Agent.Denials), 50)]
	a.Agent.Windows = a.Agent.Windows[:min(len(a.Agent.Windows), MaxWindows)]
	a.Secrets, a.Links, a.Suspects, a.Obeyed = cutNames(a.Secrets), cutNames(a.Links), cutNames(a.Suspects), cutNames(a.Obeyed)
	a.Findings = a.Findings.cut()
	for i := range a.Refused {
		a.Refused[i].What = cutText(a.Refused[i].What, messageBytes)
	}
	if q := a.Agent.Question; q != nil {
		q.Text = cutText(q.Text, messageBytes)
	}
}

// cutResults gives each result its share of the bytes.
func cutResults(results []Result, most int) {
	for i := range results {
		r := &results[i]
		share := most / len(results)
		r.Excerpt, r.Reason = cutMiddle(r.Excerpt, share/2), cutText(r.Reason, share/4)
		r.Missing, r.Argv, r.Restored = cutList(r.Missing, share/16), cutList(r.Argv, share/16), cutList(r.Restored, share/16)
		r.Permitted, r.Lost = cutList(r.Permitted, share/16), cutList(r.Lost, share/16)
		r.Opened, r.Rewritten = cutList(r.Opened, share/16), cutList(r.Rewritten, share/16)
		r.Findings, r.Judges = r.Findings.cut(), cutJudges(r.Judges, share/8)
		if r.Tests != nil {
			r.Tests.Failing = cutList(r.Tests.Failing, share/16)
		}
		if j := r.Judging; j != nil {
			j.Reason, j.SetAside, j.NewTests = cutText(j.Reason, share/16), cutList(j.SetAside, share/16), cutList(j.NewTests, share/16)
			if j.Tests != nil {
				j.Tests.Failing = cutList(j.Tests.Failing, share/16)
			}
		}
	}
}

// cutJudges keeps the first answers, at most so many bytes of them: a file without an
// answer is not allowed.
func cutJudges(files []JudgeFile, most int) []JudgeFile {
	for i := range files {
		files[i].Reason = cutText(files[i].Reason, 80)
		if most -= files[i].weight(); most < 0 {
			return files[:i]
		}
	}
	return files
}

// cutNames shortens what a person should look at, and counts what is not named.
func cutNames(list []string) []string {
	short := cutList(list, messageBytes)
	if more := len(list) - len(short); more > 0 {
		return append(short[:len(short):len(short)], fmt.Sprintf("and %d more in the diff", more))
	}
	return list
}

// cutList keeps the first texts, at most so many bytes of them.
func cutList(list []string, most int) []string {
	for i, t := range list {
		if most -= jsonBytes(t) + 3; most < 0 {
			return list[:i]
		}
	}
	return list
}
