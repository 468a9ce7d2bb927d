package doctor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/agent/registry"
	"ralph/internal/loop"
	"ralph/internal/view"
)

// proof is one thing that a try was to prove.
type proof struct {
	Step  string `json:"step"`
	Level health `json:"level"`
	What  string `json:"what"`
	// Fix is what can be done about it; often nothing is known.
	Fix string `json:"fix,omitempty"`
}

// proofs reads off a loop what it proves: that the agent answers, that it can
// write, that ralph can commit it, and that a gate runs on the commit.
func proofs(s loop.State) []proof {
	if quotaSpent(s) {
		return append([]proof{spentQuota(s)}, untried("writes", "commits", "gate")...)
	}
	last := s.Last()
	if last == nil {
		return []proof{{Step: "starts", Level: broken, What: cmp.Or(s.Message, "the agent was not started")}}
	}
	if unanswered(*last) {
		return append([]proof{answered(*last)}, untried("writes", "commits", "gate")...)
	}
	out := []proof{answered(*last), wrote(*last)}
	if last.Commit == "" || !last.Changed {
		return append(out, proof{Step: "commits", Level: broken, What: "there was nothing to commit"})
	}
	out = append(out, proof{Step: "commits", Level: healthy, What: fmt.Sprintf("ralph committed it as %.8s on %s", last.Commit, s.Branch)})
	return append(out, judged(*last))
}

// quotaSpent: its agent's usage limit was met, now or by another loop before.
func quotaSpent(s loop.State) bool { return !s.Status.Terminal() && s.Reason.OfQuota() }

func spentQuota(s loop.State) proof {
	words := "the agent's quota is spent until " + s.Wake.Local().Format(time.DateTime)
	if s.Message != "" {
		words += ": " + s.Message
	}
	return proof{Step: "answers", Level: broken, What: words}
}

// unanswered: the agent did not come to its work, so that its run proves nothing
// about the rest.
func unanswered(at loop.Attempt) bool {
	return at.Agent.End != loop.EndDone && !at.Changed && len(at.Agent.Denials) == 0
}

func untried(steps ...string) (out []proof) {
	for _, s := range steps {
		out = append(out, proof{Step: s, Level: noted, What: "not tried: the agent did not answer"})
	}
	return out
}

func answered(at loop.Attempt) proof {
	o := at.Agent
	if o.End != loop.EndDone {
		return proof{Step: "answers", Level: broken, What: strings.TrimSuffix(fmt.Sprintf("the agent ended as %s: %s", cmp.Or(o.End, "unfinished"), o.Message), ": "), Fix: o.Fix}
	}
	words := []string{"the agent ended well"}
	if o.Version != "" {
		words = append(words, "version "+o.Version)
	}
	if o.Model != "" {
		words = append(words, "model "+o.Model)
	}
	if u := view.Used(o.Usage); u != "" {
		words = append(words, u)
	}
	level := healthy
	if o.Untested {
		level = noted
		words = append(words, "ralph was tried with "+o.Tested+" only")
	}
	return proof{Step: "answers", Level: level, What: strings.Join(words, ", ")}
}

func wrote(at loop.Attempt) proof {
	if slices.Contains(at.Files, tryFile) {
		return proof{Step: "writes", Level: healthy, What: "it wrote " + tryFile + " in its worktree"}
	}
	words := []string{"it wrote no " + tryFile}
	for _, d := range at.Agent.Denials {
		rule := ""
		if d.Rule != "" {
			rule = ", which this would allow: " + d.Rule
		}
		words = append(words, "it was not allowed to use "+d.Tool+rule)
	}
	return proof{Step: "writes", Level: broken, What: strings.Join(words, "; ")}
}

func judged(at loop.Attempt) proof {
	if len(at.Results) == 0 {
		return proof{Step: "gate", Level: broken, What: "the gate did not run"}
	}
	if r := at.Results[0]; r.Verdict != loop.Passed {
		return proof{Step: "gate", Level: broken, What: fmt.Sprintf("the gate says %s: %s", r.Verdict, r.Reason)}
	}
	return proof{Step: "gate", Level: healthy, What: "the gate ran on the commit, in a worktree of its own, and passed: " + tryGate}
}

// mendLogin says how to log in where that is what the agent lacks. Of a login
// that is there its provider has said no.
func mendLogin(steps []proof, g loop.Agent) {
	by, ok := registry.Find(g.Use)
	if !ok || len(steps) == 0 || steps[0].Level != broken || !strings.Contains(steps[0].What, notLoggedIn) {
		return
	}
	// Without an environment the account is missing, and Fix says how to get one.
	steps[0].Fix = by.Account(g, nil).Fix
}

// notLoggedIn are the words in which drivers tell it.
const notLoggedIn = "not logged in"
