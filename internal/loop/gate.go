package loop

import "strings"

// Kind says how a gate finds its result.
type Kind string

// The kinds of gate. A command gate is judged by its exit code alone.
const (
	KindCommand  Kind = "command"
	KindTests    Kind = "tests"
	KindCoverage Kind = "coverage"
	KindLint     Kind = "lint"
	KindTypes    Kind = "types"
	KindVisual   Kind = "visual"
	KindReview   Kind = "review"
	KindHuman    Kind = "human"
	// KindAnswer reads a text that is the product of a task.
	KindAnswer Kind = "answer"
)

// Judged reports whether somebody is asked, rather than something measured.
// Such gates come last, each only when nothing before it blocks: an answer costs
// money or a person's time.
func (g Gate) Judged() bool { return g.Kind == KindReview || g.Kind == KindHuman }

// Asks says in words whom a judged gate asks, or what is read by one without a
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
		return "asks nobody"
	}
	var names []string
	for _, a := range g.Review.Reviewers {
		names = append(names, a.Name)
	}
	return g.Review.Kind + ": asks " + strings.Join(names, ", ")
}

// Level says whether a gate blocks (hard) or is only reported (soft).
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
	// Review belongs to a gate of kind review; Ask is what a person is asked by
	// one of kind human.
	Review *Review `json:"review,omitempty"`
	Ask    string  `json:"ask,omitempty"`
	// NoNetwork: the command reaches no network, or the gate is an error.
	NoNetwork bool `json:"no_network,omitempty"`
	// Protect lists path globs restored from the base before the gate runs.
	Protect []string `json:"protect,omitempty"`
}
