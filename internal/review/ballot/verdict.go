package ballot

import (
	"time"

	"ralph/internal/loop"
)

// Kind of review.
type Kind string

// The kinds. Spec compares the work with the request, quality reviews its
// execution, a council votes on work that matters, and magi look at a plan
// after each piece of work (seed 003). Approach comes before the work: it
// reviews the way to do it. Judges is asked about changes of the files that judge the
// work: it may permit each of them.
const (
	Spec     Kind = "spec"
	Quality  Kind = "quality"
	Council  Kind = "council"
	Magi     Kind = "magi"
	Approach Kind = "approach"
	Judges   Kind = loop.JudgesReview
)

// Alone: one answer decides; reviewers are asked in turn until one has one.
func (k Kind) Alone() bool { return k == Spec || k == Quality || k == Approach || k == Judges }

// Word is how a reviewer's answer counts. The set is closed.
type Word string

// The votes: three that a reviewer casts, four that ralph notes of it.
const (
	Approve Word = "approve"
	Reject  Word = "reject"
	Abstain Word = "abstain"

	Malformed   Word = "malformed"
	Late        Word = "late"
	Unavailable Word = "unavailable"
	Tampered    Word = "tampered"
)

// Said reports whether the word is the reviewer's own.
func (w Word) Said() bool { return w == Approve || w == Reject || w == Abstain }

// Advice is a reviewer's recommendation for the whole plan (seed 003).
type Advice string

// The three recommendations.
const (
	Continue        Advice = "continue"
	NeedsHumanInput Advice = "needs_human_input"
	Archive         Advice = "archive"
)

// VerdictSchema is the name of the format of a verdict.
const VerdictSchema = "ralph.verdict/v1"

// Verdict is the answer of a reviewer. Nonce is the one of its request; nothing
// that was reviewed can know it.
type Verdict struct {
	Schema string `json:"schema,omitempty"`
	Nonce  string `json:"nonce"`
	// Verdict is approve, reject or abstain.
	Verdict Word   `json:"verdict"`
	Reason  string `json:"reason"`
	// Gaps are missing parts of the request, EdgeCases unhandled cases, Extra
	// parts that were not requested. Resolved are the ids of known gaps that
	// are resolved.
	Gaps      []string `json:"gaps,omitempty"`
	EdgeCases []string `json:"edge_cases,omitempty"`
	Extra     []string `json:"extra,omitempty"`
	Resolved  []string `json:"resolved,omitempty"`
	// Recommendation is continue where it is left out.
	Recommendation Advice `json:"recommendation,omitempty"`
	// Files are the answers about judge files, of a review of kind judges.
	Files []File `json:"files,omitempty"`
}

// File is the answer about one judge file: may the work change it as it did?
type File struct {
	Path   string `json:"path"`
	Allow  bool   `json:"allow"`
	Reason string `json:"reason"`
}

// Vote is one reviewer's answer, and how it came about.
type Vote struct {
	// Reviewer is the name of an agent, Stance its first concern.
	Reviewer string `json:"reviewer"`
	Use      string `json:"use,omitempty"`
	Model    string `json:"model,omitempty"`
	Stance   string `json:"stance,omitempty"`
	// Author: the agent did the work itself. Fallback: it replaced reviewers
	// that were unavailable.
	Author   bool `json:"author,omitempty"`
	Fallback bool `json:"fallback,omitempty"`

	Vote           Word     `json:"vote"`
	Reason         string   `json:"reason"`
	Gaps           []string `json:"gaps,omitempty"`
	EdgeCases      []string `json:"edge_cases,omitempty"`
	Extra          []string `json:"extra,omitempty"`
	Resolved       []string `json:"resolved,omitempty"`
	Recommendation Advice   `json:"recommendation,omitempty"`
	Files          []File   `json:"files,omitempty"`
	// Unknown are the ids that it called resolved and that name no known gap.
	Unknown []string `json:"unknown,omitempty"`

	// Sandbox is the sandbox in which it worked; empty where no process of it
	// ran.
	Sandbox loop.Holder `json:"sandbox,omitempty"`
	// Tries is how often it was asked.
	Tries int        `json:"tries"`
	Usage loop.Usage `json:"usage,omitzero"`
	// Costly tries can have cost something, of which Silent reported no usage.
	Costly int `json:"-"`
	Silent int `json:"-"`
	// ResetAt is when the usage limit that made it unavailable ends, as
	// reported; Transient: it may be available soon.
	ResetAt   time.Time     `json:"reset_at,omitzero"`
	Transient bool          `json:"transient,omitempty"`
	Duration  time.Duration `json:"duration_ns"`
	// The files of its last try.
	PromptFile   string `json:"prompt_file,omitempty"`
	OutputFile   string `json:"output_file,omitempty"`
	OutputSHA256 string `json:"output_sha256,omitempty"`
}

// Take makes a vote of a verdict.
func (v *Vote) Take(d Verdict) {
	v.Vote, v.Reason = d.Verdict, d.Reason
	v.Gaps, v.EdgeCases, v.Extra, v.Resolved = d.Gaps, d.EdgeCases, d.Extra, d.Resolved
	v.Recommendation, v.Files = d.Recommendation, d.Files
}
