package main

import (
	"context"
	"fmt"
	"strings"
	"time"

	"ralph/internal/loop"
	ms "ralph/internal/testing/modelserver"
)

// limitTrials are about too many requests, and about quotas that are spent.
func limitTrials() []trial {
	return []trial{
		{name: "429once", title: "429 once, come back in 1 s", scene: fails(ms.Throttle(1).At(2).Only(1)), want: success},
		{name: "429", title: "429 forever, without a time", scene: fails(ms.Throttle(-1)), stall: short, want: transient},
		{name: "429hour", title: "429, come back in an hour", scene: fails(ms.Throttle(3600)), stall: short, want: transient},
		{
			name: "spent", title: "the quota is spent in mid-work, until a time", scene: spentUntil, env: subscription,
			act: untilSpent, want: spent, words: spentWords,
		},
	}
}

// quotaOver is the time until the quota resets.
const quotaOver = 12 * time.Second

func spentUntil(c client) ms.Scene {
	f := ms.Spend(time.Now().Add(quotaOver)).At(2)
	if limited(c) {
		f = f.Only(1)
	}
	return ms.Scene{Talks: []ms.Talk{right()}, Faults: []ms.Fault{f}}
}

// subscription sets up a subscription: only such accounts have Claude Code's
// limits.
func subscription(c client, url string) []string {
	if c.name != "claude" {
		return nil
	}
	return []string{"ANTHROPIC_BASE_URL=" + url, "CLAUDE_CODE_OAUTH_TOKEN=test-key"}
}

// tells reports whether an agent reports the reset time of its quota.
func tells(c client) bool { return c.name == "claude" || c.name == "codex" }

// limited reports whether an agent shows that its quota is spent.
func limited(c client) bool { return c.command() != "opencode" }

// untilSpent lets Claude Code and Codex wait for their quota. Gemini CLI
// reports no reset time: the run is stopped while it waits, and resumed at
// once.
func untilSpent(ctx context.Context, s *stage) error {
	if tells(s.client) || !limited(s.client) {
		return toItsEnd(ctx, s)
	}
	r := s.start(ctx)
	defer r.end()
	err := r.until(ctx, func() bool {
		o, err := s.object(ctx)
		return err == nil && (o.Status == loop.Waiting || o.Status.Terminal())
	})
	if err != nil {
		return err
	}
	before, err := s.object(ctx)
	if err != nil {
		return err
	}
	s.cut = string(before.Status)
	if n := len(before.Attempts); n > 0 && before.Attempts[n-1].AgentRun != nil {
		s.session = text(before.Attempts[n-1].AgentRun.Session)
	}
	r.end()
	if s.client.acp() {
		// Gemini CLI treats a session that began within this minute as empty.
		time.Sleep(time.Until(time.Now().Truncate(time.Minute).Add(time.Minute + time.Second)))
	}
	out, err := s.ralph(ctx, "resume", loopID, "--now", "--json")
	if err == nil && out.Code != 0 {
		err = fmt.Errorf("ralph resume: exit %d: %s", out.Code, tail(out.Stderr))
	}
	return err
}

func spent(s *sight) {
	switch {
	case tells(s.client):
		s.ends(loop.StatusPassed, "", loop.EndDone)
		if s.object.Iteration != 1 || len(s.object.Attempts) != 1 || s.last().Interruptions != 1 {
			s.complain("attempts %d, interruptions %d", len(s.object.Attempts), s.last().Interruptions)
		}
		// Usage before the limit is not counted again.
		s.count("input tokens", s.object.Usage.InputTokens, 2400)
	case !limited(s.client):
		transient(s)
	default:
		s.ends(loop.StatusPassed, "", loop.EndDone)
		if s.cut != string(loop.Waiting) || len(s.object.Attempts) != 1 {
			s.complain("it was %s; attempts %d", s.cut, len(s.object.Attempts))
		}
		if now := text(s.run().Session); now == "" || now != s.session {
			s.complain("the session was %q and is %q", s.session, now)
		}
	}
}

func spentWords(s *sight) string {
	switch {
	case len(s.wrong) > 0, !limited(s.client):
		return ""
	case tells(s.client):
		return "waits for that time, continues in its session, passed"
	}
	return "waits, the time is not told; resumed, continues in its session, passed"
}

// toItsEnd runs ralph until it ends by itself.
func toItsEnd(ctx context.Context, s *stage) error {
	out, err := s.ralph(ctx, s.runArgs()...)
	if err == nil && !strings.Contains(string(out.Stdout), "{") {
		err = fmt.Errorf("ralph run: exit %d: %s", out.Code, tail(out.Stderr))
	}
	return err
}
