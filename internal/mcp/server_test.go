package mcp_test

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"go.uber.org/goleak"

	"ralph/internal/mcp"
)

var update = flag.Bool("update", false, "write the golden files")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// TestWhatAModelIsTold: names, descriptions and arguments are a contract with
// every agent that has read them.
func TestWhatAModelIsTold(t *testing.T) {
	t.Parallel()
	tools, err := talk(t, newFake(), mcp.Options{}, nil).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.MarshalIndent(tools.Tools, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	const golden = "testdata/tools.json"
	if *update {
		if err := os.WriteFile(golden, append(got, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.TrimSpace(string(want)), string(got)); d != "" {
		t.Error(d)
	}
}

func TestCalls(t *testing.T) {
	t.Parallel()
	number, count := 80.0, 1
	tests := []struct {
		name, tool string
		args       map[string]any
		want       any
	}{
		{
			"init with everything", "loop_init",
			map[string]any{
				"gates": []string{"coverage"}, "threshold": 80, "task": "t", "max": 1, "confirm": 1, "timeout": "1m", "stall": "0", "on_stuck": "stop",
				"loop_id": "abc", "agent": "api", "parent": "o", "after": []string{"x"}, "scope": []string{"a/**"}, "session": "s", "dir": "/t",
			},
			mcp.InitRequest{
				Gates: []string{"coverage"}, Threshold: &number, Task: "t", Max: &count, Confirm: &count, Timeout: "1m", Stall: "0", OnStuck: "stop",
				LoopID: "abc", Agent: "api", Parent: "o", After: []string{"x"}, Scope: []string{"a/**"}, Session: "s", Dir: "/t",
			},
		},
		{"init with nothing", "loop_init", nil, mcp.InitRequest{}},
		{"check", "loop_check", nil, mcp.CheckRequest{}},
		{"check of a whole", "loop_check", map[string]any{"parent": "o", "dir": "/t"}, mcp.CheckRequest{Parent: "o", Dir: "/t"}},
		{"status", "loop_status", map[string]any{"loop_id": "a"}, mcp.StatusRequest{LoopID: "a"}},
		{"list", "loop_list", map[string]any{}, mcp.ListRequest{}},
		{"abort", "loop_abort", map[string]any{"loop_id": "a", "reason": "r"}, mcp.AbortRequest{LoopID: "a", Reason: "r"}},
		{
			"ask", "ask_human",
			map[string]any{"question": "q", "options": []string{"a", "b"}, "default": "a", "loop_id": "l", "wait_seconds": 3},
			mcp.AskRequest{Question: "q", Options: []string{"a", "b"}, Default: "a", LoopID: "l", Wait: 3},
		},
		{
			"dispute", "dispute",
			map[string]any{"gate": "tests", "why": "w", "files": []string{"a_test.go"}, "loop_id": "l"},
			mcp.DisputeRequest{Gate: "tests", Why: "w", Files: []string{"a_test.go"}, LoopID: "l"},
		},
		{"learn search", "learn_search", map[string]any{"query": "q"}, mcp.LearnSearchRequest{Query: "q"}},
		{
			"learn add", "learn_add",
			map[string]any{"text": "t", "fingerprint": "c4d5e6f7", "paths": []string{"a/**"}},
			mcp.LearnAddRequest{Text: "t", Fingerprint: "c4d5e6f7", Paths: []string{"a/**"}},
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFake()
			f.answer = mcp.Answer{ExitCode: 2, Text: "not yet", LoopID: "abc", Status: "running"}
			got, err := talk(t, f, mcp.Options{}, nil).CallTool(t.Context(), &sdk.CallToolParams{Name: tt.tool, Arguments: tt.args})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, <-f.asked); d != "" {
				t.Error(d)
			}
			object := map[string]any{"schema": "ralph.answer/v1", "exit_code": 2.0, "text": "not yet", "loop_id": "abc", "status": "running"}
			if d := cmp.Diff(object, got.StructuredContent); d != "" || got.IsError || words(got) != "not yet" {
				t.Errorf("%s (error: %v, text: %q)", d, got.IsError, words(got))
			}
		})
	}
}

// TestRefusedArguments are answers that a model can read, and nothing is done.
func TestRefusedArguments(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, tool string
		args       any
		says       string
	}{
		{"missing", "ask_human", nil, "question"},
		{"unknown", "loop_init", map[string]any{"gate": "tests"}, "gate"},
		{"of another kind", "loop_init", map[string]any{"gates": "tests"}, "gates"},
		{"words for a number", "loop_init", map[string]any{"max": "five"}, "max"},
		{"half a check", "loop_init", map[string]any{"max": 1.5}, "max"},
		{"no object", "loop_check", []string{"a"}, ""},
		{"no reason", "loop_abort", map[string]any{"loop_id": "a"}, "reason"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			f := newFake()
			got, err := talk(t, f, mcp.Options{}, nil).CallTool(t.Context(), &sdk.CallToolParams{Name: tt.tool, Arguments: tt.args})
			if err != nil {
				t.Fatal(err)
			}
			if !got.IsError || !strings.Contains(words(got), tt.says) {
				t.Errorf("error: %v, text: %s", got.IsError, words(got))
			}
			if len(f.asked) != 0 {
				t.Errorf("it was done all the same: %v", <-f.asked)
			}
		})
	}
}

func TestUnknownToolKeepsTheSession(t *testing.T) {
	t.Parallel()
	s := talk(t, newFake(), mcp.Options{}, nil)
	if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "rm"}); err == nil {
		t.Error("an unknown tool was called")
	}
	if _, err := s.ListTools(t.Context(), nil); err != nil {
		t.Error(err)
	}
}

// TestExitCodes: 0, 1 and 2 are answers, 64 and more are errors with a hint.
func TestExitCodes(t *testing.T) {
	t.Parallel()
	for code, failed := range map[int]bool{0: false, 1: false, 2: false, 3: false, 63: false, 64: true, 75: true} {
		f := newFake()
		f.answer = mcp.Answer{ExitCode: code, Text: "words", Hint: "a hint"}
		got, err := talk(t, f, mcp.Options{}, nil).CallTool(t.Context(), &sdk.CallToolParams{Name: "loop_check"})
		if err != nil {
			t.Fatal(err)
		}
		if got.IsError != failed || words(got) != "words\n  try: a hint" {
			t.Errorf("%d: error %v, text %q", code, got.IsError, words(got))
		}
	}
}

// TestLongAnswer: a model gets whole lines, and is told how many it does not.
func TestLongAnswer(t *testing.T) {
	t.Parallel()
	lines := strings.TrimSuffix(strings.Repeat("a loop that ended\n", 10000), "\n")
	for name, tt := range map[string]struct{ text, ends string }{
		"many lines":        {lines, "\na loop that ended\n… and 8635 more lines"},
		"one line":          {strings.Repeat("ä", 1<<20), "ä\n… and more"},
		"as long as it may": {strings.Repeat("x", 24<<10), "xxx"},
	} {
		f := newFake()
		f.answer = mcp.Answer{Text: tt.text}
		got, err := talk(t, f, mcp.Options{}, nil).CallTool(t.Context(), &sdk.CallToolParams{Name: "loop_list"})
		if err != nil {
			t.Fatal(err)
		}
		if w := words(got); len(w) > 25<<10 || !strings.HasSuffix(w, tt.ends) {
			t.Errorf("%s: %d bytes, ending in %q", name, len(w), w[max(0, len(w)-50):])
		}
		o := got.StructuredContent.(map[string]any)
		if o["text"] != words(got) {
			t.Errorf("%s: the object has other words", name)
		}
	}
}

func TestPanicIsAnAnswer(t *testing.T) {
	t.Parallel()
	f := newFake()
	f.during = func(context.Context) { panic("oh") }
	s := talk(t, f, mcp.Options{}, nil)
	for range 2 {
		got, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "loop_check"})
		if err != nil {
			t.Fatal(err)
		}
		if !got.IsError || !strings.Contains(words(got), "internal error: oh") {
			t.Errorf("text: %s", words(got))
		}
	}
}

func TestCancelledCall(t *testing.T) {
	t.Parallel()
	f := newFake()
	stopped := make(chan error, 1)
	f.during = func(ctx context.Context) {
		<-ctx.Done()
		stopped <- ctx.Err()
	}
	s := talk(t, f, mcp.Options{}, nil)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		<-f.asked
		cancel()
	}()
	if _, err := s.CallTool(ctx, &sdk.CallToolParams{Name: "loop_check"}); !errors.Is(err, context.Canceled) {
		t.Errorf("the client got %v", err)
	}
	if err := <-stopped; !errors.Is(err, context.Canceled) {
		t.Errorf("the call ended with %v", err)
	}
	f.during = nil
	if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "loop_check"}); err != nil {
		t.Errorf("after that: %v", err)
	}
}

// TestProgress: a long call gives signs of life to whoever asked for them.
func TestProgress(t *testing.T) {
	t.Parallel()
	heard := make(chan *sdk.ProgressNotificationParams, 100)
	f := newFake()
	f.during = func(context.Context) {
		first, second := <-heard, <-heard
		if first.ProgressToken != "p1" || second.Progress <= first.Progress || !strings.HasPrefix(first.Message, "loop_check: ") {
			t.Errorf("%+v, then %+v", first, second)
		}
	}
	s := talk(t, f, mcp.Options{Beat: time.Millisecond}, &sdk.ClientOptions{
		ProgressNotificationHandler: func(_ context.Context, r *sdk.ProgressNotificationClientRequest) { heard <- r.Params },
	})
	p := &sdk.CallToolParams{Name: "loop_check"}
	p.SetProgressToken("p1")
	if _, err := s.CallTool(t.Context(), p); err != nil {
		t.Fatal(err)
	}
	f.during = nil
	if _, err := s.CallTool(t.Context(), &sdk.CallToolParams{Name: "loop_check"}); err != nil {
		t.Fatal(err)
	}
}

func TestResources(t *testing.T) {
	t.Parallel()
	f := newFake()
	for range 60 {
		f.loops = append(f.loops, mcp.Loop{ID: "l1", Status: "running", Task: "the parser"})
	}
	s := talk(t, f, mcp.Options{}, nil)
	list, err := s.ListResources(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(list.Resources) != 100 || list.Resources[1].URI != "ralph://loops/l1/evidence" || list.Resources[0].Description != "running: the parser" {
		t.Errorf("%d resources, the second is %+v", len(list.Resources), list.Resources[1])
	}
	templates, err := s.ListResourceTemplates(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var uris []string
	for _, u := range templates.ResourceTemplates {
		uris = append(uris, u.URITemplate)
	}
	slices.Sort(uris)
	if d := cmp.Diff([]string{"ralph://loops/{id}/evidence", "ralph://loops/{id}/state"}, uris); d != "" {
		t.Error(d)
	}
	for uri, want := range map[string]string{
		"ralph://loops/l1/state":       `{"id":"l1"}`,
		"ralph://loops/l1/evidence":    "evidence of l1",
		"ralph://loops/a%20b/evidence": "evidence of a b",
		"ralph://loops/nobody/state":   "",
		"ralph://loops/broken/state":   "",
		"ralph://loops/bad/evidence":   "",
		"ralph://loops/l1/other":       "",
		"ralph://loops/a/b/state":      "",
		"file:///etc/passwd":           "",
	} {
		got, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		if want == "" {
			if err == nil {
				t.Errorf("%s was read: %+v", uri, got.Contents[0])
			}
			continue
		}
		if err != nil || got.Contents[0].Text != want {
			t.Errorf("%s: %v, %v", uri, got, err)
		}
	}
}

func words(r *sdk.CallToolResult) string {
	if len(r.Content) != 1 {
		return ""
	}
	return r.Content[0].(*sdk.TextContent).Text
}
