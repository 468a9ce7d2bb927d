//go:build linux || darwin

package proc

import (
	"bufio"
	"encoding/json"
	"io"
)

// initArgv starts this program as a sandbox init; the child's argv follows.
func initArgv(self string, config initConfig) []string {
	plan, _ := json.Marshal(config) // strings and flags alone: cannot fail
	return []string{self, initArg, string(plan), "--"}
}

// initConfig configures a sandbox init.
type initConfig struct {
	Landlock *LandlockRules `json:"walls,omitempty"`
	// First: it is the first process of a process namespace. It starts the child,
	// and reaps the processes that the child leaves. Otherwise it becomes the child.
	First bool `json:"first,omitempty"`
	// Proc: it mounts /proc of its namespace, and drops its privileges.
	Proc bool `json:"proc,omitempty"`
}

// initReport is one line that a sandbox init sends to its shim. When the reports
// end without Started the sandbox could not be built.
type initReport struct {
	Started bool   `json:"started,omitempty"`
	PID     int    `json:"pid,omitempty"` // the child's, in the namespace of the init
	Error   string `json:"error,omitempty"`
	// Lack: the error is for lack of something; see Exit.
	Lack bool `json:"lack,omitempty"`
	// Ended: the child has; Status is its wait status.
	Ended  bool   `json:"ended,omitempty"`
	Status uint32 `json:"status,omitempty"`
}

// readReports returns the reports of a sandbox init and closes the channel at
// their end. They come from a process that the agent cannot touch; a malformed
// line is skipped.
func readReports(r io.Reader) <-chan initReport {
	words := make(chan initReport, 4)
	go func() {
		defer close(words)
		lines := bufio.NewScanner(r)
		for lines.Scan() {
			var w initReport
			if json.Unmarshal(lines.Bytes(), &w) == nil {
				words <- w
			}
		}
	}()
	return words
}

// Command returns the command line that runs argv in the sandbox, for ralph's own
// helpers. Its exit code is that of argv, or 128 plus the number of the signal.
func (i *Sandbox) Command(argv []string) []string {
	switch {
	case i == nil:
		return argv
	case i.Landlock != nil:
		return append(initArgv(selfPath(), initConfig{Landlock: i.Landlock}), argv...)
	}
	return append(append([]string{}, i.Wrapper...), argv...)
}
