package view

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"ralph/internal/loop"
	"ralph/internal/text"
)

func encode(t *testing.T, v any) string {
	t.Helper()
	b, err := Encode(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func TestGolden(t *testing.T) {
	t.Parallel()
	plain := Palette{}
	for name, got := range map[string]func() string{
		"list":        func() string { return List(everyItem(), nil, "", false, 0, now, plain) },
		"list-empty":  func() string { return List(nil, nil, "", false, 0, now, plain) },
		"list-color":  func() string { return List(everyItem(), nil, "", true, 0, now, Palette{Color: true}) },
		"list-ascii":  func() string { return List(everyItem(), nil, "", true, 0, now, Palette{ASCII: true}) },
		"list-json":   func() string { return encode(t, ListOf([]Item{asking(), crashed()}, nil, now)) },
		"show-passed": func() string { return LoopOf(Item{passed().State, Facts{}}, now).Show(now, plain) },
		"show-stuck":  func() string { return LoopOf(Item{stuckLoop().State, Facts{Archived: true}}, now).Show(now, plain) },
		"show-asking": func() string { return LoopOf(Item{asking().State, Facts{}}, now).Show(now, plain) },
		"show-hostile": func() string {
			return LoopOf(Item{hostileItem(evil).State, hostileItem(evil).Facts}, now).Show(now, plain)
		},
		"evidence":       func() string { return LoopOf(Item{exhausted().State, Facts{}}, now).Evidence(now, plain) },
		"evidence-none":  func() string { return LoopOf(Item{paused().State, Facts{}}, now).Evidence(now, plain) },
		"object-passed":  func() string { return encode(t, LoopOf(Item{passed().State, Facts{}}, now).Object()) },
		"object-crashed": func() string { return encode(t, LoopOf(Item{crashed().State, crashed().Facts}, now).Object()) },
		"report": func() string {
			return Markdown(Summarize("shop-api", everyItem(), nil, now), now)
		},
		"report-empty":   func() string { return Markdown(Summarize("shop-api", nil, nil, now), now) },
		"report-hostile": func() string { return Markdown(Summarize(evil, []Item{hostileItem(evil)}, nil, now), now) },
		"report-json":    func() string { return encode(t, Summarize("shop-api", everyItem(), nil, now)) },
		"attempts": func() string {
			return LoopOf(Item{exhausted().State, Facts{}}, now).AttemptsTable(plain) + LoopOf(Item{stuckLoop().State, Facts{}}, now).AttemptsTable(plain)
		},
		"attempts-json":     func() string { return encode(t, LoopOf(Item{exhausted().State, Facts{}}, now).AttemptsObject()) },
		"migration":         func() string { return MigrationText(migrated("a clock that is slow"), plain) },
		"migration-hostile": func() string { return MigrationText(migrated(evil), plain) },
		"migration-dry": func() string {
			m := migrated("x")
			m.DryRun, m.Problems, m.Link = true, nil, nil
			return MigrationText(m, plain) + MigrationText(Migration{}, plain)
		},
		"ending": func() string {
			var all []string
			for _, i := range []Item{passed(), exhausted(), stuckLoop(), timedOut(), alreadyGreen()} {
				all = append(all, LoopOf(Item{i.State, i.Facts}, now).Ending(plain)...)
			}
			return strings.Join(all, "\n") + "\n"
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			golden(t, name, got())
		})
	}
}

// texts are everything that is made for a terminal.
func texts(i Item, evil string, p Palette) map[string]string {
	s := i.State
	var result loop.Result
	if len(s.Recent) > 1 && len(s.Recent[1].Results) > 1 {
		result = s.Recent[1].Results[1]
	}
	row := i.Run(now).Row(now, p)
	var story strings.Builder
	for _, part := range LoopOf(Item{s, i.Facts}, now).Story(now, p) {
		story.WriteString(part.Text)
	}
	return map[string]string{
		"row":       strings.Join(append(row.Details, row.Status, row.ID, row.Next), "\n"),
		"story":     story.String(),
		"happened":  new(Log).Happened(loop.Steered{Text: evil}),
		"list":      List([]Item{i}, nil, "", true, 0, now, p),
		"show":      LoopOf(Item{s, i.Facts}, now).Show(now, p),
		"evidence":  LoopOf(Item{s, Facts{}}, now).Evidence(now, p),
		"opening":   strings.Join(Opening(s, p), "\n"),
		"ending":    strings.Join(LoopOf(Item{s, i.Facts}, now).Ending(p), "\n"),
		"progress":  Progress(s, Activity{LastOutput: now.Add(-time.Minute)}, now, p),
		"heartbeat": Heartbeat(s, Activity{LastOutput: now.Add(-time.Minute)}, now),
		"markdown":  Markdown(Summarize("p", []Item{i}, nil, now), now),
		"history": new(Log).Lines([]PastEvent{
			{1, loop.Steered{Text: evil}},
			{2, loop.Kept{Ref: evil}},
			{3, loop.GateEnded{Result: result}},
		}, now, p),
		"lines":  strings.Join(Lines(s, Item{State: s}, loop.Steered{Text: evil}, now, p), "\n"),
		"failed": strings.Join(Lines(s, Item{State: s}, loop.GateEnded{Result: result}, now, p), "\n"),
		"plain":  strings.Join(Plain(s, s, loop.GateEnded{Result: result}), "\n"),
		"commit": strings.Join(Lines(s, Item{State: s}, loop.Committed{Changed: true, Commit: evil, Files: []string{evil}, Notes: []string{evil}}, now, p), "\n"),
	}
}

func TestNothingHostileReachesTheTerminal(t *testing.T) {
	t.Parallel()
	harmlessTexts(t, evil)
	doc := encode(t, Summarize(evil, []Item{hostileItem(evil)}, nil, now))
	for _, r := range doc {
		if unicode.IsControl(r) && r != '\n' || unicode.Is(unicode.Bidi_Control, r) {
			t.Fatalf("JSON: %U as itself", r)
		}
	}
	var back map[string]any
	if err := json.Unmarshal([]byte(doc), &back); err != nil {
		t.Fatal(err)
	}
}

func FuzzTexts(f *testing.F) {
	f.Add(evil)
	f.Add("\u009b31m漢\r\n\t")
	f.Fuzz(func(t *testing.T, s string) { harmlessTexts(t, s) })
}

func harmlessTexts(t *testing.T, foreign string) {
	t.Helper()
	for name, text := range texts(hostileItem(foreign), foreign, Palette{}) {
		if !utf8.ValidString(text) {
			t.Errorf("%s: invalid UTF-8", name)
		}
		for _, r := range text {
			if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
				t.Errorf("%s: %U on the terminal", name, r)
				break
			}
		}
		if name == "plain" && strings.Contains(text, "\n") {
			t.Errorf("plain: foreign text made a second line: %q", text)
		}
	}
}

// TestWidth: lists, lines and endings have at most 80 columns. Commands,
// names of branches and words of a failure are never cut.
func TestWidth(t *testing.T) {
	t.Parallel()
	whole := func(l string) bool {
		return strings.Contains(l, "ralph ") || strings.Contains(l, "wip/") || strings.Contains(l, "branch ")
	}
	items := everyItem()
	for i := range items {
		items[i].State.Task.Text = strings.Repeat("a long task 漢字 ", 600)
	}
	for _, p := range []Palette{{}, {ASCII: true}} {
		out := map[string]string{"list": List(items, nil, "", true, 0, now, p)}
		for _, i := range items {
			out["opening "+i.State.ID] = strings.Join(Opening(i.State, p), "\n")
			out["ending "+i.State.ID] = strings.Join(LoopOf(Item{i.State, i.Facts}, now).Ending(p), "\n")
			out["progress "+i.State.ID] = Progress(i.State, Activity{LastOutput: now}, now, p)
		}
		for name, shown := range out {
			for l := range strings.SplitSeq(shown, "\n") {
				if n := text.Width(l); n > 84 || n > 80 && !p.ASCII && !whole(l) {
					t.Errorf("%s: %d columns: %q", name, n, l)
				}
			}
		}
	}
}

func TestWords(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		List(everyItem(), nil, "", true, 0, now, Palette{}), Markdown(Summarize("p", everyItem(), nil, now), now),
		strings.Join(LoopOf(Item{passed().State, Facts{}}, now).Ending(Palette{}), "\n"),
	} {
		if strings.Contains(strings.ToLower(text), "successful") {
			t.Error("a word that nobody can prove")
		}
	}
	s := stuckLoop().State
	for name, text := range map[string]string{
		"list": List([]Item{stuckLoop()}, nil, "", true, 0, now, Palette{}), "show": LoopOf(Item{s, Facts{}}, now).Show(now, Palette{}),
		"opening": strings.Join(Opening(s, Palette{}), "\n"), "heartbeat": Heartbeat(s, Activity{}, now),
		"report": Markdown(Summarize("p", []Item{stuckLoop()}, nil, now), now),
		"ending": strings.Join(LoopOf(Item{s, Facts{}}, now).Ending(Palette{}), "\n"),
	} {
		if !strings.Contains(text, "script") || !strings.Contains(text, "(scripted)") && name != "ending" {
			t.Errorf("%s does not say that the agent is scripted", name)
		}
		if strings.Contains(text, "$0") {
			t.Errorf("%s shows an unknown cost as zero", name)
		}
	}
}
