package loop

import "time"

// Checkpoint is what a loop was at some time: its state, and a commit of the
// tree its agent worked in.
type Checkpoint struct {
	// N counts the loop's checkpoints from 1. A number may be missing.
	N  int
	At time.Time
	// Seq is the newest event then.
	Seq    int64
	Commit string
	State  State
}

// Artifact is a file that a loop offers to others, as it was when it did. What
// is shared is read-only until somebody takes it (seed 001).
type Artifact struct {
	// N names it in the repository.
	N    int64
	Loop string
	// Path is where the file stood, relative to the root of the loop's tree.
	Path   string
	SHA256 string
	Bytes  int64
	Note   string
	At     time.Time
}

// MaxArtifact is how large a published file may be, in bytes.
const MaxArtifact = 64 << 20
