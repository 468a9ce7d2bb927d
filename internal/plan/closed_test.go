package plan

import (
	"testing"

	"ralph/internal/testing/eventtest"
)

func TestEveryEventIsNamedAndDecoded(t *testing.T) {
	t.Parallel()
	eventtest.Closed(t, Events())
}

// Paths of a machine are in the descriptions of journal.Local events only: logs of several
// machines leave these out.
func TestDescriptionsNameNoPath(t *testing.T) {
	t.Parallel()
	const path = "/home/someone/tree"
	eventtest.NoPaths(t, Events(), path, `{"file":"`+path+`","output":"`+path+`","review":{"file":"`+path+`"}}`)
}
