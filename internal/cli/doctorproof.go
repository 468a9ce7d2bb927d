package cli

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/report"
)

// proof is one thing that a try was to prove.
type proof struct {
	Step  string `json:"step"`
	Level health `json:"level"`
	What  string `json:"what"`
}

// proofs reads off a loop what it proves: that the agent answers, that it can
// write, that ralph can commit it, and that a gate runs on the commit.
func proofs(s loop.State) []proof {
	last := s.Last()
	if last == nil {
		return []proof{{"starts", broken, cmp.Or(s.Message, "the agent was not started")}}
	}
	out := []proof{answered(*last), wrote(*last)}
	if last.Commit == "" || !last.Changed {
		return append(out, proof{"commits", broken, "there was nothing to commit"})
	}
	out = append(out, proof{"commits", healthy, fmt.Sprintf("ralph committed it as %.8s on %s", last.Commit, s.Branch)})
	return append(out, judged(*last))
}

func answered(at loop.Attempt) proof {
	o := at.Agent
	if o.End != loop.EndDone {
		return proof{"answers", broken, strings.TrimSuffix(fmt.Sprintf("the agent ended as %s: %s", cmp.Or(o.End, "unfinished"), o.Message), ": ")}
	}
	words := []string{"the agent ended well"}
	if o.Version != "" {
		words = append(words, "version "+o.Version)
	}
	if o.Model != "" {
		words = append(words, "model "+o.Model)
	}
	if u := report.Used(o.Usage); u != "" {
		words = append(words, u)
	}
	level := healthy
	if o.Untested {
		level = noted
		words = append(words, "ralph was tried with "+o.Tested+" only")
	}
	return proof{"answers", level, strings.Join(words, ", ")}
}

func wrote(at loop.Attempt) proof {
	if slices.Contains(at.Files, tryFile) {
		return proof{"writes", healthy, "it wrote " + tryFile + " in its worktree"}
	}
	words := []string{"it wrote no " + tryFile}
	for _, d := range at.Agent.Denials {
		rule := ""
		if d.Rule != "" {
			rule = ", which this would allow: " + d.Rule
		}
		words = append(words, "it was not allowed to use "+d.Tool+rule)
	}
	return proof{"writes", broken, strings.Join(words, "; ")}
}

func judged(at loop.Attempt) proof {
	if len(at.Results) == 0 {
		return proof{"gate", broken, "the gate did not run"}
	}
	if r := at.Results[0]; r.Verdict != loop.Passed {
		return proof{"gate", broken, fmt.Sprintf("the gate says %s: %s", r.Verdict, r.Reason)}
	}
	return proof{"gate", healthy, "the gate ran on the commit, in a worktree of its own, and passed: " + tryGate}
}
