package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
	"ralph/internal/testing/agenttest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// words of a provider: a whole answer in pieces, and its parts.
type provider struct {
	begin, end string
	say        func(text string) string
	stop       func(reason string) string
	cut        string // its reason for an answer cut at the limit of tokens
	refuse     string
	fails      string // in the middle
	in, out    int64
}

func providers() map[string]provider {
	sse := func(format string, args ...any) string { return "data: " + fmt.Sprintf(format, args...) + "\n\n" }
	return map[string]provider{
		"anthropic": {
			begin: "event: message_start\n" + sse(`{"type":"message_start","message":{"id":"msg_1","model":"m-1","usage":{"input_tokens":12,"cache_read_input_tokens":3,"output_tokens":1}}}`) + "event: ping\n" + sse(`{"type":"ping"}`),
			say: func(s string) string {
				return sse(`{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":%q}}`, s)
			},
			stop: func(why string) string {
				return sse(`{"type":"message_delta","delta":{"stop_reason":%q},"usage":{"output_tokens":7}}`, why) + sse(`{"type":"message_stop"}`)
			},
			end: "end_turn", cut: "max_tokens", refuse: "refusal",
			fails: sse(`{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`), in: 12, out: 7,
		},
		"openai": {
			begin: sse(`{"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"role":"assistant","content":""},"finish_reason":null}],"usage":null}`),
			say: func(s string) string {
				return sse(`{"id":"c1","model":"m-1","choices":[{"index":0,"delta":{"content":%q},"finish_reason":null}]}`, s)
			},
			stop: func(why string) string {
				return sse(`{"id":"c1","model":"m-1","choices":[{"index":0,"delta":{},"finish_reason":%q}]}`, why) +
					sse(`{"id":"c1","model":"m-1","choices":[],"usage":{"prompt_tokens":15,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":3}}}`) + "data: [DONE]\n\n"
			},
			end: "stop", cut: "length", refuse: "content_filter",
			fails: sse(`{"error":{"type":"server_error","message":"Overloaded"}}`), in: 12, out: 7,
		},
		"ollama": {
			say: func(s string) string {
				return fmt.Sprintf(`{"model":"m-1","message":{"role":"assistant","content":%q},"done":false}`+"\n", s)
			},
			stop: func(why string) string {
				return fmt.Sprintf(`{"model":"m-1","message":{"role":"assistant","content":""},"done":true,"done_reason":%q,"prompt_eval_count":12,"eval_count":7}`+"\n", why)
			},
			end: "stop", cut: "length", refuse: "content_filter", fails: `{"error":"Overloaded"}` + "\n", in: 12, out: 7,
		},
	}
}

// TestContract holds the driver to what every driver promises, as far as there
// is a program to promise it.
func TestContract(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, name string, p provider) {
		kit := agenttest.Subject{
			Driver: Driver{}, Serves: &loop.Agent{Name: "x", Use: "api", Provider: name, Model: "m-1"},
			Say: func(quoted string) string {
				var words string
				if err := json.Unmarshal([]byte(quoted), &words); err != nil {
					t.Error(err)
				}
				return p.say(words)
			},
			Done: []string{p.say("All done."), p.stop(p.end)},
		}
		odd := strings.NewReplacer(
			`"output_tokens":7`, `"output_tokens":"7"`, `"type":"message_delta"`, `"type":"message_delta","message":[]`,
			`"prompt_tokens":15`, `"prompt_tokens":14.5`, `"completion_tokens":7`, `"completion_tokens":"7"`, `"id":"c1"`, `"id":3`,
			`"done":true`, `"done":"true","error":null`, `"prompt_eval_count":12`, `"prompt_eval_count":12.0`, `"eval_count":7`, `"eval_count":"7"`,
		)
		kit.Odd = []string{odd.Replace(kit.Done[0]), odd.Replace(kit.Done[1])}
		if p.begin != "" {
			kit.Begin = []string{p.begin}
		}
		agenttest.Contract(t, kit)
	})
}

// scene is a job whose provider is h.
type scene struct {
	job    agent.Job
	events []agent.Event
}

const secret = "key-0123456789"

func stage(t *testing.T, name string, h http.HandlerFunc) *scene {
	t.Helper()
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	dir := t.TempDir()
	s := &scene{job: agent.Job{
		Agent:  loop.Agent{Name: "judge", Use: "api", Provider: name, Model: "m", BaseURL: server.URL, KeyEnv: "A_KEY"},
		Prompt: filepath.Join(dir, "prompt.md"), Raw: filepath.Join(dir, "answer.txt"), Env: []string{"A_KEY=" + secret},
		Timeout: loop.Deadline{Hard: time.Minute},
	}}
	s.job.OnEvent = func(e agent.Event) { s.events = append(s.events, e) }
	if err := os.WriteFile(s.job.Prompt, []byte("Is it good?\xff"), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *scene) run(t *testing.T) loop.Outcome {
	t.Helper()
	out, err := (Driver{}).Run(t.Context(), s.job)
	if err != nil {
		t.Fatal(err)
	}
	if s.keyLeaked(out) {
		t.Error("the key is told")
	}
	return out
}

func (s *scene) keyLeaked(out loop.Outcome) bool {
	told, _ := json.Marshal([]any{out, s.events})
	raw, _ := os.ReadFile(s.job.Raw)
	return strings.Contains(string(told)+string(raw), secret)
}

func each(t *testing.T, test func(t *testing.T, name string, p provider)) {
	t.Helper()
	for name, p := range providers() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			test(t, name, p)
		})
	}
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, name string, p provider) {
		var got map[string]any
		var header http.Header
		var path string
		s := stage(t, name, func(w http.ResponseWriter, r *http.Request) {
			body, _ := io.ReadAll(r.Body)
			_ = json.Unmarshal(body, &got)
			header, path = r.Header, r.URL.Path
			for _, part := range []string{p.begin, p.say("It is "), p.say("good.\n"), p.stop(p.end)} {
				_, _ = io.WriteString(w, part)
				w.(http.Flusher).Flush()
			}
		})
		s.job.Agent.MaxTokens = 99
		out := s.run(t)
		if out.End != loop.EndDone || out.Words != "It is good.\n" || out.Model != "m-1" {
			t.Errorf("%+v", out)
		}
		if raw, _ := os.ReadFile(s.job.Raw); string(raw) != "It is good.\n" || out.OutputBytes != 12 || out.OutputFile != s.job.Raw {
			t.Errorf("kept %q", raw)
		}
		u := out.Usage
		if u.InputTokens == nil || *u.InputTokens != p.in || u.OutputTokens == nil || *u.OutputTokens != p.out || u.CostMicroUSD != nil || *u.Turns != 1 || *u.ToolCalls != 0 {
			t.Errorf("usage %+v", u)
		}
		if last := s.events[len(s.events)-1]; last.Kind != agent.Result || last.Text != "It is good.\n" {
			t.Errorf("events %+v", s.events)
		}
		said := fmt.Sprint(got["messages"])
		if got["model"] != "m" || got["stream"] != true || !strings.Contains(said, "Is it good?�") || got["tools"] != nil {
			t.Errorf("asked %v at %s", got, path)
		}
		if key := header.Get("X-Api-Key") + header.Get("Authorization"); strings.TrimPrefix(key, "Bearer ") != secret {
			t.Errorf("headers %v", header)
		}
	})
}

func TestEnds(t *testing.T) {
	t.Parallel()
	each(t, func(t *testing.T, name string, p provider) {
		for what, tt := range map[string]struct {
			parts []string
			end   loop.End
			word  string
		}{
			"cut at its limit":      {[]string{p.begin, p.say("It"), p.stop(p.cut)}, loop.EndFailed, "max_tokens"},
			"refused":               {[]string{p.begin, p.say("I cannot"), p.stop(p.refuse)}, loop.EndFailed, "refused"},
			"empty":                 {[]string{p.begin, p.say(" \n"), p.stop(p.end)}, loop.EndFailed, "empty"},
			"an unknown reason":     {[]string{p.begin, p.say("It"), p.stop("tired")}, loop.EndFailed, "tired"},
			"cut off":               {[]string{p.begin, p.say("It is good")}, loop.EndTransient, "cut off"},
			"nothing at all":        {nil, loop.EndTransient, "cut off"},
			"fails in the middle":   {[]string{p.begin, p.say("It"), p.fails}, loop.EndTransient, "Overloaded"},
			"no protocol":           {[]string{"<html>hello</html>\n", "data: {\n\n", "data: []\n\n{\xff\n"}, loop.EndTransient, "cut off"},
			"writes about a limit":  {[]string{p.begin, p.say("usage limit reached, error 429"), p.stop(p.end)}, loop.EndDone, ""},
			"unknown events inside": {[]string{p.begin, "data: {\"type\":\"new\"}\n\n", p.say("It"), p.stop(p.end)}, loop.EndDone, ""},
		} {
			s := stage(t, name, func(w http.ResponseWriter, _ *http.Request) {
				w.Header().Set("Content-Type", "text/event-stream")
				for _, part := range tt.parts {
					_, _ = io.WriteString(w, part)
				}
			})
			if out := s.run(t); out.End != tt.end || !strings.Contains(out.Message, tt.word) || (out.End == loop.EndDone) != (out.Words != "") {
				t.Errorf("%s: %+v", what, out)
			}
		}
	})
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		status int
		header map[string]string
		body   string
		end    loop.End
		word   string
		reset  time.Duration
	}{
		"not logged in":        {401, nil, `{"type":"error","error":{"type":"authentication_error","message":"invalid x-api-key"}}`, loop.EndPermanent, "invalid x-api-key", 0},
		"a key that is echoed": {401, nil, `{"type":"error","error":{"type":"authentication_error","message":"bad key ` + secret + `"}}`, loop.EndPermanent, "bad key (key)", 0},
		"no such model":        {404, nil, `{"error":"model \"m\" not found, try pulling it first"}`, loop.EndPermanent, "try pulling", 0},
		"throttled":            {429, map[string]string{"Retry-After": "20"}, `{"error":{"message":"slow down"}}`, loop.EndTransient, "slow down", 20 * time.Second},
		"throttled, silent":    {429, nil, "", loop.EndTransient, "429", 0},
		"come back later":      {429, map[string]string{"Retry-After": "3600"}, `{"error":{"message":"quota"}}`, loop.EndLimit, "1h0m0s", time.Hour},
		"come back at":         {429, map[string]string{"Retry-After": now.Add(2 * time.Hour).Format(http.TimeFormat)}, "", loop.EndLimit, "2h", 2 * time.Hour},
		"in the past":          {429, map[string]string{"Retry-After": now.Add(-time.Hour).Format(http.TimeFormat)}, "", loop.EndTransient, "429", 0},
		"nonsense":             {429, map[string]string{"Retry-After": "NaN"}, "", loop.EndTransient, "429", 0},
		"no credit":            {429, nil, `{"error":{"type":"insufficient_quota","code":"insufficient_quota","message":"check your plan"}}`, loop.EndPermanent, "no credit", 0},
		"broken":               {500, nil, `<html>`, loop.EndTransient, "fails", 0},
		"overloaded":           {529, nil, `{"error":{"type":"overloaded_error","message":"Overloaded"}}`, loop.EndTransient, "Overloaded", 0},
		"down for hours":       {503, map[string]string{"Retry-After": "7200"}, "", loop.EndLimit, "2h", 2 * time.Hour},
		"wrong request":        {400, nil, `{"error":{"type":"invalid_request_error","message":"prompt is too long"}}`, loop.EndFailed, "too long", 0},
		"a web page":           {200, map[string]string{"Content-Type": "text/html; charset=utf-8"}, `<html>Sign in</html>`, loop.EndTransient, "base_url", 0},
		"redirected":           {307, map[string]string{"Location": "http://127.0.0.1:1/elsewhere"}, "", loop.EndPermanent, "redirects", 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stage(t, "openai", func(w http.ResponseWriter, _ *http.Request) {
				for k, v := range tt.header {
					w.Header().Set(k, v)
				}
				w.WriteHeader(tt.status)
				_, _ = io.WriteString(w, tt.body)
			})
			s.job.Now = func() time.Time { return now }
			out := s.run(t)
			if out.End != tt.end || !strings.Contains(out.Message, tt.word) || (tt.reset > 0) != !out.ResetAt.IsZero() || tt.reset > 0 && !out.ResetAt.Equal(now.Add(tt.reset)) {
				t.Errorf("%+v", out)
			}
		})
	}
}

func TestWithoutAKey(t *testing.T) {
	t.Parallel()
	called := false
	s := stage(t, "anthropic", func(http.ResponseWriter, *http.Request) { called = true })
	s.job.Env = []string{"A_KEY= "}
	if out := s.run(t); out.End != loop.EndPermanent || !strings.Contains(out.Message, "A_KEY") || called {
		t.Errorf("%+v", out)
	}
	// At an address of one's own none need be.
	s.job.Agent.KeyEnv = ""
	if out := s.run(t); out.End == loop.EndPermanent || !called {
		t.Errorf("%+v", out)
	}
	s.job.Agent.BaseURL = ""
	if out := s.run(t); out.End != loop.EndPermanent || !strings.Contains(out.Message, "ANTHROPIC_API_KEY") {
		t.Errorf("%+v", out)
	}
	s.job.Agent.Model = ""
	if out := s.run(t); out.End != loop.EndPermanent || !strings.Contains(out.Message, "agents.judge.model") {
		t.Errorf("%+v", out)
	}
}

// hangs answers so far and then no more.
func hangs(parts ...string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else the server does not see the client go
		for _, part := range parts {
			_, _ = io.WriteString(w, part)
			w.(http.Flusher).Flush()
		}
		<-r.Context().Done()
	}
}

func TestStopped(t *testing.T) {
	t.Parallel()
	p, soon := providers()["anthropic"], 100*time.Millisecond
	for name, tt := range map[string]struct {
		h      http.HandlerFunc
		change func(*agent.Job)
		end    loop.End
		word   string
	}{
		"hangs at once":  {hangs(), func(j *agent.Job) { j.Patience.Start = soon }, loop.EndTransient, "sent nothing"},
		"hangs later":    {hangs(p.begin, p.say("It")), func(j *agent.Job) { j.Patience.Stall = soon }, loop.EndTransient, "sent nothing"},
		"takes too long": {hangs(p.begin), func(j *agent.Job) { j.Timeout.Hard = soon }, loop.EndTimeout, "stopped after"},
		"is killed": {hangs(p.begin), func(j *agent.Job) {
			kill := make(chan struct{})
			close(kill)
			j.Kill = kill
		}, loop.EndFailed, "killed"},
		"cannot be reached": {hangs(), func(j *agent.Job) { j.Agent.BaseURL = "http://127.0.0.1:1" }, loop.EndTransient, "cannot be reached"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := stage(t, "anthropic", tt.h)
			tt.change(&s.job)
			if out := s.run(t); out.End != tt.end || !strings.Contains(out.Message, tt.word) {
				t.Errorf("%+v", out)
			}
		})
	}
	t.Run("by whoever started it", func(t *testing.T) {
		t.Parallel()
		enough := errors.New("enough")
		ctx, cancel := context.WithCancelCause(t.Context())
		s := stage(t, "anthropic", func(w http.ResponseWriter, r *http.Request) {
			cancel(enough)
			hangs()(w, r)
		})
		if _, err := (Driver{}).Run(ctx, s.job); !errors.Is(err, enough) {
			t.Errorf("got %v", err)
		}
	})
	t.Run("soft deadline", func(t *testing.T) {
		t.Parallel()
		s := stage(t, "anthropic", hangs())
		s.job.Timeout = loop.Deadline{Soft: soon / 2, Hard: 2 * soon}
		soft := 0
		s.job.OnSoft = func() { soft++ }
		if s.run(t); soft != 1 {
			t.Errorf("said %d times", soft)
		}
	})
}

// An answer without end is ended; one without line ends is bounded.
func TestHuge(t *testing.T) {
	t.Parallel()
	p := providers()["openai"]
	block := strings.Repeat("long ", 20000)
	s := stage(t, "openai", func(w http.ResponseWriter, r *http.Request) {
		for r.Context().Err() == nil {
			if _, err := io.WriteString(w, p.say(block)); err != nil {
				return
			}
		}
	})
	if out := s.run(t); out.End != loop.EndFailed || !strings.Contains(out.Message, "longer than") || out.OutputBytes > maxAnswer+1<<20 {
		t.Errorf("%d bytes: %s %s", out.OutputBytes, out.End, out.Message)
	}
	s = stage(t, "openai", func(w http.ResponseWriter, _ *http.Request) {
		for range 400 {
			_, _ = io.WriteString(w, block)
		}
	})
	if out := s.run(t); out.End != loop.EndTransient || out.OutputBytes != 0 {
		t.Errorf("%+v", out)
	}
}

// Whatever a server sends, only a reason to stop and words are a positive end.
func FuzzStream(f *testing.F) {
	for name, p := range providers() {
		f.Add(name, []byte(p.begin+p.say("It")+p.stop(p.end)))
		f.Add(name, []byte(p.begin+p.fails))
	}
	f.Add("openai", []byte("data:{\"choices\":[{\"finish_reason\":\"stop\"}]}\n{\n\xff"))
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		c := newCall(agent.Job{Agent: loop.Agent{Name: "judge", Provider: name}})
		if c.on == nil {
			return
		}
		lines := agent.NewLines(c.line)
		_, _ = lines.Write(text)
		lines.Flush()
		if v := c.verdictOf(nil); v.End == loop.EndDone && (c.reason != whole || strings.TrimSpace(c.said.String()) == "") || v == (stream.Verdict{}) {
			t.Errorf("%+v", v)
		}
	})
}
