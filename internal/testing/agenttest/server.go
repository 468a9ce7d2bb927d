package agenttest

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"ralph/internal/loop"
)

// newServer returns a stage whose steps a server plays, once for each request.
// It supports the steps Out, Times, Long and Hang.
func newServer(t *testing.T, a loop.Agent, s Scene) *Stage {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // else it is not seen when the client goes
		for _, step := range s.Steps {
			if body := strings.Repeat(step.Out, max(step.Times, 1)) + strings.Repeat("x", step.Long); body != "" {
				_, _ = io.WriteString(w, body)
				_ = http.NewResponseController(w).Flush()
			}
			if step.Hang {
				<-r.Context().Done()
				return
			}
		}
	}))
	t.Cleanup(server.Close)
	st := NewStage(t, "nobody", s)
	st.Job.Agent = a
	st.Job.Agent.BaseURL = server.URL
	return st
}
