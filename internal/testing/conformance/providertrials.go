package main

import (
	"time"

	"ralph/internal/loop"
	ms "ralph/internal/testing/modelserver"
)

// providerTrials are about a provider that does not answer as it should.
func providerTrials() []trial {
	return []trial{
		{name: "once500", title: "one 500, then an answer", scene: fails(ms.Refuse(500).At(2).Only(1)), want: success},
		{name: "500", title: "500 forever", scene: fails(ms.Refuse(500)), stall: short, want: transient},
		{name: "529", title: "overloaded (529) forever", scene: fails(ms.Refuse(529)), stall: short, want: transient},
		{name: "401", title: "a refused login", quick: true, scene: fails(ms.Refuse(401)), want: permanent},
		{name: "404", title: "an unknown model", scene: fails(ms.Refuse(404)), want: permanent},
		{name: "cutonce", title: "the stream is cut once", scene: fails(ms.Fault{Cut: true}.At(2).Only(1)), want: cutOnce},
		{name: "cut", title: "the stream is cut forever", scene: fails(ms.Fault{Cut: true}), stall: short, want: transient},
		{name: "hang", title: "the stream stops in its middle", scene: fails(ms.Fault{Hang: true}), stall: short, want: transient},
		{name: "mute", title: "no answer at all", scene: fails(ms.Fault{Mute: true}), stall: short, want: transient},
		{
			name: "outage", title: "an outage of an hour, in scaled time (40 s)", scene: outage, stall: 2 * short, wait: 5 * time.Minute, want: outlasted, words: outlastedWords,
		},
		{
			name: "prose", title: "a limit in the model's own words", attempts: 2, want: retried,
			scene: plays(ms.Talk{ms.Say("You've hit your usage limit. Try again at 4:02 PM.")}, right()),
		},
		{name: "overflow", title: "the conversation outgrows the model", scene: fails(ms.TooLong()), want: overflow},
	}
}

// outageTime is longer than most of the programs bear an outage by themselves.
const outageTime = 40 * time.Second

func outage(client) ms.Scene {
	return ms.Scene{Talks: []ms.Talk{right()}, Faults: []ms.Fault{ms.Refuse(503).Before(time.Now().Add(outageTime))}}
}

// outlasted expects that the loop waits for its provider, and passes in the same
// attempt.
func outlasted(s *sight) {
	s.ends(loop.StatusPassed, "", loop.EndDone)
	if s.object.Iteration != 1 || len(s.object.Attempts) != 1 {
		s.complain("iteration %d, %d attempts", s.object.Iteration, len(s.object.Attempts))
	}
}

func outlastedWords(s *sight) string {
	if len(s.wrong) > 0 {
		return ""
	}
	return "passed in the same attempt"
}

// transient expects a fault of the provider, which costs no attempt. Without
// retries the loop ends there.
func transient(s *sight) {
	s.ends(loop.StatusFailed, loop.AgentError, loop.EndTransient)
	if len(s.seen) == 0 {
		s.complain("it had not begun (on a busy machine: -slow 4)")
	}
	if v := text(s.last().Verdict); v != "" && v != "interrupted" {
		s.complain("the attempt was judged: %s", v)
	}
}

// permanent expects that no run will work. Over ACP opencode reports only that
// its provider refused, which may be temporary.
func permanent(s *sight) {
	if s.client.name == "opencode-acp" {
		transient(s)
		s.says("Incorrect API key", "does not exist")
		return
	}
	s.ends(loop.StatusFailed, loop.AgentError, loop.EndPermanent)
	s.says("not logged in", "unknown model")
}

// cutOnce expects a second request: three of the four repeat it; Gemini CLI
// gives up, and ralph would try again.
func cutOnce(s *sight) {
	if s.client.command() == "gemini" {
		transient(s)
		return
	}
	s.ends(loop.StatusPassed, "", loop.EndDone)
}

// overflow expects a used attempt: a fresh conversation may succeed.
func overflow(s *sight) {
	s.ends(loop.StatusFailed, loop.MaxAttempts, loop.EndFailed)
	if s.client.name == "opencode-acp" { // it goes on forever, and says nothing of it
		s.says("without calling a tool")
		return
	}
	s.says("context window overflowed")
}
