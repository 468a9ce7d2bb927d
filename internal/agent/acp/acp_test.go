//go:build unix

package acp

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/coder/acp-go-sdk"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/testing/agenttest"
)

const sceneVariable = "ACP_TEST_SCENE"

func TestMain(m *testing.M) {
	if scene := os.Getenv(sceneVariable); scene != "" && !proc.IsShim(os.Args) {
		play(scene)
		return
	}
	agenttest.Main(m)
}

// What every driver promises. The program's words are written out here: it
// answers what it is asked, in the order in which the protocol asks.
func TestContract(t *testing.T) {
	t.Parallel()
	update := func(u string) string {
		return `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s-1","update":` + u + `}}`
	}
	call := func(status string) string {
		return update(`{"sessionUpdate":"tool_call","toolCallId":"c{{n}}","title":"make","kind":"execute","status":"` + status + `","rawInput":{"command":"make"}}`)
	}
	say := func(words string) string {
		return update(`{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":` + words + `}}`)
	}
	agenttest.Contract(t, agenttest.Subject{
		Driver: Driver{}, Program: "speaker", Version: "1.2.3",
		Begin: []string{
			"{{hear}}", `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"speaker","version":"1.2.3"},"agentCapabilities":{},"authMethods":[]}}`,
			"{{hear}}", `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s-1"}}`, "{{hear}}",
		},
		Say:     say,
		Work:    []string{call("in_progress"), update(`{"sessionUpdate":"tool_call_update","toolCallId":"c{{n}}","status":"completed"}`)},
		Running: []string{call("in_progress")},
		Done: []string{
			say(`"All done."`), update(`{"sessionUpdate":"usage_update","used":1,"size":2,"cost":{"amount":0.5,"currency":"USD"}}`),
			`{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn","usage":{"inputTokens":12,"outputTokens":7,"cachedReadTokens":3}}}`,
		},
		Odd: []string{
			`  ` + update(`{"sessionUpdate":"agent_message_chunk","messageId":5,"content":{"type":"text","text":"All done.","annotations":3},"kind":[],"_meta":"x"}`),
			update(`{"sessionUpdate":"usage_update","used":"1","size":1.5,"cost":{"amount":"0.5","currency":"USD"},"title":{}}`), update(`{"sessionUpdate":"plan","entries":"none"}`),
			`{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn","userMessageId":7,"_meta":[],"usage":{"inputTokens":"12","outputTokens":6.5,"cachedReadTokens":3.0,"totalTokens":"many"}}} `,
		},
	})
}

// fake is an agent that speaks the protocol through the SDK's other side.
type fake struct {
	sdk.Agent
	scene string
	mode  string // that it was put into
	conn  *sdk.AgentSideConnection
}

func play(scene string) {
	f := &fake{scene: scene}
	f.conn = sdk.NewAgentSideConnection(f, os.Stdout, os.Stdin)
	<-f.conn.Done()
}

func (f *fake) Initialize(context.Context, sdk.InitializeRequest) (sdk.InitializeResponse, error) {
	hello := sdk.InitializeResponse{ProtocolVersion: 1, AgentInfo: &sdk.Implementation{Name: "fake", Version: "1.2.3"}, AuthMethods: []sdk.AuthMethod{}}
	hello.AgentCapabilities.LoadSession = f.scene == "loads" || f.scene == "has forgotten"
	if f.scene == "resumes" {
		hello.AgentCapabilities.SessionCapabilities.Resume = &sdk.SessionResumeCapabilities{}
	}
	return hello, nil
}

// LoadSession tells everything again that was said.
func (f *fake) LoadSession(ctx context.Context, r sdk.LoadSessionRequest) (sdk.LoadSessionResponse, error) {
	if f.scene == "has forgotten" {
		return sdk.LoadSessionResponse{}, &sdk.RequestError{Code: -32603, Message: "Session not found"}
	}
	f.say(ctx, r.SessionId, sdk.UpdateAgentMessageText("Said before."))
	f.say(ctx, r.SessionId, sdk.StartToolCall("c-old", "make", sdk.WithStartKind(sdk.ToolKindExecute), sdk.WithStartStatus(sdk.ToolCallStatusCompleted)))
	f.cost(ctx, r.SessionId, 0.5)
	return sdk.LoadSessionResponse{}, nil
}

func (f *fake) ResumeSession(context.Context, sdk.ResumeSessionRequest) (sdk.ResumeSessionResponse, error) {
	return sdk.ResumeSessionResponse{}, nil
}

func (f *fake) SetSessionConfigOption(_ context.Context, r sdk.SetSessionConfigOptionRequest) (sdk.SetSessionConfigOptionResponse, error) {
	f.mode = string(r.ValueId.Value)
	return sdk.SetSessionConfigOptionResponse{ConfigOptions: []sdk.SessionConfigOption{}}, nil
}

func (f *fake) cost(ctx context.Context, id sdk.SessionId, dollars float64) {
	f.say(ctx, id, sdk.SessionUpdate{UsageUpdate: &sdk.SessionUsageUpdate{SessionUpdate: "usage_update", Used: 1, Size: 2, Cost: &sdk.Cost{Amount: dollars, Currency: "USD"}}})
}

func (f *fake) NewSession(_ context.Context, r sdk.NewSessionRequest) (sdk.NewSessionResponse, error) {
	if f.scene == "is not logged in" {
		return sdk.NewSessionResponse{}, &sdk.RequestError{Code: -32000, Message: "Authentication required"}
	}
	modes := sdk.SessionConfigSelectOptionsUngrouped{{Value: "build", Name: "build"}, {Value: "ralph-reader", Name: "reader"}}
	return sdk.NewSessionResponse{SessionId: sdk.SessionId("s-" + filepath.Base(r.Cwd)), ConfigOptions: []sdk.SessionConfigOption{
		{Select: &sdk.SessionConfigOptionSelect{Type: "select", Id: "mode", Name: "mode", CurrentValue: "build", Options: sdk.SessionConfigSelectOptions{Ungrouped: &modes}}},
	}}, nil
}

func (f *fake) Cancel(context.Context, sdk.CancelNotification) error { return nil }

func (f *fake) say(ctx context.Context, id sdk.SessionId, u sdk.SessionUpdate) {
	_ = f.conn.SessionUpdate(ctx, sdk.SessionNotification{SessionId: id, Update: u})
}

// edits asks for permission, and writes the file if it has it.
func (f *fake) edits(ctx context.Context, id sdk.SessionId, kind sdk.ToolKind, path string) {
	call := sdk.ToolCallId("c-" + path)
	at := []sdk.ToolCallLocation{{Path: path}}
	f.say(ctx, id, sdk.StartToolCall(call, "Write "+path, sdk.WithStartKind(kind), sdk.WithStartLocations(at), sdk.WithStartRawInput(map[string]any{"path": path})))
	answer, err := f.conn.RequestPermission(ctx, sdk.RequestPermissionRequest{
		SessionId: id, ToolCall: sdk.ToolCallUpdate{ToolCallId: call, Kind: &kind, Locations: at},
		Options: []sdk.PermissionOption{{Kind: "allow_always", Name: "ever", OptionId: "ever"}, {Kind: "allow_once", Name: "yes", OptionId: "yes"}, {Kind: "reject_once", Name: "no", OptionId: "no"}},
	})
	status := sdk.ToolCallStatusFailed
	if err == nil && answer.Outcome.Selected != nil && answer.Outcome.Selected.OptionId == "yes" {
		status = sdk.ToolCallStatusCompleted
		_ = os.WriteFile(path, []byte("x"), 0o600)
	}
	f.say(ctx, id, sdk.UpdateToolCall(call, sdk.WithUpdateStatus(status)))
}

func (f *fake) Prompt(ctx context.Context, r sdk.PromptRequest) (sdk.PromptResponse, error) {
	dir, _ := os.Getwd()
	id, end := r.SessionId, sdk.PromptResponse{StopReason: sdk.StopReasonEndTurn}
	f.say(ctx, id, sdk.UpdateAgentMessageText("I will "))
	f.say(ctx, id, sdk.UpdateAgentMessageText("work."))
	switch f.scene {
	case "says nothing":
		return end, nil
	case "tells its mode":
		f.say(ctx, id, sdk.UpdateAgentMessageText(" Mode: "+f.mode))
		return end, nil
	case "loads", "resumes", "cannot load":
		f.cost(ctx, id, 0.75)
		f.say(ctx, id, sdk.UpdateAgentMessageText(" Went on."))
		return end, nil
	case "calls bit by bit", "goes in circles":
		for i := range 40 {
			f.bit(ctx, id, i)
		}
		return end, nil
	case "says one thing after another":
		for i := range 40 {
			text := sdk.UpdateAgentMessageText("Making room.")
			text.AgentMessageChunk.MessageId = new(fmt.Sprintf("m-%d", i))
			f.say(ctx, id, text)
		}
		return end, nil
	case "is silent at work":
		f.asks(ctx, id)
		// What is tried is silence itself: longer than one may be, shorter than a tool.
		time.Sleep(2 * time.Second)
	case "forbids by itself":
		f.forbid(ctx, id, "The user has specified a rule which prevents you from using this specific tool call. Here are some of the relevant rules [{\"permission\":\"external_directory\",\"action\":\"deny\"}]")
		f.forbid(ctx, id, `Tool execution for "Shell" denied by policy.`)
		f.forbid(ctx, id, "exit code 1: denied by policy")
	case "tells a quota":
		end.Meta = map[string]any{"quota": map[string]any{
			"token_count": map[string]int{"input_tokens": 30, "output_tokens": 4},
			"model_usage": []any{map[string]any{"model": "gemini-2.5-pro"}},
		}}
		return end, nil
	case "tells its environment":
		f.say(ctx, id, sdk.UpdateAgentMessageText(strings.Join(os.Environ(), "\n")))
		return end, nil
	case "has spent its quota":
		fmt.Fprintln(os.Stderr, "Error when talking to Gemini API Full report available at: /x/report.json TerminalQuotaError: You have exhausted your daily quota on this model.")
		return end, &sdk.RequestError{Code: 429, Message: "You have exhausted your daily quota on this model."}
	case "knows no such model":
		fmt.Fprintln(os.Stderr, "Error when talking to Gemini API Full report available at: /x/report.json ModelNotFoundError: model not found")
		return end, &sdk.RequestError{Code: 500, Message: "model not found"}
	case "overflows":
		return end, &sdk.RequestError{Code: 400, Message: "The input token count exceeds the maximum number of tokens allowed (1048576)."}
	case "is refused":
		return end, &sdk.RequestError{Code: -32603, Message: "Incorrect API key provided", Data: map[string]any{"service": "session", "errorName": "APIError"}}
	case "is throttled":
		return end, &sdk.RequestError{Code: -32603, Message: "429", Data: map[string]any{"errorKind": "rate_limit"}}
	case "meets an error":
		return end, &sdk.RequestError{Code: 500, Message: "boom"}
	case "is cut":
		return sdk.PromptResponse{StopReason: sdk.StopReasonMaxTokens}, nil
	case "refuses":
		return sdk.PromptResponse{StopReason: sdk.StopReasonRefusal}, nil
	case "floods":
		for range 5000 {
			f.say(ctx, id, sdk.UpdateAgentMessageText("x"))
		}
		fmt.Fprintln(os.Stdout, `{"jsonrpc":"2.0","method":"session/update","params":{"update":{"sessionUpdate":"new_kind"}}}`)
		fmt.Fprintln(os.Stdout, "{torn")
	default:
		f.edits(ctx, id, sdk.ToolKindEdit, filepath.Join(dir, "in.txt"))
		f.edits(ctx, id, sdk.ToolKindEdit, filepath.Join(filepath.Dir(dir), "out.txt"))
		f.edits(ctx, id, sdk.ToolKindExecute, filepath.Join(dir, "ran.txt"))
		f.edits(ctx, id, sdk.ToolKindFetch, filepath.Join(dir, "fetched.txt"))
	}
	f.say(ctx, id, sdk.UpdateAgentMessageText("All done: "+r.Prompt[0].Text.Text))
	end.Usage = &sdk.Usage{InputTokens: 12, OutputTokens: 7, CachedReadTokens: new(3)}
	return end, nil
}

// bit is a call as opencode tells of it: first without what it is about.
func (f *fake) bit(ctx context.Context, id sdk.SessionId, i int) {
	call, dir := sdk.ToolCallId(fmt.Sprintf("c-%d", i)), map[string]any{"cwd": "/tree"}
	if f.scene == "goes in circles" {
		i = 0
	}
	f.say(ctx, id, sdk.StartToolCall(call, "bash", sdk.WithStartKind(sdk.ToolKindExecute), sdk.WithStartRawInput(dir)))
	f.say(ctx, id, sdk.UpdateToolCall(call, sdk.WithUpdateRawInput(map[string]any{"cwd": "/tree", "command": fmt.Sprintf("make %d", i)})))
	f.say(ctx, id, sdk.UpdateToolCall(call, sdk.WithUpdateStatus(sdk.ToolCallStatusCompleted)))
}

// asks for permission without having told of the call, as Gemini CLI does.
func (f *fake) asks(ctx context.Context, id sdk.SessionId) {
	_, _ = f.conn.RequestPermission(ctx, sdk.RequestPermissionRequest{
		SessionId: id, ToolCall: sdk.ToolCallUpdate{ToolCallId: "c-1", Title: new("make"), Kind: new(sdk.ToolKindExecute)},
		Options: []sdk.PermissionOption{{Kind: "allow_once", Name: "yes", OptionId: "yes"}},
	})
}

// forbid fails a call with words.
func (f *fake) forbid(ctx context.Context, id sdk.SessionId, words string) {
	call := sdk.ToolCallId(words)
	f.say(ctx, id, sdk.StartToolCall(call, words, sdk.WithStartKind(sdk.ToolKind(fmt.Sprintf("kind-%d", len(words))))))
	f.say(ctx, id, sdk.UpdateToolCall(call, sdk.WithUpdateStatus(sdk.ToolCallStatusFailed), sdk.WithUpdateContent([]sdk.ToolCallContent{sdk.ToolContent(sdk.TextBlock(words))})))
}

type stage struct {
	job    agent.Job
	events []agent.Event
}

func newStage(t *testing.T, scene string) *stage {
	t.Helper()
	dir := t.TempDir()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, "tree"), 0o755); err != nil {
		t.Fatal(err)
	}
	s := &stage{job: agent.Job{
		Agent: loop.Agent{Name: "gem", Use: "acp", Argv: []string{self}}, Tree: filepath.Join(dir, "tree"), Prompt: filepath.Join(dir, "prompt.md"),
		Raw: filepath.Join(dir, "agent.txt"), RunDir: filepath.Join(dir, "run"), RunID: "acp-" + agent.NewSession(),
		Env: append(os.Environ(), sceneVariable+"="+scene), Timeout: loop.Deadline{Hard: time.Minute}, Grace: 300 * time.Millisecond,
	}}
	s.job.OnEvent = func(e agent.Event) { s.events = append(s.events, e) }
	if err := os.WriteFile(s.job.Prompt, []byte("Do it."), 0o600); err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *stage) run(t *testing.T) loop.Outcome {
	t.Helper()
	out, err := (Driver{}).Run(t.Context(), s.job)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func (s *stage) there(name string) bool {
	_, err := os.Stat(filepath.Join(s.job.Tree, name))
	return err == nil
}

func TestWorks(t *testing.T) {
	t.Parallel()
	s := newStage(t, "works")
	out := s.run(t)
	if out.End != loop.EndDone || out.Words != "All done: Do it." || out.Session != "s-tree" || out.Version != "1.2.3" || out.Untested || out.UnknownLines != 0 {
		t.Errorf("%+v", out)
	}
	if u := out.Usage; *u.InputTokens != 12 || *u.OutputTokens != 7 || *u.CacheReadTokens != 3 || *u.ToolCalls != 4 || u.CostMicroUSD != nil {
		t.Errorf("%+v", u)
	}
	if !s.there("in.txt") || s.there("../out.txt") || !s.there("ran.txt") || s.there("fetched.txt") {
		t.Error("the policy was not kept")
	}
	var told []string
	for _, e := range s.events {
		if e.Kind == agent.Permitted || e.Kind == agent.Denied || e.Kind == agent.FileChange {
			told = append(told, string(e.Kind)+" "+e.Tool+" "+e.Path)
		}
	}
	want := "permitted edit " + filepath.Join(s.job.Tree, "in.txt") + "|file_change  in.txt|denied edit |permitted execute " + filepath.Join(s.job.Tree, "ran.txt") + "|denied fetch "
	if got := strings.Join(told, "|"); got != want {
		t.Errorf("told %s\nwant %s", got, want)
	}
	if raw, _ := os.ReadFile(s.job.Raw); !strings.Contains(string(raw), `"agent_message_chunk"`) {
		t.Error("its output is not kept")
	}
}

func TestPermissions(t *testing.T) {
	t.Parallel()
	s := newStage(t, "works")
	s.job.Agent.Permissions = loop.PermissionsRead
	if out := s.run(t); len(out.Denials) != 3 || s.there("in.txt") || s.there("ran.txt") {
		t.Errorf("read: %+v", out.Denials)
	}
	s = newStage(t, "works")
	s.job.Agent.Permissions = loop.PermissionsSkip
	if out := s.run(t); len(out.Denials) != 0 || !s.there("../out.txt") || !s.there("fetched.txt") {
		t.Errorf("skip: %+v", out.Denials)
	}
}

func TestEnds(t *testing.T) {
	t.Parallel()
	for scene, want := range map[string]struct {
		end  loop.End
		word string
	}{
		"says nothing":     {loop.EndDone, ""},
		"is not logged in": {loop.EndPermanent, "Authentication required"},
		"is throttled":     {loop.EndTransient, "429"},
		"meets an error":   {loop.EndTransient, "boom"},
		"is cut":           {loop.EndFailed, "limit of tokens"},
		"refuses":          {loop.EndFailed, "refused"},

		"has spent its quota":          {loop.EndLimit, "daily quota"},
		"knows no such model":          {loop.EndPermanent, "unknown model"},
		"overflows":                    {loop.EndFailed, "context window overflowed"},
		"is refused":                   {loop.EndTransient, "Incorrect API key"},
		"calls bit by bit":             {loop.EndDone, ""},
		"goes in circles":              {loop.EndFailed, "max_same_calls"},
		"says one thing after another": {loop.EndFailed, "without calling a tool"},
		"is silent at work":            {loop.EndDone, ""},
		"floods":                       {loop.EndDone, ""},
	} {
		t.Run(scene, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, scene)
			s.job.Patience = agent.Patience{Start: time.Minute, Stall: time.Second, Tool: time.Minute}
			out := s.run(t)
			if out.End != want.end || !strings.Contains(out.Message, want.word) {
				t.Errorf("%s (%q), want %s with %q", out.End, out.Message, want.end, want.word)
			}
			if scene == "floods" && out.UnknownLines == 0 {
				t.Errorf("%d unknown lines", out.UnknownLines)
			}
		})
	}
}

// A program of another version of the protocol is refused by name, before it has
// the prompt; a version that is written as a text is one.
func TestOtherVersions(t *testing.T) {
	t.Parallel()
	for version, want := range map[string]loop.End{`0`: loop.EndPermanent, `2`: loop.EndPermanent, `99`: loop.EndPermanent, `null`: loop.EndPermanent, `"1"`: loop.EndFailed} { // the last one says nothing
		st := agenttest.NewStage(t, "speaker", agenttest.Scene{Steps: []agenttest.Step{
			agenttest.Out(
				"{{hear}}", `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":`+version+`,"agentCapabilities":{}}}`,
				"{{hear}}", `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s-1"}}`, "{{hear}}", `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`,
			),
		}})
		st.Job.Agent.Argv = []string{"speaker"}
		out, err := (Driver{}).Run(t.Context(), st.Job)
		if said := "speaks version"; err != nil || (out.End == loop.EndPermanent) != (want == loop.EndPermanent) || (want == loop.EndPermanent) != strings.Contains(out.Message, said) {
			t.Errorf("%s: %s (%q), %v", version, out.End, out.Message, err)
		}
	}
}

// What a limit cut off goes on in its session; what was told and paid before is
// not counted again.
func TestResume(t *testing.T) {
	t.Parallel()
	for scene, want := range map[string]struct {
		session string
		cost    int64
	}{
		"loads":       {"before", 250_000},
		"resumes":     {"before", 250_000},
		"cannot load": {"s-tree", 750_000}, // a session of its own
	} {
		t.Run(scene, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, scene)
			s.job.Resume = &agent.Resume{Session: "before", Used: loop.Usage{CostMicroUSD: new(int64(500_000))}}
			out := s.run(t)
			if out.End != loop.EndDone || out.Session != want.session || out.Words != "I will work. Went on." || *out.Usage.ToolCalls != 0 {
				t.Errorf("%+v", out)
			}
			if c := out.Usage.CostMicroUSD; c == nil || *c != want.cost {
				t.Errorf("cost %v, want %d", c, want.cost)
			}
		})
	}
	s := newStage(t, "has forgotten")
	s.job.Resume = &agent.Resume{Session: "before"}
	if out := s.run(t); out.End != loop.EndTransient || out.Session != "" {
		t.Errorf("%s in session %q (%s)", out.End, out.Session, out.Message)
	}
}

// Who may only read is put into a mode that can do no more, where there is one.
func TestMode(t *testing.T) {
	t.Parallel()
	for level, want := range map[loop.Permissions]string{loop.PermissionsRead: "ralph-reader", loop.PermissionsDefault: "", loop.PermissionsSkip: ""} {
		s := newStage(t, "tells its mode")
		s.job.Agent.Permissions = level
		if out := s.run(t); out.Words != strings.TrimSpace("I will work. Mode: "+want) {
			t.Errorf("%s: %q (%s)", level, out.Words, out.Message)
		}
	}
}

// What a program's own rules forbid is told like what we refuse.
func TestForbids(t *testing.T) {
	t.Parallel()
	out := newStage(t, "forbids by itself").run(t)
	if len(out.Denials) != 2 || !strings.Contains(out.Denials[0].Rule, "external_directory") || out.Denials[1].Rule != "" {
		t.Errorf("%+v", out.Denials)
	}
}

func TestQuota(t *testing.T) {
	t.Parallel()
	out := newStage(t, "tells a quota").run(t)
	if out.Model != "gemini-2.5-pro" || out.Usage.InputTokens == nil || *out.Usage.InputTokens != 30 || out.Usage.CacheReadTokens != nil {
		t.Errorf("%+v", out)
	}
}

// Each run has a folder of its own for temporary files, and no updates.
func TestEnvironment(t *testing.T) {
	t.Parallel()
	s := newStage(t, "tells its environment")
	s.job.Agent.Env = map[string]string{"OPENCODE_CONFIG_CONTENT": `{"theme":"mine"}`}
	words := s.run(t).Words
	for _, want := range []string{"ralph-agent-", "OPENCODE_DISABLE_AUTOUPDATE=1", "GEMINI_CLI_NO_RELAUNCH=true", `"theme":"mine"`, `"external_directory":"deny"`} {
		if !strings.Contains(words, want) {
			t.Errorf("%s is missing", want)
		}
	}
}

// Whatever a program prints, nothing breaks, and no line makes a success.
func FuzzLine(f *testing.F) {
	f.Add([]byte(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","update":{"sessionUpdate":"tool_call","toolCallId":"1","title":"t"}}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":1,"result":{}}` + "\n{\xff"))
	f.Fuzz(func(t *testing.T, text []byte) {
		in, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		d := newDialect(agent.Job{}, out)
		d.begin(t.Context(), "x")
		got := stream.Recorded(agent.Job{}, stream.Launch{}, d, text, nil, agent.Run{Exit: proc.Exit{Code: new(0)}})
		if got.End == loop.EndDone && !strings.Contains(string(text), "end_turn") {
			t.Errorf("%+v", got)
		}
	})
}
