package agent

import (
	"crypto/rand"
	"fmt"

	"ralph/internal/loop"
)

// NewSession is an id for a session of its own: a random UUID.
func NewSession() string {
	b := make([]byte, 16)
	_, _ = rand.Read(b) // never fails, or ends the program
	b[6], b[8] = b[6]&0x0f|0x40, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}

// ProgramOf is how an agent's program is called: by its driver's name for it,
// or as a person configured it.
func ProgramOf(a loop.Agent, name string) []string {
	if len(a.Argv) > 0 {
		return a.Argv
	}
	return []string{name}
}
