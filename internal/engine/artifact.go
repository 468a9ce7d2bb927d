package engine

import "errors"

// The situations of artifacts.
var (
	ErrNoArtifact      = errors.New("no such artifact")
	ErrLargeArtifact   = errors.New("the file is too large to be published")
	ErrChangedArtifact = errors.New("the published copy was changed: it cannot be relied on")
)
