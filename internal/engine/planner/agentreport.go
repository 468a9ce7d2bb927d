package planner

import (
	"context"
	"encoding/json"
	"io"
	"strings"

	"ralph/internal/kept"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/text"
)

// agentReport is what an agent reports at the end of its work (seed 003). It is a claim: it
// enters the plan and the next prompt as the agent's words, and decides
// nothing.
type agentReport struct {
	Done      []string `json:"done"`
	Blockers  []string `json:"blockers"`
	Gaps      []string `json:"gaps"`
	EdgeCases []string `json:"edge_cases"`
	Files     []string `json:"files"`
	Tests     string   `json:"tests"`
}

// Bounds of the parts of an agent's text that are kept.
const (
	mostClaims = 20
	mostClaim  = 300
)

// readAgentReport finds the last JSON object in an agent's closing words that has
// one of the fields. Without any there is no report.
func readAgentReport(words string) (h agentReport, ok bool) {
	for at := len(words); at > 0; {
		at = strings.LastIndexByte(words[:at], '{')
		if at < 0 {
			return agentReport{}, false
		}
		var keys map[string]json.RawMessage
		if json.NewDecoder(strings.NewReader(words[at:])).Decode(&keys) != nil {
			continue
		}
		h = agentReport{}
		read := func(key string, to any) {
			if raw, there := keys[key]; there && json.Unmarshal(raw, to) == nil {
				ok = true
			}
		}
		read("done", &h.Done)
		read("blockers", &h.Blockers)
		read("gaps", &h.Gaps)
		read("edge_cases", &h.EdgeCases)
		read("files", &h.Files)
		read("tests", &h.Tests)
		if ok {
			h.Gaps, h.EdgeCases, h.Blockers = bounded(h.Gaps), bounded(h.EdgeCases), bounded(h.Blockers)
			return h, true
		}
	}
	return agentReport{}, false
}

func bounded(list []string) []string {
	list = list[:min(len(list), mostClaims)]
	out := make([]string, 0, len(list))
	for _, claim := range list {
		if claim = text.Line(claim); claim != "" {
			out = append(out, text.Head(claim, mostClaim))
		}
	}
	return out
}

// mostTail is how much of the end of a program's output counts as its words.
const mostTail = 8 << 10

// closing are an agent's last words. A program without a protocol of its own has
// only its output to say them in.
func closing(out loop.Outcome) string {
	if out.Words != "" || out.OutputFile == "" {
		return out.Words
	}
	f, err := kept.Open(out.OutputFile, max(out.OutputBytes-mostTail, 0))
	if err != nil {
		return ""
	}
	defer f.Close()
	tail, err := io.ReadAll(io.LimitReader(f, mostTail))
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(string(tail), "")
}

// reportedBy adds the findings of a loop's agent to the plan.
func (r *run) reportedBy(ctx context.Context, t plan.TaskState) ([]plan.Event, error) {
	l, err := r.Loops.Show(ctx, t.Loop)
	if err != nil {
		return nil, err
	}
	last := l.State.Last()
	if last == nil {
		return nil, nil
	}
	h, ok := readAgentReport(closing(last.Agent))
	found := findings("the agent of "+t.ID, h.Gaps, h.EdgeCases)
	if t.Blocked == "" && (!ok || len(found)+len(h.Blockers) == 0) {
		return nil, nil
	}
	return []plan.Event{plan.Found{Stamp: r.stamp(), Findings: found, Task: t.ID, Blockers: h.Blockers}}, nil
}
