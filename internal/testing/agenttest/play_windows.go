package agenttest

import (
	"os"
	"testing"
)

// Main runs the tests. Fake programs need signals.
func Main(m *testing.M) { os.Exit(m.Run()) }
