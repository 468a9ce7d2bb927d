package planner

import (
	"context"
	"encoding/json"
	"io"
	"os"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/plan"
)

// handover is what an agent tells whoever works on after it (seed 003). It is a
// claim: it enters the plan and the next prompt as the agent's words, and
// decides nothing.
type handover struct {
	Done      []string `json:"done"`
	Blockers  []string `json:"blockers"`
	Gaps      []string `json:"gaps"`
	EdgeCases []string `json:"edge_cases"`
	Files     []string `json:"files"`
	Tests     string   `json:"tests"`
}

// Bounds of what is taken from an agent's words.
const (
	mostClaims = 20
	mostClaim  = 300
)

// readHandover finds the last JSON object in an agent's closing words that has
// one of the fields. Without any there is no hand-over.
func readHandover(words string) (h handover, ok bool) {
	for at := len(words); at > 0; {
		at = strings.LastIndexByte(words[:at], '{')
		if at < 0 {
			return handover{}, false
		}
		var keys map[string]json.RawMessage
		if json.NewDecoder(strings.NewReader(words[at:])).Decode(&keys) != nil {
			continue
		}
		h = handover{}
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
	return handover{}, false
}

func bounded(list []string) []string {
	list = list[:min(len(list), mostClaims)]
	out := make([]string, 0, len(list))
	for _, text := range list {
		if text = strings.Join(strings.Fields(text), " "); text != "" {
			out = append(out, cut(text, mostClaim))
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
	f, err := os.Open(out.OutputFile)
	if err != nil {
		return ""
	}
	defer f.Close()
	if _, err := f.Seek(max(out.OutputBytes-mostTail, 0), io.SeekStart); err != nil {
		return ""
	}
	tail, err := io.ReadAll(io.LimitReader(f, mostTail))
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(string(tail), "")
}

// handedOver takes what the agent of a loop found into the plan.
func (r *run) handedOver(ctx context.Context, t plan.TaskState) ([]plan.Event, error) {
	l, err := r.Engine.Show(ctx, t.Loop)
	if err != nil {
		return nil, err
	}
	last := l.State.Last()
	if last == nil {
		return nil, nil
	}
	h, ok := readHandover(closing(last.Agent))
	found := findings("the agent of "+t.ID, h.Gaps, h.EdgeCases)
	if !ok || len(found) == 0 {
		return nil, nil
	}
	return []plan.Event{plan.Found{Stamp: r.stamp(), Findings: found}}, nil
}
