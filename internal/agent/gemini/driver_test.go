package gemini

import (
	"flag"
	"os"
	"strings"
	"testing"

	"ralph/internal/agent"
	"ralph/internal/agent/stream"
	"ralph/internal/testing/agenttest"
)

var update = flag.Bool("update", false, "write what is made of the recorded runs into their files")

func TestMain(m *testing.M) { agenttest.Main(m) }

func kit() agenttest.Subject {
	return agenttest.Subject{
		Driver:  Driver{},
		Reads:   `--approval-mode default`,
		Writes:  []string{"auto_edit", "yolo", "run_shell_command"},
		Version: "0.61.0",
		Begin: []string{
			`{"type":"init","session_id":"{{session}}","model":"auto"}`,
			`{"type":"message","role":"user","content":"Do the work."}`,
		},
		Say: func(words string) string {
			return `{"type":"message","role":"assistant","content":` + words + `,"delta":true}`
		},
		Work: []string{
			`{"type":"tool_use","tool_name":"run_shell_command","tool_id":"c1","parameters":{"command":"make"}}`,
			`{"type":"tool_result","tool_id":"c1","status":"success","output":"ok"}`,
		},
		Running: []string{
			`{"type":"tool_use","tool_name":"run_shell_command","tool_id":"c1","parameters":{"command":"sleep 1000"}}`,
		},
		Done: []string{
			`{"type":"message","role":"assistant","content":"All ","delta":true}`,
			`{"type":"message","role":"assistant","content":"done.","delta":true}`,
			`{"type":"result","status":"success","stats":{"total_tokens":3150,"input_tokens":3000,"output_tokens":150,"cached":600,"models":{"gemini-test-pro":{"total_tokens":3150}}}}`,
		},
		Odd: []string{
			` {"type":"message","role":"assistant","content":"All ","delta":"true","severity":1}`,
			`{"type":"message","role":"assistant","content":"done.","stats":[],"model":{}}`,
			`{"type":"result","status":"success","error":"none","session_id":1,"stats":{"total_tokens":"3150","input_tokens":2999.5,"output_tokens":"150","cached":600.0,"models":[1],"duration_ms":"x"}}` + "\t",
		},
		Muttered: []string{
			`Attempt 1 failed with status 503. Retrying with backoff... _ApiError: {"error":{"code":503}}`, "    at something (file.js:1:1)",
		},
		Provider: "the provider fails",
		Chosen:   true,
	}
}

func TestContract(t *testing.T) {
	t.Parallel()
	agenttest.Contract(t, kit())
}

func launch() stream.Launch { return stream.Launch{Tested: Driver{}.Tested(), Session: "s-1"} }

func fresh(agent.Job) stream.Dialect { return &dialect{} }

func TestRecordedRuns(t *testing.T) {
	t.Parallel()
	agenttest.Golden(t, *update, launch(), fresh)
}

// Each way in which it reports a try that failed.
func TestRetries(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		"Attempt 1 failed with status 503. Retrying with backoff... x":                      "the provider fails: Attempt 1 failed with status 503.",
		"Attempt 2 failed with 429 error (no Retry-After header). Retrying with backoff...": "the provider throttles (429): Attempt 2 failed with 429 error (no Retry-After header).",
		"Attempt 3 failed with 5xx error. Retrying with backoff...":                         "the provider fails: Attempt 3 failed with 5xx error.",
		"Attempt 4 failed. Retrying with backoff... TypeError: fetch failed":                "the provider does not answer: Attempt 4 failed.",
		"Attempt 5 failed: quota. Retrying after 5000ms...":                                 "the provider does not answer: Attempt 5 failed: quota.",
		"Attempt to edit failed. Retrying":                                                  "",
	} {
		got := ""
		for _, e := range agenttest.Read(launch(), fresh, nil, []byte(line+"\n"), agent.Run{}).Events {
			if e.Kind == agent.Trouble {
				got = e.Text
			}
		}
		if got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
}

func FuzzStream(f *testing.F) { agenttest.Fuzz(f, launch(), fresh) }

// Its temporary files are its own, and do not stay.
func TestTemporaryFiles(t *testing.T) {
	t.Parallel()
	st := agenttest.NewStage(t, "gemini", agenttest.Scene{Version: "0.61.0", Steps: []agenttest.Step{{Save: true}}})
	if _, err := (Driver{}).Run(t.Context(), st.Job); err != nil {
		t.Fatal(err)
	}
	for _, entry := range st.Saved(t).Env {
		if dir, ok := strings.CutPrefix(entry, "TMPDIR="); ok {
			if _, err := os.Stat(dir); !os.IsNotExist(err) || !strings.Contains(dir, "ralph-agent-") {
				t.Errorf("%s: %v", dir, err)
			}
		}
	}
}
