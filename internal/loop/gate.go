package loop

import (
	"slices"
	"strings"
)

// Kind is the way a gate finds its result.
type Kind string

// The kinds of gate. A command gate is judged by its exit code alone.
const (
	KindCommand  Kind = "command"
	KindTests    Kind = "tests"
	KindCoverage Kind = "coverage"
	KindLint     Kind = "lint"
	KindTypes    Kind = "types"
	// KindMutation measures how many errors in the work's lines the tests notice.
	KindMutation Kind = "mutation"
	KindVisual   Kind = "visual"
	KindReview   Kind = "review"
	KindHuman    Kind = "human"
	// KindAnswer reads a text that is the product of a task.
	KindAnswer Kind = "answer"
)

// GateOfTask begins the names of the gates that run a task's own commands.
const GateOfTask = "task"

// IsReview reports whether the gate asks reviewers or a person, instead of measuring.
// Such gates come last, each only when nothing before it blocks: an answer costs
// money or a person's time.
func (g Gate) IsReview() bool { return g.Kind == KindReview || g.Kind == KindHuman }

// MostMutants is how many mutants a gate of kind mutation tries.
func (g Gate) MostMutants() int {
	if g.Mutants > 0 {
		return g.Mutants
	}
	return 20
}

// MutationFloor is the least score of a gate of kind mutation, in per cent. The default is
// the one that Stryker calls high; all is rarely reached, since some mutants behave as the
// work does.
func (g Gate) MutationFloor() float64 {
	if g.Threshold != nil {
		return *g.Threshold
	}
	return 80
}

// Asks describes the reviewers of a judged gate, or the input of one without a
// command; empty for any other.
func (g Gate) Asks() string {
	switch {
	case g.Kind == KindAnswer:
		return "reads " + g.Answer + ": neither empty nor refused, nothing to do or broken off"
	case g.Kind == KindHuman && g.Ask != "":
		return "asks a person: " + g.Ask
	case g.Kind == KindHuman:
		return "asks a person"
	case g.Kind != KindReview:
		return ""
	case g.Review == nil || len(g.Review.Reviewers) == 0:
		return "no reviewer to ask"
	}
	var names []string
	for _, a := range g.Review.Reviewers {
		names = append(names, a.Name)
	}
	return g.Review.Kind + ": asks " + strings.Join(names, ", ")
}

// Level is hard for a gate that blocks and soft for one that is only reported.
type Level string

// The two levels of a gate.
const (
	Hard Level = "hard"
	Soft Level = "soft"
)

// Gate is a check as it was frozen when the loop started. An agent that edits
// the configuration changes nothing here.
type Gate struct {
	Name  string `json:"name"`
	Kind  Kind   `json:"kind"`
	Level Level  `json:"level"`
	// Run is a command line for sh -c.
	Run string `json:"run,omitempty"`
	// Dir is where Run starts, relative to the root of the tree.
	Dir string            `json:"dir,omitempty"`
	Env map[string]string `json:"env,omitempty"`
	// Timeout bounds one evaluation: soft warns, hard kills.
	Timeout Deadline `json:"timeout"`

	// Parse chooses the parser of test results: auto, exit, gotest, junit,
	// junit:<path>, tap, pytest, node. Empty means auto.
	Parse string `json:"parse,omitempty"`
	// MinTests is the least number of tests that must have run; nil means 1
	// where results are parsed.
	MinTests *int `json:"min_tests,omitempty"`
	// Report is the coverage report, relative to Dir; empty means detect.
	Report string `json:"report,omitempty"`
	// Mutants is how many a gate of kind mutation tries at most; 0 is the default.
	Mutants int `json:"mutants,omitempty"`
	// Threshold is the floor of a numeric gate, in its own unit (per cent).
	Threshold *float64 `json:"threshold,omitempty"`
	// Baseline makes the value measured on the base commit the floor.
	Baseline bool `json:"baseline,omitempty"`
	// Scoped makes a coverage gate count only the files of the task's scope, if
	// it has one.
	Scoped bool `json:"scoped,omitempty"`
	// Images is the folder a visual gate looks at; MinImages the least number
	// of images in it (nil means 1).
	Images    string `json:"images,omitempty"`
	MinImages *int   `json:"min_images,omitempty"`
	// Answer is the file that a gate of kind answer reads.
	Answer string `json:"answer,omitempty"`
	// Optional turns a missing tool into "skipped" instead of an error.
	Optional bool `json:"optional,omitempty"`
	// Review belongs to a gate of kind review; Ask is the question of a gate of
	// kind human.
	Review *Review `json:"review,omitempty"`
	Ask    string  `json:"ask,omitempty"`
	// NoNetwork: the command reaches no network, or the gate is an error.
	NoNetwork bool `json:"no_network,omitempty"`
	// Network: the command of a hidden gate may reach the network all the same.
	Network bool `json:"network,omitempty"`
	// Hidden: no agent sees the command, its files and its output; see Told.
	Hidden bool `json:"hidden,omitempty"`
	// Files is a folder, absolute, that lies over the tree while the hidden gate runs,
	// and FilesSHA256 the digest of what was in it when the loop started.
	Files       string `json:"files,omitempty"`
	FilesSHA256 string `json:"files_sha256,omitempty"`
	// FilesRef is a name in the git repository Files, whose tree lies there in place of the
	// folder, and FilesTree the id of that tree when the loop started.
	FilesRef  string `json:"files_ref,omitempty"`
	FilesTree string `json:"files_tree,omitempty"`
	// Flaky is how a gate that is red and green on the same commit is treated.
	Flaky Flaky `json:"flaky,omitzero"`
	// Protect lists path globs restored from the base before the gate runs.
	Protect []string `json:"protect,omitempty"`
}

// Review lists the reviewers of the work, and the rule for their approval.
type Review struct {
	// Kind is spec, quality, council or judges; see package review.
	Kind      string  `json:"kind"`
	Reviewers []Agent `json:"reviewers"`
	// Unanimous, Need and Quorum are the rule of a council; without them more
	// than half decide.
	Unanimous bool `json:"unanimous,omitempty"`
	Need      int  `json:"need,omitempty"`
	Quorum    int  `json:"quorum,omitempty"`
	// Criteria limits it to tasks that have some; Labels, Phases and Paths to
	// tasks of a plan, and to work that changes one of these files: one of the
	// three is enough.
	Criteria bool     `json:"criteria,omitempty"`
	Labels   []string `json:"labels,omitempty"`
	Phases   []string `json:"phases,omitempty"`
	Paths    []string `json:"paths,omitempty"`
	// Self lets the author's own agent judge, in a fresh context, where too few
	// others can be had.
	Self bool `json:"self,omitempty"`
}

// Seats returns the largest number of reviewer runs in one review, if each
// reviewer needs one run. Magi are three, also where fewer agents are
// configured.
func (r Review) Seats() int {
	if r.Kind == Magi && len(r.Reviewers) > 0 {
		return max(MagiSeats, len(r.Reviewers))
	}
	return len(r.Reviewers)
}

// The review that looks at a plan, and how many look at least.
const (
	Magi      = "magi"
	MagiSeats = 3
)

// Work is the kind of work that a review may apply to.
type Work struct {
	// Criteria: the task has criteria for completion.
	Criteria bool
	// Labels and Phase are those of a plan's task.
	Labels []string
	Phase  string
}

// ReviewsFor leaves out the reviews that are not for this work. Reviews that
// depend on the changed files stay, since those are known later.
func ReviewsFor(gates []Gate, w Work) []Gate {
	var out []Gate
	for _, g := range gates {
		if g.Review != nil {
			v, ok := g.Review.of(w)
			if !ok {
				continue
			}
			g.Review = &v
		}
		out = append(out, g)
	}
	return out
}

func (r *Review) of(w Work) (Review, bool) {
	v := r.clone()
	v.Criteria, v.Labels, v.Phases = false, nil, nil
	same := func(s string) func(string) bool { return func(o string) bool { return strings.EqualFold(o, s) } }
	named := w.Phase != "" && slices.ContainsFunc(r.Phases, same(w.Phase)) ||
		slices.ContainsFunc(w.Labels, func(l string) bool { return slices.ContainsFunc(r.Labels, same(l)) })
	switch {
	case r.Criteria && !w.Criteria:
		return v, false
	case named:
		v.Paths = nil // applies to any change
		return v, true
	}
	return v, len(r.Labels)+len(r.Phases) == 0 || len(r.Paths) > 0
}
