package tui

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"ralph/internal/engine"
	"ralph/internal/loop"
)

// TestGolden is what people see, in the sizes that must work.
func TestGolden(t *testing.T) {
	t.Parallel()
	sizes := map[string]struct {
		w, h   int
		change func(*Options)
	}{
		"80x24":       {80, 24, func(*Options) {}},
		"40x10":       {40, 10, func(*Options) {}},
		"80x24-ascii": {80, 24, ascii},
		"80x24-color": {80, 24, inColour},
		"120x40":      {120, 40, func(*Options) {}},
	}
	for page, keys := range map[string][]string{
		"list":    nil,
		"running": {"down", "down", "down", "down"},
		"ended":   {"down", "down"},
		"story":   {"down", "down", "down", "down", "enter"},
		"scroll":  {"down", "down", "down", "down", "enter", "G"},
		"events":  {"down", "down", "down", "down", "l"},
		"agent":   {"down", "down", "down", "down", "l", "tab"},
		"help":    {"?"},
		"answer":  {"down", "A", "down"},
		"abort":   {"a"},
		"why":     {"a", "y", "n", "o"},
		"filter":  {"/", "t", "o", "t", "a", "l"},
		"lost":    {"/", "x", "y", "z", "enter"},
		"wrong":   {"down", "down", "p"},
	} {
		for size, c := range sizes {
			name := page + "-" + size
			if size != "80x24" && (page == "scroll" || page == "lost" || page == "wrong" || page == "running") {
				continue
			}
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				s := newScreen(t, night(t), c.w, c.h, c.change)
				s.press(keys...)
				golden(t, name, s.text())
			})
		}
	}
}

// night is everyone, with the records of the loop that works.
func night(t *testing.T) *fake {
	e := &fake{loops: everyone()}
	dir := t.TempDir()
	files := engine.Layout{Dir: dir}
	if err := os.MkdirAll(files.Attempt(3), 0o700); err != nil {
		t.Fatal(err)
	}
	for path, text := range map[string]string{
		files.Output(3): "\x1b[32mLooking\x1b[0m at bucket.go\n10 %\r50 %\r100 %\nA long line of what an agent says, which goes on until it cannot stand on one line of a screen that is eighty columns wide.\nand no end",
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	e.change("ralph-search-index-4", func(l *engine.Loop) { l.Dir, l.Seq = dir, 1 })
	at := func(m int) loop.Stamp { return loop.Stamp{At: clockAt(11, m).UTC()} }
	for _, x := range []loop.Event{
		loop.Created{Stamp: at(48)},
		loop.Acquired{Stamp: at(48), Owner: "nina"},
		loop.Prepared{Stamp: at(49), Worktree: filepath.Join("/trees", "agent-1")},
		loop.AttemptBegan{Stamp: at(50)},
		loop.AgentEnded{Stamp: at(51), Outcome: loop.Outcome{End: loop.EndDone, Duration: time.Minute}},
		loop.GateEnded{Stamp: at(52), Result: failedTests()},
	} {
		e.happen("ralph-search-index-4", x)
	}
	return e
}

// TestEmpty is the first screen of all.
func TestEmpty(t *testing.T) {
	t.Parallel()
	s := newScreen(t, &fake{}, 80, 24)
	golden(t, "empty-80x24", s.text())
}
