package main

import (
	"ralph/internal/loop"
	ms "ralph/internal/testing/modelserver"
)

// right is a conversation after which the gate passes: a file by the agent's
// own tool, then a command.
func right() ms.Talk {
	return ms.Talk{
		{Say: "I will write it.", Calls: []ms.Call{ms.Write("file", "right\n")}},
		ms.Do(ms.Run("cat file && echo ran >ran")),
		ms.Say("All done."),
	}
}

func plays(talks ...ms.Talk) func(client) ms.Scene {
	return func(client) ms.Scene { return ms.Scene{Talks: talks} }
}

// fails plays a good conversation with faults.
func fails(faults ...ms.Fault) func(client) ms.Scene {
	return func(client) ms.Scene { return ms.Scene{Talks: []ms.Talk{right()}, Faults: faults} }
}

// trials are all cases, in the order of the table.
func trials() []trial {
	all := []trial{
		{name: "success", title: "a file and a command, the gate passes", quick: true, scene: plays(right()), want: success, words: successWords},
		{
			name: "retry", title: "the gate fails, then passes", attempts: 2, want: retried,
			scene: plays(ms.Talk{ms.Do(ms.Write("file", "wrong\n")), ms.Say("All done.")}, ms.Talk{ms.Do(ms.Run("echo right >file")), ms.Say("All done.")}),
		},
		{
			name: "denied", title: "a tool that is not allowed", want: denied, words: deniedWords,
			scene: func(c client) ms.Scene {
				return ms.Scene{Talks: []ms.Talk{append(ms.Talk{ms.Do(c.forbidden)}, right()...)}}
			},
		},
		{
			name: "read", title: "a reviewer: it reads, and tries to write by a tool, by a command, and outside (the driver alone)", act: driveReader, want: read, words: readWords,
			scene: func(c client) ms.Scene {
				return ms.Scene{Talks: []ms.Talk{{
					ms.Do(c.look), ms.Do(ms.Write("written", "x\n")), ms.Do(ms.Run("echo x >run")), ms.Do(ms.Run("echo x >$HOME/written")), ms.Say("All done."),
				}}}
			},
		},
		{name: "prompt", title: "1 MB on standard input (the driver alone: a prompt of ralph's has 64 KiB at most)", scene: plays(right()), act: driveAlone, want: long, words: longWords},
		{
			name: "try", title: "`ralph doctor --agent NAME --try`", act: tryOut, want: proved, words: provedWords,
			scene: plays(ms.Talk{ms.Do(ms.Write("proof.txt", "ralph was here\n")), ms.Say("Done.")}),
		},
	}
	return append(append(append(all, providerTrials()...), limitTrials()...), stopTrials()...)
}

// success: everything that a driver promises of a good run.
func success(s *sight) {
	s.ends(loop.StatusPassed, "", loop.EndDone)
	if s.object.Iteration != 1 {
		s.complain("iteration %d", s.object.Iteration)
	}
	r := s.run()
	if text(r.Session) == "" {
		s.complain("no session")
	}
	if got := text(r.Version); got != s.client.version || r.Untested && !s.newest {
		s.complain("version %q, untested %v", got, r.Untested)
	}
	if r.UnknownLines > 0 {
		s.complain("%d lines were not understood", r.UnknownLines)
	}
	s.tokens(r.Usage)
	s.count("calls of tools", r.Usage.ToolCalls, 2)
	if s.client.name == "claude" || s.client.command() == "opencode" {
		if c := r.Usage.CostMicroUSD; c == nil || *c == 0 || r.Usage.CostSource != "reported" {
			s.complain("no cost is reported")
		}
	}
}

// tokens checks the usage of a good run, as far as it is reported.
func (s *sight) tokens(u loop.Usage) {
	switch s.client.name {
	case "gemini-acp": // what came from the cache is part of the input
		s.count("input tokens", u.InputTokens, 3000)
	case "opencode-acp":
		if u.InputTokens != nil || u.OutputTokens != nil {
			s.complain("tokens are told, of the last step only")
		}
		return
	default:
		s.count("input tokens", u.InputTokens, 2400)
		s.count("tokens from the cache", u.CacheReadTokens, 600)
	}
	s.count("output tokens", u.OutputTokens, 150)
}

func successWords(s *sight) string {
	switch {
	case len(s.wrong) > 0 || !s.client.acp():
		return ""
	case s.client.command() == "gemini":
		return "passed; cached tokens are counted as input"
	case s.client.command() == "opencode":
		return "passed; the cost is told, tokens are not"
	}
	return ""
}

func retried(s *sight) {
	s.ends(loop.StatusPassed, "", loop.EndDone)
	if s.object.Iteration != 2 || len(s.object.Attempts) != 2 {
		s.complain("%d attempts", len(s.object.Attempts))
		return
	}
	one, two := s.object.Attempts[0].AgentRun, s.object.Attempts[1].AgentRun
	if one == nil || two == nil || text(one.Session) == text(two.Session) {
		s.complain("both attempts have one session")
	}
	if s.seen[len(s.seen)-1].Talk != 1 {
		s.complain("the second attempt was told nothing new")
	}
}

// silent reports whether an agent does not report refusals of its sandbox.
func silent(c client) bool { return c.name == "codex" }

func denied(s *sight) {
	s.ends(loop.StatusPassed, "", loop.EndDone)
	if _, err := readFile(s.home + "/outside"); err == nil {
		s.complain("it wrote outside of its tree")
	}
	switch d := s.run().Denials; {
	case silent(s.client):
	case len(d) == 0:
		s.complain("nothing was told")
	case d[0].Rule == "" && s.client.command() != "gemini":
		s.complain("%s, without what would allow it", d[0].Tool)
	}
}

func deniedWords(s *sight) string {
	if len(s.wrong) > 0 {
		return ""
	}
	if silent(s.client) {
		return "blocked, not told; " + string(s.object.Status)
	}
	return "refused and told; " + string(s.object.Status)
}
