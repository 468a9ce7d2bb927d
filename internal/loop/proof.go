package loop

import "slices"

// Room is how the clean room of a gate was made.
type Room string

// The rooms, the best first. A tree is no clean room: the gate ran where others
// write (gates_in: agent, agent-driven loops).
const (
	RoomOverlay     Room = "overlay"      // layers over the tree and the HOME, thrown away, in memory
	RoomOverlayDisk Room = "overlay-disk" // the same, with what the gate writes on disk
	RoomCopy        Room = "copy"         // no layers: the tree is made anew, with a HOME of its own
	RoomTree        Room = "tree"
)

// Judging is the second evaluation of a gate that passed: the work, with every judge
// file as it is on the base. Where it did not pass, the reason, the fingerprint and the
// excerpt of the result are about it.
type Judging struct {
	// SetAside are the judge files that the work changed, added or removed without
	// permission; here they are as on the base. Sorted, at most 50 of Changed.
	SetAside []string `json:"set_aside"`
	Changed  int      `json:"changed"`
	// NewTests are tests and fixtures that the work added, and files of tests to which
	// it only added some, at most 50; here they are as on the base. Adding tests needs no
	// permission.
	NewTests []string `json:"new_tests,omitempty"`
	Verdict  Verdict  `json:"verdict"`
	Reason   string   `json:"reason"`
	// Broken: the base's tests do not even compile with the work. An interface
	// changed; nothing is said about what the tests would find.
	Broken bool   `json:"broken,omitempty"`
	Tests  *Tests `json:"tests,omitempty"`

	ExitCode     *int   `json:"exit_code,omitempty"`
	OutputFile   string `json:"output_file,omitempty"`
	OutputSHA256 string `json:"output_sha256,omitempty"`
}

// Canary is the outcome of a test of ralph's own that must fail.
type Canary string

// A swallowed canary means that the runner does not report failures on this
// commit. It is unknown where the runner of the base does not report it either,
// and not applicable where ralph knows no way to put one in.
const (
	CanaryReported  Canary = "reported"
	CanarySwallowed Canary = "swallowed"
	CanaryUnknown   Canary = "unknown"
	CanaryNA        Canary = "n/a"
)

// Red is how something was seen to fail without the work.
type Red string

// The ways, the strongest first. A test without any assertion is red by build, too.
const (
	RedOnBase      Red = "base"      // a hard gate failed on the base, twice
	RedByAssertion Red = "assertion" // a named test fails without the work
	RedByBuild     Red = "build"     // a test cannot be compiled or loaded without the work
	RedByExit      Red = "exit"      // a command that names no tests exits differently
)

// Strength orders the ways: the higher the stronger; 0 is not red.
func (r Red) Strength() int {
	all := []Red{RedByExit, RedByBuild, RedByAssertion, RedOnBase}
	return slices.Index(all, r) + 1
}

// Proof is the evidence that the gates depend on the work: something fails without
// it and passes with it.
type Proof struct {
	// Commit that was judged.
	Commit string `json:"commit"`
	// Red is how something failed without the work; empty: nothing did, or none was
	// asked for.
	Red Red `json:"red,omitempty"`
	// Gate that was red, and the tests that it named there, at most 50.
	Gate  string   `json:"gate,omitempty"`
	Tests []string `json:"tests,omitempty"`
	// OnBase: the gate showed it on the base, in both of its runs there.
	OnBase bool `json:"on_base,omitempty"`
	// Repaired is the commit on which the plan began, where the gate passed: another task
	// has broken what was red on the base, and nothing else was.
	Repaired string `json:"repaired,omitempty"`
	// Measured: the work changes nothing but tests, and a hard gate measures more coverage than
	// on the base. It passes, and stays unproved.
	Measured bool `json:"measured,omitempty"`
	// Review is the spec review whose approval stands for it (ProofReview).
	Review string `json:"review,omitempty"`
	// Why is one line: what was red, or why nothing was.
	Why string `json:"why"`
	// Weak is one line: why what was red shows little. Empty: nothing of it is known.
	Weak string `json:"weak,omitempty"`
	// Variant is the commit without the work's product changes; Undone are their
	// paths, at most 50 of UndoneCount. Without are the gates' results on it, and the one of
	// a gate that was red by build with the functions of the work hollowed.
	Variant     string   `json:"variant,omitempty"`
	Undone      []string `json:"undone,omitempty"`
	UndoneCount int      `json:"undone_count,omitempty"`
	Without     []Result `json:"without,omitempty"`
}

// Shown reports whether something was red without the work.
func (p *Proof) Shown() bool { return p != nil && p.Red.Strength() > 0 }

func (p *Proof) clone() *Proof {
	if p = copied(p); p != nil {
		p.Tests, p.Undone, p.Without = slices.Clone(p.Tests), slices.Clone(p.Undone), each(p.Without, Result.clone)
	}
	return p
}
