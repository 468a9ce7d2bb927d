package main

import (
	"context"
	"encoding/json"
	"fmt"
)

// tryOut lets the doctor try the agent.
func tryOut(ctx context.Context, s *stage) error {
	s.noLoop = true
	out, err := s.ralph(ctx, "doctor", "--agent", s.client.name, "--try", "--yes", "--json")
	if err != nil {
		return err
	}
	var told struct {
		Agents []struct {
			Untested bool `json:"untested"`
			Account  struct {
				Login string `json:"login"`
			} `json:"account"`
		} `json:"agents"`
		Try struct {
			Proved bool `json:"proved"`
		} `json:"try"`
	}
	if err := json.Unmarshal(out.Stdout, &told); err != nil || out.Code != 0 {
		return fmt.Errorf("ralph doctor: exit %d: %s%s", out.Code, tail(out.Stdout), tail(out.Stderr))
	}
	s.proved = told.Try.Proved
	if s.client.acp() {
		return nil // of such a program nothing else is known
	}
	if len(told.Agents) != 1 || told.Agents[0].Untested && !s.newest || told.Agents[0].Account.Login != "yes" {
		return fmt.Errorf("the doctor says of it: %+v", told.Agents)
	}
	return nil
}

func proved(s *sight) {
	if !s.proved {
		s.complain("nothing was proved")
	}
}

func provedWords(s *sight) string {
	if s.client.acp() {
		return "answers, writes, is committed, is judged"
	}
	return "logged in; answers, writes, is committed, is judged"
}
