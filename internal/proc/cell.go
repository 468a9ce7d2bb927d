//go:build linux || darwin

package proc

import (
	"bufio"
	"encoding/json"
	"io"
)

// cellWords start this program as a cell; the child's own words follow.
func cellWords(self string, walls *Walls) []string {
	plan, _ := json.Marshal(cellPlan{Walls: walls}) // strings alone: cannot fail
	return []string{self, cellWord, string(plan), "--"}
}

// cellPlan is what a cell is told. Without walls it is the first process of a
// namespace: it starts the child, and stays to bury what the child leaves.
type cellPlan struct {
	Walls *Walls `json:"walls,omitempty"`
}

// word is one line of what a cell tells its shim. The end of the words without
// Started says that the sandbox could not be built.
type word struct {
	Started bool   `json:"started,omitempty"`
	PID     int    `json:"pid,omitempty"` // the child's, in the namespace of the cell
	Error   string `json:"error,omitempty"`
	// Ended: the child has; Status is what the kernel said of it.
	Ended  bool   `json:"ended,omitempty"`
	Status uint32 `json:"status,omitempty"`
}

// readWords gives the words of a cell and closes at their end. They come from a
// process that the agent cannot touch; a line that is none is skipped.
func readWords(r io.Reader) <-chan word {
	words := make(chan word, 4)
	go func() {
		defer close(words)
		lines := bufio.NewScanner(r)
		for lines.Scan() {
			var w word
			if json.Unmarshal(lines.Bytes(), &w) == nil {
				words <- w
			}
		}
	}()
	return words
}

// Command is the command line that runs argv inside, for helpers of ours. Its
// exit code is that of argv, or 128 and the number of the signal.
func (i *Inside) Command(argv []string) []string {
	switch {
	case i == nil:
		return argv
	case i.Walls != nil:
		return append(cellWords(selfPath(), i.Walls), argv...)
	}
	return append(append([]string{}, i.Wrapper...), argv...)
}
