package worker

import (
	"encoding/json"
	"fmt"
	"os"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// eventLog keeps what an agent's protocol reported, a JSON object a line. It is
// bounded as the agent's output is: an agent that never stops talking fills no
// disk.
type eventLog struct {
	file *os.File
	left int
}

// maxEventLog is the size of a run's events that are kept.
const maxEventLog = 16 << 20

func openEventLog(path string) (*eventLog, error) {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o600)
	if err != nil {
		return nil, fmt.Errorf("keep the agent's events: %w", err)
	}
	l := &eventLog{file, maxEventLog}
	if info, err := file.Stat(); err == nil && info.Size() > 0 {
		// A run begins with no usage: an existing file is an earlier run's.
		l.add(agent.Event{Kind: agent.UsageSeen, Usage: &loop.Usage{}})
	}
	return l, nil
}

// add is best effort: the events explain, they prove nothing.
func (l *eventLog) add(e agent.Event) {
	if l.left <= 0 {
		return
	}
	line, err := json.Marshal(e)
	if err != nil {
		return
	}
	if l.left -= len(line) + 1; l.left <= 0 {
		line = []byte(`{"kind":"raw","text":"what followed was not kept: too many events"}`)
	}
	_, _ = l.file.Write(append(line, '\n'))
}

func (l *eventLog) Close() error { return l.file.Close() }
