package web

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"ralph/internal/engine"
)

// loop is the fake's loop.
func (f *fake) loop(t *testing.T) Loop {
	t.Helper()
	l, err := f.Loop(t.Context(), f.state.ID)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// outputTail reads the output of the agent of the newest attempt.
func outputTail(t *testing.T, f *fake, after string) *fileTail {
	t.Helper()
	l := f.loop(t)
	return newFileTail(f, l, outputSource, l.Iteration, true, after)
}

// rows are the texts of what a log gained.
func rows(p piece) (out []string) {
	for _, r := range p.Rows {
		out = append(out, r.Text)
	}
	return out
}

func more(t *testing.T, log tail) piece {
	t.Helper()
	p, err := log.more(t.Context(), true)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// TestFileTail: a file that grows, ends within a line, is begun anew, and is followed by
// that of the next attempt.
func TestFileTail(t *testing.T) {
	t.Parallel()
	f := hostile(t)
	path := f.files().Output(1)
	write(t, path, "a\n\x1b[31mred\x1b[0m\n=== RUN TestX\nhal")
	log := outputTail(t, f, "")
	p := more(t, log)
	if got := rows(p); !slices.Equal(got, []string{"a", "red", "=== RUN TestX"}) || p.Last != "hal" || !p.Rows[2].Head || p.Cut {
		t.Errorf("first: %+v", p)
	}
	if p := more(t, log); !p.empty() {
		t.Errorf("nothing was added: %+v", p)
	}
	write(t, path, "a\n\x1b[31mred\x1b[0m\n=== RUN TestX\nhalf\nb\n")
	if p := more(t, outputTail(t, f, log.place())); !slices.Equal(rows(p), []string{"half", "b"}) || p.Anew {
		t.Errorf("another process: %+v", p)
	}
	if p := more(t, log); !slices.Equal(rows(p), []string{"half", "b"}) || p.Last != "" || p.Anew {
		t.Errorf("grown: %+v", p)
	}
	write(t, path, "z\n")
	if p := more(t, log); !slices.Equal(rows(p), []string{"z"}) || !p.Anew {
		t.Errorf("begun anew: %+v", p)
	}
	f.state.Iteration = 2
	write(t, f.files().Output(2), "second\n")
	if p := more(t, log); !slices.Equal(rows(p), []string{"second"}) || !p.Anew {
		t.Errorf("the next attempt: %+v", p)
	}
	for _, place := range []string{"", "x", "9.9.agent.txt", "2.-1.agent.txt", "2.7.../secret", "1.2.agent.txt"} {
		if p := more(t, outputTail(t, f, place)); !slices.Equal(rows(p), []string{"second"}) || !p.Anew {
			t.Errorf("from %q: %+v", place, p)
		}
	}
}

// TestTailsAreBounded: of a long log the newest lines are read, and it is told that there
// are others.
func TestTailsAreBounded(t *testing.T) {
	t.Parallel()
	f := hostile(t)
	path := f.files().Output(1)
	write(t, path, strings.Repeat("x\n", mostLines+10))
	if p := more(t, outputTail(t, f, "")); len(p.Rows) != mostLines || !p.Cut {
		t.Errorf("%d lines, %v", len(p.Rows), p.Cut)
	}
	write(t, path, "first\n"+strings.Repeat("x", mostLog+10)+"\nlast\n")
	if p := more(t, outputTail(t, f, "")); !slices.Equal(rows(p), []string{"last"}) || !p.Cut {
		t.Errorf("%d rows", len(p.Rows))
	}
	write(t, path, strings.Repeat("y", mostLog+10))
	log := outputTail(t, f, "")
	more(t, log)
	if log.at == 0 {
		t.Error("a line without an end is read again and again")
	}
	f.events = nil
	for n := range int64(mostLines + engine.EventPage) {
		f.events = append(f.events, Line{n + 1, fmt.Sprint(n + 1), false})
	}
	last := int64(len(f.events))
	if p := more(t, newJournalTail(f, f.state.ID, "", last)); len(p.Rows) != mostLines || !p.Cut || p.Rows[0].Text != fmt.Sprint(engine.EventPage+1) {
		t.Errorf("%d events, %v", len(p.Rows), p.Cut)
	}
	for after, want := range map[string]int{fmt.Sprint(last): 0, fmt.Sprint(last - 3): 3, "-1": mostLines, "1e9": mostLines, fmt.Sprint(last + 1): mostLines} {
		if p := more(t, newJournalTail(f, f.state.ID, after, last)); len(p.Rows) != want {
			t.Errorf("after %s: %d events, want %d", after, len(p.Rows), want)
		}
	}
}

// TestTailLosesNothing: a file grows by pieces that end anywhere, and another process goes
// on at any time: each line is read once, in order.
func TestTailLosesNothing(t *testing.T) {
	t.Parallel()
	f := hostile(t)
	path := f.files().Output(1)
	rapid.Check(t, func(r *rapid.T) {
		write(t, path, "")
		log := outputTail(t, f, "")
		var written strings.Builder
		var got []string
		last := ""
		read := func() {
			if p := more(t, log); !p.empty() {
				got, last = append(got, rows(p)...), p.Last
			}
		}
		read()
		for _, s := range rapid.SliceOfN(rapid.StringMatching(`[a-c\n]{1,8}`), 1, 20).Draw(r, "pieces") {
			written.WriteString(s)
			file, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
			if err != nil {
				r.Fatal(err)
			}
			_, _ = file.WriteString(s)
			_ = file.Close()
			if rapid.Bool().Draw(r, "look") {
				read()
			}
			if rapid.Bool().Draw(r, "restart") {
				log = outputTail(t, f, log.place())
			}
		}
		read()
		want := strings.Split(written.String(), "\n")
		if !slices.Equal(got, want[:len(want)-1]) || last != want[len(want)-1] {
			r.Fatalf("%q and %q of %q", got, last, written.String())
		}
	})
}

// TestFollow: the stream of a log continues after the number of the newest event that the
// browser has, and shows nothing as markup.
func TestFollow(t *testing.T) {
	t.Parallel()
	source := hostile(t)
	s := newSite(t, source)
	server := httptest.NewServer(s.server)
	t.Cleanup(server.Close)
	t.Cleanup(server.CloseClientConnections)
	const log = "/r/shop-12ab/runs/evil-loop/follow?source=events"
	first := s.stream(t.Context(), server, log, "1")
	if id, data := nextLine(t, first, "id: "), nextLine(t, first, "data: "); id != "2" || live.MatchString(data) || !strings.Contains(data, "onerror=alert(1)") {
		t.Errorf("%s %s", id, data)
	}
	source.happens("3")
	if event, data := nextLine(t, first, "event: "), nextLine(t, first, "data: "); event != "append" || !strings.Contains(data, "event 3;") {
		t.Errorf("%s %s", event, data)
	}
	if data := nextLine(t, s.stream(t.Context(), server, log, "2"), "data: "); strings.Count(data, "span") != 2 || !strings.Contains(data, "event 3;") {
		t.Errorf("after 2: %s", data)
	}
	output := s.stream(t.Context(), server, "/r/shop-12ab/runs/evil-loop/follow?source=output", "")
	if event := nextLine(t, output, "event: "); event != "anew" {
		t.Error(event)
	}
	nextLine(t, output, "data: ")
	write(t, source.files().Output(1), "new\n")
	if data := nextLine(t, output, "data: "); !strings.Contains(data, "new") {
		t.Error(data)
	}
	for _, path := range []string{"/r/shop-12ab/runs/nothing/follow", "/r/nothing/runs/evil-loop/follow"} {
		if w := s.get(path); w.Code != 404 {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
}

// TestDownload: the whole log as a file, of a journal too.
func TestDownload(t *testing.T) {
	t.Parallel()
	s := newSite(t, hostile(t))
	for query, want := range map[string]string{"evil-loop/log.txt?source=events": "onerror", "evil-plan/log.txt?source=events": "onerror", "evil-loop/log.txt?source=output&attempt=1": "onerror"} {
		w := s.get("/r/shop-12ab/runs/" + query)
		if h := w.Header(); !strings.Contains(w.Body.String(), want) || !strings.HasPrefix(h.Get("Content-Type"), "text/plain") || !strings.HasPrefix(h.Get("Content-Disposition"), "attachment") {
			t.Errorf("%s: %d %v", query, w.Code, h)
		}
	}
	if w := s.get("/r/shop-12ab/runs/evil-loop/log.txt?source=" + filepath.Base(s.source.files().Output(1))); w.Code != 404 {
		t.Errorf("%d", w.Code)
	}
}
