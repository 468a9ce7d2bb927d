package loop

import "time"

// ObeyedNote ends the note about a file outside of the tree that the agent changed.
const ObeyedNote = ", which later sessions of agents obey, reviewers included: look at it"

// Attempt is one run of the agent and one evaluation of the gates.
type Attempt struct {
	N         int       `json:"n"`
	Approach  Approach  `json:"approach"`
	StartedAt time.Time `json:"started_at,omitzero"`
	EndedAt   time.Time `json:"ended_at,omitzero"`
	// Interruptions of the agent by crashes, stops, limits and transient
	// errors; Questions put to a person.
	Interruptions int `json:"interruptions,omitempty"`
	Questions     int `json:"questions,omitempty"`
	// Crashes are unrequested interruptions of its steps since a person last wanted
	// one repeated. Limits.Interruptions bounds them.
	Crashes int `json:"crashes,omitempty"`

	// Usage of all runs of this attempt, also of those that were cut off, and of
	// its reviewers; Runs counts the agent's, and CostUnknown those of both whose
	// cost was not reported. By is the agent that ran last.
	Usage       Usage  `json:"usage"`
	Runs        int    `json:"runs,omitempty"`
	CostUnknown int    `json:"cost_unknown,omitempty"`
	By          string `json:"by,omitempty"`
	// SessionUsed is the usage of all runs in the agent's current session: some
	// programs count over the whole of it.
	SessionUsed Usage `json:"session_used,omitzero"`

	Agent   Outcome  `json:"agent"`
	Commit  string   `json:"commit,omitempty"`
	Tree    string   `json:"tree,omitempty"`
	Changed bool     `json:"changed"`
	Files   []string `json:"files,omitempty"`
	// Rewritten: the agent rewrote history. Nested are repositories inside its tree,
	// which the commit does not hold, at most 5.
	Rewritten bool     `json:"rewritten,omitempty"`
	Nested    []string `json:"nested,omitempty"`
	// Secrets name what looks like secrets in the commits of the loop up to this one:
	// rule, file and line, and never the value.
	Secrets []string `json:"secrets,omitempty"`
	// Links are symbolic links of the commit that leave the repository and that the
	// base does not have, as "path → target", at most 20. They refuse the attempt.
	Links []string `json:"links,omitempty"`
	// Refused are the concerns for which the attempt failed that passed all else, as its
	// agent is told (Spec.Refuse).
	Refused []Concern `json:"refused,omitempty"`
	// Suspects are lines that the work adds and for which gates may be green although the
	// task is not done, as "path:line what it does", at most 20.
	Suspects []string `json:"suspects,omitempty"`
	// Findings are the lines of the other concerns about what the work adds.
	Findings Findings `json:"findings,omitempty"`
	// Obeyed are changed files that later sessions of agents and editors, or the set-up of
	// later loops, obey, at most 20.
	Obeyed []string `json:"obeyed,omitempty"`
	// Notes are facts for people: a rewritten branch, changed tests.
	Notes []string `json:"notes,omitempty"`

	Results []Result `json:"results,omitempty"`
	// Proof is known once all hard gates have passed; nil before, and in attempts of
	// older versions.
	Proof *Proof `json:"proof,omitempty"`
	// Disputed: the agent raised a dispute in the present run, which ends without a
	// judgement.
	Disputed bool `json:"disputed,omitempty"`
	// Verifying: the results are those of the final verification of an agent-driven
	// loop, after its gates passed in the agent's tree.
	Verifying bool `json:"verifying,omitempty"`
	// Passes counts evaluations in a row that passed, for confirmation.
	Passes  int     `json:"passes,omitempty"`
	Verdict Verdict `json:"verdict,omitempty"`
	// FailedGate, Fingerprint and Error describe the failure in one line. Detail
	// refines the fingerprint: see Result.
	FailedGate  string `json:"failed_gate,omitempty"`
	Fingerprint string `json:"fingerprint,omitempty"`
	Detail      string `json:"detail,omitempty"`
	Error       string `json:"error,omitempty"`
}

// Approach is the strategy that the prompt of an attempt asks for.
type Approach struct {
	// Shift: the last approach failed StuckAfter times alike and is forbidden.
	Shift bool `json:"shift,omitempty"`
	// Expand: the named files and symbols go into the prompt.
	Expand bool `json:"expand,omitempty"`
}

// upcoming is the number and the approach of the attempt to make now: the
// present one again if it was not judged, else the next.
func (s *State) upcoming() (int, Approach) {
	if a := s.Last(); a != nil && a.Verdict == "" {
		return a.N, a.Approach
	}
	return s.Iteration + 1, s.approach()
}

func (s *State) begin(n int, approach Approach, at time.Time) {
	s.Iteration = n
	s.Recent = append(s.Recent, Attempt{N: n, Approach: approach, StartedAt: at})
	if old := len(s.Recent) - 2 - historyKept; old >= 0 {
		s.Recent[old].compact()
	}
}

// historyKept is how many attempts before the present one keep their verbatim
// output in the state (seed 004: a rolling window of the last 3). All of it
// stays in the files of the attempt.
const historyKept = 3

func (a *Attempt) compact() {
	compact(a.Results)
	if a.Proof != nil {
		compact(a.Proof.Without)
	}
}

func compact(results []Result) {
	for i := range results {
		r := &results[i]
		r.Excerpt, r.Missing, r.Argv = "", nil, nil
	}
}
