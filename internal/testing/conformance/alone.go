package main

import (
	"context"
	"path/filepath"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/agent/acp"
	"ralph/internal/agent/registry"
	"ralph/internal/loop"
)

// driver returns the driver that is tested.
func (c client) driver() agent.Driver {
	if c.acp() {
		return acp.Driver{}
	}
	return c.native()
}

// native returns the driver of the program's own protocol; an adapter has none.
func (c client) native() agent.Native {
	for _, d := range registry.Natives() {
		if d.Program() == c.command() {
			return d
		}
	}
	return nil
}

// hugePrompt is a little shorter than Codex's limit.
func hugePrompt() string {
	return strings.Repeat("Words that fill a line of the prompt, again and again.\n", 18_900)
}

// driveAlone gives the driver a prompt that ralph itself would never make.
func driveAlone(ctx context.Context, s *stage) error {
	return s.drive(ctx, hugePrompt(), loop.PermissionsDefault)
}

// driveReader runs the agent as a reviewer, without ralph's sandbox.
func driveReader(ctx context.Context, s *stage) error {
	return s.drive(ctx, "What does the file readme say?\n", loop.PermissionsRead)
}

// drive runs the driver without ralph.
func (s *stage) drive(ctx context.Context, words string, p loop.Permissions) error {
	prompt := filepath.Join(s.dir, "prompt.md")
	if err := write(prompt, words); err != nil {
		return err
	}
	a := loop.Agent{Name: s.client.name, Use: s.client.name, Model: s.client.model, Permissions: p}
	if s.client.acp() {
		a.Use, a.Argv = "acp", s.client.run
	}
	out, err := s.client.driver().Run(ctx, agent.Job{
		Agent: a, Tree: s.repo, Prompt: prompt, Raw: filepath.Join(s.dir, "agent.txt"),
		RunDir: filepath.Join(s.dir, "run"), RunID: filepath.Base(s.dir), Env: s.env,
		Timeout: loop.Deadline{Hard: caseTime}, Patience: agent.PatienceFor(a),
	})
	s.alone, s.noLoop = out, true
	return err
}

func long(s *sight) {
	if s.alone.End != loop.EndDone {
		s.complain("it ended as %s: %s", s.alone.End, s.alone.Message)
	}
	if text, _ := readFile(filepath.Join(s.repo, "file")); text != "right\n" {
		s.complain("the file has %q", text)
	}
	if len(s.seen) == 0 || s.seen[0].Bytes < 1_000_000 {
		s.complain("the model did not get it")
	}
}

func longWords(*sight) string { return "the model gets all of it; done" }

// read expects that the agent read a file and changed nothing.
func read(s *sight) {
	if s.alone.End != loop.EndDone || s.alone.Words != "All done." {
		s.complain("it ended as %s: %s (%q)", s.alone.End, s.alone.Message, s.alone.Words)
	}
	for _, name := range []string{"repo/written", "repo/run", "home/written"} {
		if _, err := readFile(filepath.Join(s.dir, name)); err == nil {
			s.complain("it wrote %s", name)
		}
	}
	if n := len(s.seen); n != 5 {
		s.complain("%d requests", n)
	}
}

func readWords(*sight) string { return "reads; writes nothing; done" }
