package loop

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
	// NewTests are tests and fixtures that the work added, at most 50; they are absent
	// here. Adding tests needs no permission.
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
