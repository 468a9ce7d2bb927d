package view

import "ralph/internal/loop"

// AgentRun is what the newest run of an attempt's agent told of itself.
type AgentRun struct {
	Message *string    `json:"message"`
	Session *string    `json:"session"`
	Model   *string    `json:"model"`
	Usage   loop.Usage `json:"usage"`
	// Version of the agent's program; Tested are those its driver was made for.
	Version  *string `json:"version"`
	Tested   *string `json:"tested"`
	Untested bool    `json:"untested"`
	// Permissions are default or skip; null: its driver gives none.
	Permissions *string `json:"permissions"`
	// Sandbox is what held it: bubblewrap, landlock or none; null: not recorded.
	Sandbox *string `json:"sandbox"`
	// ContextUsed of ContextWindow tokens, in its last request.
	ContextUsed   *int64        `json:"context_used"`
	ContextWindow *int64        `json:"context_window"`
	Denials       []loop.Denial `json:"denials"`
	UnknownLines  int           `json:"unknown_lines"`
}

func agentRun(o loop.Outcome) *AgentRun {
	if o.End == "" {
		return nil
	}
	r := &AgentRun{
		Message: orNull(o.Message), Session: orNull(o.Session), Model: orNull(o.Model), Usage: o.Usage,
		Version: orNull(o.Version), Tested: orNull(o.Tested), Untested: o.Untested, Permissions: orNull(string(o.Permissions)),
		Sandbox:     orNull(string(o.Sandbox)),
		ContextUsed: knownCount(o.ContextUsed), ContextWindow: knownCount(o.ContextWindow),
		Denials: o.Denials, UnknownLines: o.UnknownLines,
	}
	if r.Denials == nil {
		r.Denials = []loop.Denial{}
	}
	return r
}

func knownCount(n int64) *int64 {
	if n == 0 {
		return nil
	}
	return &n
}
