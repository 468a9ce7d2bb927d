package migrate

import (
	"strings"

	"ralph/internal/loop"
	"ralph/internal/text"
)

// ParseClaude reads what a stop hook of Claude Code repeats: the prompt is the
// body. The word it waits for in the agent's output proves nothing.
func ParseClaude(data []byte) (Found, []Loss, error) {
	head, body, err := frontmatter(data)
	if err != nil {
		return Found{}, nil, err
	}
	lost := &losses{}
	f := newFields("", head, lost)
	found := Found{
		Kind: Claude, Agent: "claude", Promise: text.Clip(f.text("completion_promise"), 200),
		Iteration: f.whole("iteration"), Max: f.whole("max_iterations"), StartedAt: f.when("started_at"),
	}
	body = strings.TrimSpace(strings.ToValidUTF8(strings.ReplaceAll(body, "\x00", ""), "\uFFFD"))
	if body == "" {
		return Found{}, nil, &Error{Line: lineAt(data, int64(len(data))), Why: "has no prompt after its settings"}
	}
	if len(body) > mostText {
		lost.add("prompt", "longer than 64 KiB, the rest is cut off")
		body = body[:mostText]
	}
	found.Task = strings.ToValidUTF8(body, "")
	if found.Iteration > 0 { // The hook counts an iteration when it begins.
		found.Attempts = []loop.Attempt{{N: found.Iteration, Changed: true, Interruptions: 1}}
	}
	found.Word = "running"
	if active, known := f.flag("active"); known && !active {
		found.Word = "stopped"
	}
	f.stand(&found)
	if found.Promise != "" && found.Promise != "null" {
		lost.add("completion_promise", "a word that the agent prints proves nothing; ralph needs a check")
	}
	f.setAside("session_id")
	f.rest(noPlace)
	return found, lost.all, nil
}
