package engine

import (
	"errors"
	"time"
)

// MaxArtifact is how large a published file may be, in bytes.
const MaxArtifact = 64 << 20

// Artifact is a file that a loop offers to others, as it was when it did.
type Artifact struct {
	// N names it in the repository.
	N    int64
	Loop string
	// Path is where it stood, relative to the root of the loop's tree.
	Path   string
	SHA256 string
	Bytes  int64
	Note   string
	At     time.Time
}

// The situations of artifacts.
var (
	ErrNoArtifact      = errors.New("no such artifact")
	ErrLargeArtifact   = errors.New("the file is too large to be published")
	ErrChangedArtifact = errors.New("the published copy was changed: it cannot be relied on")
)
