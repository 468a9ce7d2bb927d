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
	"ralph/internal/agent/agenttest"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
	"ralph/internal/proc"
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
	agenttest.Contract(t, agenttest.Kit{
		Driver: Driver{}, Program: "speaker", Version: "1.2.3",
		Begin: []string{
			"{{hear}}", `{"jsonrpc":"2.0","id":1,"result":{"protocolVersion":1,"agentInfo":{"name":"speaker","version":"1.2.3"},"agentCapabilities":{},"authMethods":[]}}`,
			"{{hear}}", `{"jsonrpc":"2.0","id":2,"result":{"sessionId":"s-1"}}`, "{{hear}}",
		},
		Say:     say,
		Work:    []string{call("in_progress"), update(`{"sessionUpdate":"tool_call_update","toolCallId":"c{{n}}","status":"completed"}`)},
		Running: []string{call("in_progress")},
		Done:    []string{say(`"All done."`), `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`},
	})
}

// fake is an agent that speaks the protocol through the SDK's other side.
type fake struct {
	sdk.Agent
	scene string
	conn  *sdk.AgentSideConnection
}

func play(scene string) {
	f := &fake{scene: scene}
	f.conn = sdk.NewAgentSideConnection(f, os.Stdout, os.Stdin)
	<-f.conn.Done()
}

func (f *fake) Initialize(context.Context, sdk.InitializeRequest) (sdk.InitializeResponse, error) {
	return sdk.InitializeResponse{ProtocolVersion: 1, AgentInfo: &sdk.Implementation{Name: "fake", Version: "1.2.3"}, AuthMethods: []sdk.AuthMethod{}}, nil
}

func (f *fake) NewSession(_ context.Context, r sdk.NewSessionRequest) (sdk.NewSessionResponse, error) {
	if f.scene == "is not logged in" {
		return sdk.NewSessionResponse{}, &sdk.RequestError{Code: -32000, Message: "Authentication required"}
	}
	return sdk.NewSessionResponse{SessionId: sdk.SessionId("s-" + filepath.Base(r.Cwd))}, nil
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
		"floods":           {loop.EndDone, ""},
	} {
		t.Run(scene, func(t *testing.T) {
			t.Parallel()
			s := newStage(t, scene)
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
