package modelserver

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptrace"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func scene() Scene {
	return Scene{Talks: []Talk{{
		{Say: "I will work.", Calls: []Call{Write("a.txt", "one\ntwo\n"), Run("echo hi")}},
		Do(Run("cat a.txt")),
		Say("Done."),
	}}}
}

// A complete conversation in each protocol, streamed and not.
func TestTalk(t *testing.T) {
	each(t, func(t *testing.T, f fake) {
		for _, stream := range []bool{true, false} {
			srv := start(t, scene())
			all := f.work(t, srv.URL, "do it", stream)
			if len(all) != 3 {
				t.Fatalf("%d answers", len(all))
			}
			if all[0].words != "I will work." || all[1].words != "" || all[2].words != "Done." {
				t.Errorf("words %q, %q, %q", all[0].words, all[1].words, all[2].words)
			}
			for _, h := range all {
				if h.in != 800 || h.cached != 200 || h.out != 50 {
					t.Errorf("%v tokens, %v cached, %v out", h.in, h.cached, h.out)
				}
			}
			if len(all[0].calls) != 2 || len(all[1].calls) != 1 || all[0].calls[0].id == all[0].calls[1].id {
				t.Fatalf("calls: %+v", all)
			}
			wrote(t, all[0].calls[0])
			if args := all[1].calls[0].args; args["command"] != "cat a.txt" && args["cmd"] != "cat a.txt" {
				t.Errorf("it runs %v", args)
			}
			want := []Seen{{Turn: 1}, {Turn: 2}, {Turn: 3}}
			for i, got := range srv.Seen() {
				if got.Turn != want[i].Turn || got.Talk != 0 || got.Fault || got.Model != "m" || got.Bytes == 0 {
					t.Errorf("seen: %+v", got)
				}
			}
		}
	})
}

// wrote: the file is asked for by the agent's own tool for that.
func wrote(t *testing.T, c called) {
	t.Helper()
	switch c.name {
	case "Write", "write_file", "write":
		path := c.args["file_path"]
		if path == nil {
			path = c.args["filePath"]
		}
		if path != "a.txt" || c.args["content"] != "one\ntwo\n" || len(c.args) != 2 {
			t.Errorf("got %+v", c)
		}
	case "apply_patch":
		if c.args["free"] != "*** Begin Patch\n*** Add File: a.txt\n+one\n+two\n*** End Patch\n" {
			t.Errorf("got %+v", c)
		}
	default:
		t.Errorf("got %+v", c)
	}
}

// The same request gets the same answer, however often it comes.
func TestNothingIsRemembered(t *testing.T) {
	each(t, func(t *testing.T, f fake) {
		srv := start(t, scene())
		for range 3 {
			_, events, err := f.post(t.Context(), srv.URL, f.request([]any{f.person("do it")}, true), true)
			if h := f.hear(events); err != nil || h.words != "I will work." {
				t.Fatalf("%+v %v", h, err)
			}
		}
	})
}

// Conversations are told apart by how they begin; the last talk is for all later
// ones.
func TestTalks(t *testing.T) {
	each(t, func(t *testing.T, f fake) {
		srv := start(t, Scene{Talks: []Talk{{Say("one")}, {Say("two")}}})
		for _, c := range [][2]string{{"a", "one"}, {"b", "two"}, {"a", "one"}, {"c", "two"}, {"b", "two"}} {
			if got := f.work(t, srv.URL, c[0], true)[0].words; got != c[1] {
				t.Errorf("%s: %q", c[0], got)
			}
		}
	})
}

func TestRefusals(t *testing.T) {
	reset := time.Unix(1795190400, 0)
	each(t, func(t *testing.T, f fake) {
		for _, tt := range []struct {
			fault  Fault
			status int
			word   string
			header [2]string
		}{
			{Refuse(401), 401, "", [2]string{}},
			{Refuse(500), 500, "Internal server error", [2]string{}},
			{Refuse(529), 529, "Overloaded", [2]string{}},
			{Throttle(3600), 429, "Rate limit", [2]string{"retry-after", "3600"}},
			{Throttle(-1), 429, "Rate limit", [2]string{"retry-after", ""}},
			{Spend(reset), 429, "", [2]string{}},
			{TooLong(), 400, "", [2]string{}},
		} {
			srv := start(t, Scene{Faults: []Fault{tt.fault}})
			resp, body, err := f.post(t.Context(), srv.URL, f.request([]any{f.person("x")}, true), true)
			if err != nil || resp.StatusCode != tt.status {
				t.Fatalf("%+v: %v %v", tt.fault, resp, err)
			}
			if words := str(body[0], "error", "message"); words == "" || !strings.Contains(words, tt.word) {
				t.Errorf("%d: %v", tt.status, body)
			}
			if tt.header[0] != "" && resp.Header.Get(tt.header[0]) != tt.header[1] {
				t.Errorf("header %q", resp.Header.Get(tt.header[0]))
			}
			if tt.fault.Kind == Spent {
				tellsReset(t, f, resp, body[0])
			}
		}
	})
}

// tellsReset: each provider tells the end of a quota in its own way, or not at
// all.
func tellsReset(t *testing.T, f fake, resp head, body object) {
	t.Helper()
	switch f.name {
	case "anthropic":
		if got := resp.Header.Get("anthropic-ratelimit-unified-reset"); got != "1795190400" {
			t.Errorf("reset %q", got)
		}
	case "gemini":
		if q := str(body, "error", "details", 0, "violations", 0, "quotaId"); !strings.Contains(q, "PerDay") {
			t.Errorf("quota %q", q)
		}
	default:
		if num(body, "error", "resets_at") != 1795190400 || str(body, "error", "type") != "usage_limit_reached" {
			t.Errorf("body %v", body)
		}
	}
}

// Faults occur at their turn, as often as configured.
func TestFaultsAreCounted(t *testing.T) {
	each(t, func(t *testing.T, f fake) {
		s := scene()
		s.Faults = []Fault{Refuse(500).At(2).Only(2)}
		srv := start(t, s)
		said := []any{f.person("do it")}
		_, events, err := f.post(t.Context(), srv.URL, f.request(said, true), true)
		if err != nil {
			t.Fatal(err)
		}
		h := f.hear(events)
		said = append(append(said, h.entries...), f.results(h.calls)...)
		var got []int
		for range 4 {
			resp, _, err := f.post(t.Context(), srv.URL, f.request(said, true), true)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, resp.StatusCode)
		}
		if d := cmp.Diff([]int{500, 500, 200, 200}, got); d != "" {
			t.Error(d)
		}
		faults := 0
		for _, s := range srv.Seen() {
			if s.Fault {
				faults++
			}
		}
		if faults != 2 {
			t.Errorf("%d faults were seen", faults)
		}
	})
}

// A cut stream ends in its middle, and the client can tell.
func TestCut(t *testing.T) {
	each(t, func(t *testing.T, f fake) {
		srv := start(t, Scene{Faults: []Fault{{Cut: true}}})
		_, events, err := f.post(t.Context(), srv.URL, f.request([]any{f.person("x")}, true), true)
		if err == nil || len(events) == 0 {
			t.Errorf("%d events, %v", len(events), err)
		}
	})
}

// A stream that hangs, and one that never begins, last until the agent goes.
func TestSilence(t *testing.T) {
	each(t, func(t *testing.T, f fake) {
		for _, fault := range []Fault{{Hang: true}, {Mute: true}} {
			srv := start(t, Scene{Faults: []Fault{fault}})
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
			resp, _, err := f.post(ctx, srv.URL, f.request([]any{f.person("x")}, true), true)
			cancel()
			if !errors.Is(err, context.DeadlineExceeded) || fault.Hang != (resp.StatusCode != 0) {
				t.Errorf("%+v: %v %v", fault, resp, err)
			}
		}
	})
}

// Closing ends every waiting request.
func TestClose(t *testing.T) {
	t.Parallel()
	f := chatFake()
	srv := start(t, Scene{Faults: []Fault{{Mute: true}}})
	failed, asked := make(chan error, 1), make(chan struct{})
	ctx := httptrace.WithClientTrace(t.Context(), &httptrace.ClientTrace{WroteRequest: func(httptrace.WroteRequestInfo) { close(asked) }})
	go func() {
		_, _, err := f.post(ctx, srv.URL, f.request([]any{f.person("x")}, true), true)
		failed <- err
	}()
	<-asked
	srv.Close()
	if err := <-failed; err == nil {
		t.Error("it got an answer")
	}
}

// A request without tools, in a scene about work, uses no turn and no fault.
func TestAside(t *testing.T) {
	t.Parallel()
	s := scene()
	s.Faults = []Fault{Refuse(500).Only(1)}
	srv := start(t, s)
	f := chatFake()
	resp, events, err := f.post(t.Context(), srv.URL, object{"model": "m", "stream": true, "messages": []any{f.person("a title?")}}, true)
	if err != nil || resp.StatusCode != 200 || f.hear(events).words != "OK" || len(srv.Seen()) != 0 {
		t.Errorf("%v %v %v", resp, events, err)
	}
}

func TestWhatIsNoRequest(t *testing.T) {
	t.Parallel()
	srv := start(t, Scene{})
	for path, want := range map[string]int{"/v1/messages": 400, "/v1/responses": 400, "/v1/chat/completions": 400, "/v1beta/models/m:generateContent": 400, "/else": 404} {
		req, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, srv.URL+path, strings.NewReader("{"))
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != want {
			t.Errorf("%s: %d", path, resp.StatusCode)
		}
	}
}

// Every agent's tool for a thing is found by what it offers.
func TestTools(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		offered tools
		call    Call
		name    string
		args    []string
	}{
		{tools{"Write": {params: []string{"file_path", "content"}}, "Bash": {}}, Write("f", "x"), "Write", []string{"content", "file_path"}},
		{tools{"Bash": {params: []string{"command"}}}, Run("ls"), "Bash", []string{"command"}},
		{tools{"shell": {params: []string{"command", "workdir"}}}, Run("ls"), "shell", []string{"command"}},
		{tools{"shell_command": {}}, Write("f", "x\n"), "shell_command", []string{"command"}},
		{tools{"apply_patch": {params: []string{"input"}}}, Write("f", "x\n"), "apply_patch", []string{"input"}},
		{tools{"else": {}}, Run("ls"), "no_tool_for_it", []string{"offered"}},
		{tools{"else": {}}, Use("Fetch", object{"url": "x"}), "Fetch", []string{"url"}},
	} {
		got := tt.offered.use(tt.call, 7)
		var args []string
		for name := range got.args {
			args = append(args, name)
		}
		slices.Sort(args)
		if got.name != tt.name || got.id != "call_7" || got.free != "" || !slices.Equal(args, tt.args) {
			t.Errorf("%+v: %+v", tt.call, got)
		}
	}
}

// FuzzRead: whatever is sent, nothing panics, and no turn is below zero.
func FuzzRead(f *testing.F) {
	for _, k := range fakes() {
		f.Add([]byte(`{"model":"m","messages":[{"role":"user","content":"x"}],"input":"x","contents":[{"role":"user","parts":[{"text":"x"}]}]}`), k.path)
	}
	f.Add([]byte(`{"messages":[{"role":"assistant","content":null},{"role":"user"}],"input":[{"type":"reasoning"},{}],"contents":[{},{"role":"model"}]}`), "/v1/responses")
	f.Fuzz(func(t *testing.T, body []byte, path string) {
		for _, w := range []wire{anthropic{}, responses{}, chat{}, gemini{}} {
			r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "http://127.0.0.1/v1beta/models/m:generateContent", nil)
			if err != nil {
				t.Fatal(err)
			}
			if req, err := w.read(r, body); err == nil && req.turn < 0 {
				t.Errorf("turn %d", req.turn)
			}
		}
		_ = protocol(path)
	})
}
