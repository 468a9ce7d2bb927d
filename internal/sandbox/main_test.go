package sandbox

import (
	"os"
	"testing"

	"ralph/internal/proc"
)

// TestMain makes the test binary a shim when it was started to be one.
func TestMain(m *testing.M) {
	if proc.IsShim(os.Args) {
		proc.ShimMain()
	}
	os.Exit(m.Run())
}
