package codex

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// windows returns how much of the account's usage windows was used when the session
// ended. codex exec --json does not report that; the program's own record of the
// session does: $CODEX_HOME/sessions/YEAR/MONTH/DAY/rollout-TIME-SESSION.jsonl.
// Without the file, or without the report in its end, nothing is known.
func windows(env []string, session string) []loop.Window {
	const tail = 1 << 20
	if session == "" || filepath.Base(session) != session {
		return nil
	}
	home := cmp.Or(agent.Setting(env, "CODEX_HOME"), agent.Home(env, ".codex"))
	found, err := filepath.Glob(filepath.Join(home, "sessions", "*", "*", "*", "rollout-*-"+session+".jsonl"))
	if err != nil || len(found) == 0 {
		return nil
	}
	text, err := readTail(found[len(found)-1], tail)
	if err != nil {
		return nil
	}
	for _, line := range slices.Backward(bytes.Split(text, []byte("\n"))) {
		if all := windowsIn(line); len(all) > 0 {
			return all
		}
	}
	return nil
}

// readTail returns the last n bytes of a regular file.
func readTail(path string, n int64) ([]byte, error) {
	info, err := os.Lstat(path)
	if err != nil || !info.Mode().IsRegular() {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if _, err := f.Seek(max(info.Size()-n, 0), io.SeekStart); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, n))
}

// rateLimit is the use of a window.
type rateLimit struct {
	Used     *stream.Amount `json:"used_percent"`
	Minutes  stream.Count   `json:"window_minutes"`
	ResetsAt stream.Moment  `json:"resets_at"`
}

// windowsIn returns the windows in a line of the session's record.
func windowsIn(line []byte) (all []loop.Window) {
	var in struct {
		Payload struct {
			Type   string `json:"type"`
			Limits struct {
				Primary   *rateLimit `json:"primary"`
				Secondary *rateLimit `json:"secondary"`
			} `json:"rate_limits"`
		} `json:"payload"`
	}
	if !stream.Decode(line, &in) || in.Payload.Type != "token_count" {
		return nil
	}
	for _, l := range []*rateLimit{in.Payload.Limits.Primary, in.Payload.Limits.Secondary} {
		if l != nil && l.Used != nil && l.Minutes > 0 {
			if w, ok := stream.WindowOf(spanOf(int64(l.Minutes)), float64(*l.Used), l.ResetsAt.Time); ok {
				all = append(all, w)
			}
		}
	}
	return all
}

// spanOf names a window by its length in minutes.
func spanOf(minutes int64) string {
	const hour, day = 60, 24 * 60
	switch {
	case minutes%day == 0:
		return fmt.Sprintf("%d-day", minutes/day)
	case minutes%hour == 0:
		return fmt.Sprintf("%d-hour", minutes/hour)
	}
	return fmt.Sprintf("%d-minute", minutes)
}
