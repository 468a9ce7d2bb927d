package loop

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
)

// Dispute is an agent's statement that a gate contradicts its task, or that no test can
// prove its work. It ends the agent's run, uses no attempt and is put to a person as a question. The honest
// exit lowers the share of agents that cheat on impossible tasks from most to
// about one in a hundred.
type Dispute struct {
	Gate string `json:"gate"`
	// Why is the agent's argument.
	Why string `json:"why"`
	// Files are the judge files that it says are wrong: paths from the repository's
	// root; where it names none, those that the gate's verdict set aside. They may
	// change once the dispute is upheld; without any, the person names them.
	Files []string `json:"files,omitempty"`
	// OfRefusal: Gate is no gate but a concern for which the loop refuses work (Spec.Refuse).
	OfRefusal bool `json:"of_refusal,omitempty"`
	// OfProof: Gate is no gate but the proof that the loop owes.
	OfProof bool `json:"of_proof,omitempty"`

	// Attempt is that in which it was raised, Question the one that puts it.
	Attempt  int    `json:"attempt,omitempty"`
	Question string `json:"question,omitempty"`
	// Ruling is empty while the dispute is open. MayChange are the globs of judge
	// files that were permitted; By is the person or policy that ruled.
	Ruling    Ruling    `json:"ruling,omitempty"`
	MayChange []string  `json:"may_change,omitempty"`
	By        string    `json:"by,omitempty"`
	RuledAt   time.Time `json:"ruled_at,omitzero"`
}

// About names what is disputed.
func (d Dispute) About() string {
	switch {
	case d.OfRefusal:
		return "that its work is refused (" + d.Gate + ")"
	case d.OfProof:
		return "that a test can prove its work"
	}
	return "gate " + d.Gate
}

// OfGate reports whether it is about a gate, so that judge files can be permitted.
func (d Dispute) OfGate() bool { return !d.OfRefusal && !d.OfProof }

// DisputeOf returns the dispute of a gate, of what the loop refuses work for, or of the
// proof that it owes. A gate with the name of the proof is meant before the proof.
func (s *State) DisputeOf(name, why string, files []string) Dispute {
	return Dispute{Gate: name, Why: why, Files: files, OfRefusal: s.RefusesFor(name), OfProof: name == FailedProof && s.DisputesProof()}
}

// DisputesProof reports whether the proof can be disputed: the loop owes one, and no gate
// has its name.
func (s *State) DisputesProof() bool {
	_, gate := s.Gate(FailedProof)
	return !gate && s.OwesProof()
}

// The answers to a dispute. "uphold GLOB…" permits other files than those that the
// dispute names.
const (
	SayUphold  = "uphold"
	SayDismiss = "dismiss"
)

// DisputePolicy is what becomes of a dispute.
type DisputePolicy string

// A dispute waits for a person, or is dismissed at once, where no person will come.
const (
	DisputesWait    DisputePolicy = "wait"
	DisputesDismiss DisputePolicy = "dismiss"
)

// MaxDisputes is how many disputes a loop may raise. mostWhy bounds an argument, in
// bytes of JSON; mostDisputed the files of a dispute; mostRefused the refused disputes that
// are recorded; mostQuoted and briefBytes the failing tests, and each text of a result, in
// the question.
const (
	MaxDisputes  = 2
	mostWhy      = 4 << 10
	mostDisputed = 20
	mostRefused  = 10
	mostQuoted   = 3
	briefBytes   = 2 << 10
)

// ErrTooManyDisputes: the loop has raised as many disputes as it may.
var ErrTooManyDisputes = fmt.Errorf("a loop may raise %d disputes, and this one has: do what the task and the gates ask, or stop", MaxDisputes)

// MayDispute reports whether the loop may raise one more dispute.
func (s *State) MayDispute() bool { return len(s.Disputes)-s.unheard() < MaxDisputes }

// KeepsRefused reports whether one more refused dispute is recorded.
func (s *State) KeepsRefused() bool { return s.unheard() < mostRefused }

func (s *State) unheard() (n int) {
	for _, d := range s.Disputes {
		if d.Ruling == Unheard {
			n++
		}
	}
	return n
}

// CheckDispute returns why the loop cannot take a dispute, or nil.
func (s *State) CheckDispute(d Dispute) error {
	g, known := s.Gate(d.Gate)
	switch {
	case !slices.Contains(s.disputable(), d.Gate) && !known:
		return fmt.Errorf("%q cannot be disputed in this loop, only %s", d.Gate, strings.Join(s.disputable(), ", "))
	case !known && len(d.Files) > 0:
		return fmt.Errorf("%s is not a gate: a dispute of it names no files", d.Gate)
	case known && g.Level == Soft:
		return fmt.Errorf("gate %s is soft: it keeps no work from passing", d.Gate)
	case strings.TrimSpace(d.Why) == "":
		return errors.New("a dispute needs a reason")
	case len(d.Files) > mostDisputed:
		return fmt.Errorf("a dispute names at most %d files", mostDisputed)
	}
	for _, f := range d.Files {
		if f == "" || f == "." || path.IsAbs(f) || path.Clean(f) != f || f == ".." || strings.HasPrefix(f, "../") || strings.ContainsAny(f, "*?[]{}\\\x00\n") {
			return fmt.Errorf("file %q: name one file by its path from the repository's root", f)
		}
	}
	if !s.MayDispute() {
		return ErrTooManyDisputes
	}
	return nil
}

// refusedNote stands in the note of an attempt between a gate and why a dispute of it was
// refused.
const refusedNote = " was refused: "

// TellsRefusal reports whether a note of an attempt tells of a dispute that was one too
// many, which is among the disputes of the loop too.
func TellsRefusal(note string) bool {
	return strings.HasSuffix(note, refusedNote+ErrTooManyDisputes.Error())
}

// disputable names what a dispute can be about: the hard gates, for what work is refused,
// and the proof.
func (s *State) disputable() (names []string) {
	for _, g := range s.Gates {
		if g.Level != Soft {
			names = append(names, g.Name)
		}
	}
	names = append(names, CodeNames(s.Refuse)...)
	if s.DisputesProof() {
		names = append(names, FailedProof)
	}
	return names
}

// dispute puts a dispute to a person, or dismisses it where the policy says so. One too
// many is recorded as refused.
func (s *State) dispute(at time.Time, d Dispute) error {
	if err := s.CheckDispute(d); err != nil {
		a := s.Last()
		if note := "the dispute of gate " + d.Gate + refusedNote + err.Error(); a != nil && !slices.Contains(a.Notes, note) {
			a.Notes = append(a.Notes, note)
		}
		if errors.Is(err, ErrTooManyDisputes) && s.KeepsRefused() {
			d = s.DisputeOf(d.Gate, cutText(strings.TrimSpace(d.Why), mostWhy), slices.Clone(d.Files))
			d.Attempt, d.Ruling, d.By, d.RuledAt = s.Iteration, Unheard, ByPolicy, at
			s.Disputes = append(s.Disputes, d)
		}
		return err
	}
	d = s.DisputeOf(d.Gate, cutText(strings.TrimSpace(d.Why), mostWhy), s.disputedFiles(d))
	d.Attempt = s.Iteration
	s.question(at, Question{Text: s.disputed(d), Options: d.rulings(), Dispute: new(d.clone())})
	q := s.Open()
	d.Question = q.ID
	s.Disputes = append(s.Disputes, d)
	if a := s.Last(); a != nil && s.Mode != AgentDriven {
		a.Questions++
		a.Disputed = true
	}
	switch {
	case s.DisputePolicy == DisputesDismiss:
		s.recordRuling(q, Dismissed, nil, ByPolicy, at)
	case s.Mode == AgentDriven:
		s.waitForAnswer()
	}
	return nil
}

// lastResult is the newest result of a gate on the work, briefly.
func (s *State) lastResult(gate string) *Result {
	if a := s.Last(); a != nil {
		if r := ResultOf(a.Results, gate); r != nil {
			return new(r.brief())
		}
	}
	return ResultOf(s.tally().Results, gate)
}

// brief returns what a dispute needs of a result: its verdict, its first failing tests
// and the judge files that were set aside.
func (r Result) brief() Result {
	out := Result{Gate: r.Gate, Verdict: r.Verdict, Hidden: r.Hidden, Reason: cutText(r.Reason, briefBytes)}
	if r.Tests != nil {
		out.Tests = &Tests{Failing: firstOf(r.Tests.Failing, mostQuoted)}
	}
	if r.Judging != nil {
		out.Judging = &Judging{SetAside: firstOf(r.Judging.SetAside, mostDisputed)}
	}
	return out
}

func firstOf(list []string, most int) []string {
	return slices.Clone(cutList(list[:min(len(list), most)], briefBytes))
}

func (d Dispute) clone() Dispute {
	d.Files, d.MayChange = slices.Clone(d.Files), slices.Clone(d.MayChange)
	return d
}

// disputeMark begins the line of a final message that raises a dispute.
const disputeMark = "RALPH-DISPUTE:"

// DisputeIn reads a dispute of one of the gates, of a refusal or of the proof from an agent's final
// message. Only the last line counts, and only with the exact name: text that the agent
// quotes stands before its end. Nil is none.
func (s *State) DisputeIn(final string) *Dispute {
	final = strings.TrimSpace(final)
	line := strings.TrimSpace(final[strings.LastIndexByte(final, '\n')+1:])
	rest, ok := strings.CutPrefix(line, disputeMark)
	if !ok {
		return nil
	}
	names := s.disputable()
	for _, g := range s.pick(func(g Gate) bool { return g.Level == Soft }) {
		names = append(names, g.Name)
	}
	for _, name := range names {
		if why, ok := strings.CutPrefix(strings.TrimSpace(rest), name+":"); ok && strings.TrimSpace(why) != "" {
			return new(s.DisputeOf(name, strings.TrimSpace(why), nil))
		}
	}
	return nil
}
