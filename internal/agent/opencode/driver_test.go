package opencode

import (
	"encoding/json"
	"flag"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
	"ralph/internal/testing/agenttest"
)

var update = flag.Bool("update", false, "write what is made of the recorded runs into their files")

func TestMain(m *testing.M) { agenttest.Main(m) }

func TestContract(t *testing.T) {
	t.Parallel()
	agenttest.Contract(t, agenttest.Subject{
		Driver:  Driver{},
		Reads:   `--agent ralph-reader`,
		Writes:  []string{"--auto"},
		Version: "1.18.33",
		Begin:   []string{`{"type":"step_start","timestamp":1,"sessionID":"ses_1","part":{"type":"step-start"}}`},
		Say: func(words string) string {
			return `{"type":"text","sessionID":"ses_1","part":{"type":"text","text":` + words + `}}`
		},
		Work: []string{
			`{"type":"tool_use","sessionID":"ses_1","part":{"tool":"bash","callID":"c1","state":{"status":"completed","input":{"command":"make"},"output":"ok"}}}`,
		},
		Done: []string{
			`{"type":"text","sessionID":"ses_1","part":{"type":"text","text":"All done."}}`,
			`{"type":"step_finish","sessionID":"ses_1","part":{"reason":"stop","tokens":{"total":1050,"input":800,"output":50,"reasoning":0,"cache":{"write":0,"read":200}},"cost":0.00315}}`,
		},
		Odd: []string{
			`  {"type":"text","sessionID":1,"timestamp":"now","part":{"type":"text","text":"All done.","synthetic":"no","state":"x"}}`,
			`{"type":"step_finish","sessionID":["ses_1"],"error":"none","part":{"reason":"stop","text":0,"tokens":{"total":"1050","input":"800","output":50.0,"reasoning":{},"cache":{"write":"0","read":199.5}},"cost":"0.00315"}}`,
		},
		Muttered: []string{
			`timestamp=2026-11-20T12:00:00.000Z level=ERROR run=ab message="stream error" providerID=p small=false error.error="AI_APICallError: Overloaded"`,
		},
		Provider: "AI_APICallError: Overloaded",
	})
}

func launch() stream.Launch { return stream.Launch{Tested: Driver{}.Tested()} }

func fresh(agent.Job) stream.Dialect { return &dialect{} }

func TestRecordedRuns(t *testing.T) {
	t.Parallel()
	agenttest.Golden(t, *update, launch(), fresh)
}

func FuzzStream(f *testing.F) { agenttest.Fuzz(f, launch(), fresh) }

func TestSettings(t *testing.T) {
	t.Parallel()
	const readers = `{"mode":"primary","permission":{"*":"deny","glob":"allow","grep":"allow","list":"allow","read":{"*":"allow","*.env":"deny","*.env.*":"deny","*.env.example":"allow"}}}`
	for name, tt := range map[string]struct {
		agent  loop.Agent
		theirs string
		want   string
	}{
		"ours":          {want: `{"autoupdate":false,"share":"disabled","permission":{"external_directory":"deny"}}`},
		"skip":          {agent: loop.Agent{Permissions: loop.PermissionsSkip}, want: `{"autoupdate":false,"share":"disabled"}`},
		"theirs win":    {theirs: `{"model":"x/y","share":"auto","permission":{"external_directory":"allow"}}`, want: `{"autoupdate":false,"share":"auto","model":"x/y","permission":{"external_directory":"allow"}}`},
		"side by side":  {theirs: `{"permission":{"bash":{"git push":"deny"}}}`, want: `{"autoupdate":false,"share":"disabled","permission":{"external_directory":"deny","bash":{"git push":"deny"}}}`},
		"another shape": {theirs: `{"permission":"ask"}`, want: `{"autoupdate":false,"share":"disabled","permission":"ask"}`},
		"reads": {
			agent: loop.Agent{Permissions: loop.PermissionsRead}, theirs: `{"permission":"allow","agent":{"mine":{"mode":"all"}}}`,
			want: `{"autoupdate":false,"share":"disabled","permission":"allow","agent":{"mine":{"mode":"all"},"ralph-reader":` + readers + `}}`,
		},
		"reads, beside what nobody can read": {
			agent: loop.Agent{Permissions: loop.PermissionsRead}, theirs: `{not json`,
			want: `{"autoupdate":false,"share":"disabled","permission":{"external_directory":"deny"},"agent":{"ralph-reader":` + readers + `}}`,
		},
		"the agent's": {agent: loop.Agent{Env: map[string]string{contentVariable: `{"share":"manual"}`}}, theirs: `{"share":"auto"}`, want: `{"autoupdate":false,"share":"manual","permission":{"external_directory":"deny"}}`},
	} {
		var got, want any
		text := settings(agent.Job{Agent: tt.agent, Env: []string{contentVariable + "=" + tt.theirs}})
		if json.Unmarshal([]byte(text), &got) != nil || json.Unmarshal([]byte(tt.want), &want) != nil {
			t.Fatalf("%s: %q", name, text)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	// The last rule that fits decides, so that the order is part of it.
	if got := settings(agent.Job{Agent: loop.Agent{Permissions: loop.PermissionsRead}}); !strings.Contains(got, readers) {
		t.Errorf("%s, want %s", got, readers)
	}
	if got := settings(agent.Job{Env: []string{contentVariable + "={not json"}}); got != "" {
		t.Errorf("what nobody can read became %q", got)
	}
}

func TestLogFields(t *testing.T) {
	t.Parallel()
	var got [][2]string
	for k, v := range fields(`timestamp=1 level=INFO message="a \"b\" c" path="" x= permission="[{\"k\":1}]" last`) {
		got = append(got, [2]string{k, v})
	}
	want := [][2]string{
		{"timestamp", "1"}, {"level", "INFO"}, {"message", `a \"b\" c`}, {"path", ""}, {"x", ""}, {"permission", `[{\"k\":1}]`},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
