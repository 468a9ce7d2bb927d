package cli_test

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestPromptDuringALimit: a question is put at once where all else that is under way
// waits for a usage limit. One that is left open keeps nobody from waiting on, and is
// put again at the end.
func TestPromptDuringALimit(t *testing.T) {
	t.Parallel()
	p := somewhere(t, map[string]string{
		"asker.sh": `case "$(cat)" in
*'Questions that were answered'*) echo b > b.txt;;
*) ralph ask 'Which way?' --option left --option right;;
esac
`,
		"repo/limited.yaml": `attempts:
  - - limit: {reset: 5h, text: "spent, for hours"}
    - write: {path: c.txt, text: "c\n"}
`,
		"repo/ralph.yaml": `version: 1
agents:
  asker: {use: command, run: 'sh $HOME/../../asker.sh'}
  limited: {use: script, run: limited.yaml}
`,
		"repo/limit.json": `{"tasks": [
			{"id": "b", "title": "b", "dependencies": [], "status": "ready", "agent": "asker"},
			{"id": "c", "title": "c", "dependencies": [], "status": "ready", "agent": "limited"}]}`,
	})
	t.Cleanup(p.left)
	s := sit(t, p, 100, 40, "ralph", "run", "limit.json", "--yes", "--agent", "asker", "--until", "ls *.txt").looks()
	s.sees("c  waits until ", ": spent, for hours", "? b: Which way?", "\n> ").types(enter)

	var run struct {
		Tasks []struct{ ID, Loop string }
		Live  bool
	}
	s.until("goes on without an answer", func() bool {
		if err := json.Unmarshal([]byte(p.ralph(0, "show", "limit", "--json")), &run); err != nil {
			t.Fatal(err)
		}
		return run.Live && len(run.Tasks) == 2
	})
	s.until("tries again", func() bool {
		return p.command("ralph", "resume", run.Tasks[1].Loop, "--now").Run() == nil
	})
	s.until("asks again", func() bool { return strings.Count(s.drawn(), "? b: Which way?") == 2 })
	s.sees("c  passed").types("left", enter)
	s.sees("b  passed")
	s.leaves(0)
	if log := p.ralph(0, "logs", "limit"); !strings.Contains(log, "c  waits until ") {
		t.Errorf("its log does not tell of the wait:\n%s", log)
	}
}
