package view

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/money"
	"ralph/internal/next"
	"ralph/internal/text"
)

// Spent is the cost of all loops of a report. Unknown is null and n/a.
type Spent struct {
	Usage loop.Usage `json:"usage"`
	// CostUnknown runs reported no cost: Usage is too low by theirs.
	CostUnknown int `json:"cost_unknown"`
	// Verified loops have passed. PerVerifiedMicroUSD is the total cost, failed
	// loops included, for each of them; null where no cost is known, or nothing
	// has passed.
	Verified            int    `json:"verified"`
	PerVerifiedMicroUSD *int64 `json:"per_verified_micro_usd"`
	// LimitWaitMS is the time lost to usage limits, of all loops together.
	LimitWaitMS int64 `json:"limit_wait_ms"`
	// PricesOf is when the prices that are built in were true.
	PricesOf string `json:"prices_of"`
}

// spentWords describes the usage of one agent in a loop.
func spentWords(p loop.AgentSpent) string {
	who := text.Line(p.Name)
	if p.Model != "" {
		who += " " + text.Line(p.Model)
	}
	if p.Review {
		who += " (review)"
	}
	return fmt.Sprintf("%s: %s · tokens %s · cost %s", who, text.Plural(p.Runs, "run"), tokens(p.Usage), costOf(p.Usage, p.CostUnknown))
}

func (r *Summary) total() {
	t := &r.Spent
	t.PricesOf = money.PricesOf
	for _, l := range r.loops {
		t.add(l.Usage, l.CostUnknown)
		t.LimitWaitMS += l.LimitWait.Milliseconds()
		if l.Status == loop.StatusPassed && l.Reason == loop.Green {
			t.Verified++
		}
	}
	for _, of := range r.Plans {
		for _, p := range of.Spent {
			t.add(p.Usage, p.CostUnknown)
		}
	}
	if t.Usage.CostMicroUSD != nil && t.Verified > 0 {
		t.PerVerifiedMicroUSD = new(*t.Usage.CostMicroUSD / int64(t.Verified))
	}
}

func (t *Spent) add(u loop.Usage, unknown int) {
	t.Usage, t.CostUnknown = t.Usage.Add(u), t.CostUnknown+unknown
}

// spend adds what the agents of a loop have used.
func (r *Summary) spend(l Loop) {
	if len(l.Spent) == 0 && l.Iteration == 0 && l.Usage == (loop.Usage{}) {
		return // no agent ever ran
	}
	if len(l.Spent) == 0 { // of an older version, or another runner
		a := r.agent(agentObject(l.Spec.Agent), false)
		a.Iterations += l.Made
		a.Usage = a.Usage.Add(l.Usage)
		if l.Usage.CostMicroUSD == nil && l.Iteration > 0 {
			a.Unknown++
		}
		return
	}
	counted := map[string]bool{}
	for _, p := range named(l.Spent) {
		a := r.spender(agentOf(l.Spec, p), p)
		if !p.Review && !counted[p.Name] {
			counted[p.Name] = true
			a.Iterations += attemptsBy(l.counted(), p.Name)
		}
	}
}

// counted are the attempts that count: not one in which the agent could not work.
func (l Loop) counted() []loop.Attempt {
	if n := len(l.Attempts); n > 0 && l.Made < l.Iteration && l.Attempts[n-1].N == l.Iteration {
		return l.Attempts[:n-1]
	}
	return l.Attempts
}

// named gives the runs of an agent that reported no model the one that its other runs
// reported, where there is one: they are no other agent's.
func named(spent []loop.AgentSpent) []loop.AgentSpent {
	out := slices.Clone(spent)
	for i, p := range out {
		if p.Model != "" {
			continue
		}
		models := map[string]bool{}
		for _, q := range spent {
			if q.Name == p.Name && q.Review == p.Review && q.Model != "" {
				models[q.Model] = true
				out[i].Model = q.Model
			}
		}
		if len(models) > 1 {
			out[i].Model = ""
		}
	}
	return out
}

// spender adds runs to the row of their agent.
func (r *Summary) spender(of loop.Agent, p loop.AgentSpent) *AgentUse {
	who := agentObject(of)
	who.Model = p.Model
	a := r.agent(who, p.Review)
	a.Runs += p.Runs
	a.Usage = a.Usage.Add(p.Usage)
	if p.CostUnknown > 0 {
		a.Unknown++
	}
	return a
}

// agent finds the row of an agent with a model, or adds it. Reviewers have rows
// of their own.
func (r *Summary) agent(who AgentObject, review bool) *AgentUse {
	for i := range r.Agents {
		if r.Agents[i].Agent == who && r.Agents[i].Review == review {
			return &r.Agents[i]
		}
	}
	r.Agents = append(r.Agents, AgentUse{Agent: who, Review: review})
	return &r.Agents[len(r.Agents)-1]
}

// agentOf returns the agent that ran. A reviewer has permissions of its own.
func agentOf(s loop.Spec, p loop.AgentSpent) loop.Agent {
	if p.Review {
		return loop.Agent{Name: p.Name, Use: p.Use}
	}
	for _, a := range append([]loop.Agent{s.Agent}, s.Agents...) {
		if a.Name == p.Name {
			return a
		}
	}
	return loop.Agent{Name: p.Name, Use: p.Use}
}

func attemptsBy(attempts []loop.Attempt, name string) (n int) {
	for _, a := range attempts {
		if a.By == name {
			n++
		}
	}
	return n
}

// spent writes what everything has cost.
func (r Summary) spent(b *strings.Builder) {
	b.WriteString("\n## Cost and limits\n\n| Agent | Attempts | Input / cached / output tokens | Cost |\n|---|---|---|---|\n")
	for _, a := range r.Agents {
		words := cost(a.Usage)
		if a.Unknown > 0 && a.Usage.CostMicroUSD != nil {
			words += fmt.Sprintf(", and n/a for %s", text.Plural(a.Unknown, "loop"))
		}
		who, times := a.row()
		fmt.Fprintf(b, "| %s | %s | %s | %s |\n", markup(who), times, kinds(a.Usage), words)
	}
	fmt.Fprintf(b, "\nAll together: %s", costOf(r.Spent.Usage, r.Spent.CostUnknown))
	if each := r.Spent.PerVerifiedMicroUSD; each != nil {
		fmt.Fprintf(b, " · %s for each of %s that passed, the cost of the others included", money.Show(*each), text.Plural(r.Spent.Verified, "loop"))
	}
	b.WriteString("\n")
	if words := r.Uncounted(); words != "" {
		b.WriteString(words + "\n")
	}
	if r.Spent.Usage.CostSource == money.Estimated {
		fmt.Fprintf(b, "Estimates (est.) are tokens times list prices: those built in are of %s, `prices:` overrides them.\n", r.Spent.PricesOf)
	}
	if ms := r.Spent.LimitWaitMS; ms > 0 {
		fmt.Fprintf(b, "Lost to usage limits: %s.\n", text.Duration(time.Duration(ms)*time.Millisecond))
	}
}

// Uncounted names the archived runs, whose costs are not in the report.
func (r Summary) Uncounted() string {
	if r.Archived == 0 {
		return ""
	}
	return text.Plural(r.Archived, "archived run") + " not counted: " + next.Report("--archived")
}

// row returns the agent and its number of iterations: reviewers have none.
func (a AgentUse) row() (who, times string) {
	who = a.Agent.label() + modelWords(a.Agent)
	if a.Review {
		return who + " (review)", "–"
	}
	return who, fmt.Sprint(a.Iterations)
}

func modelWords(a AgentObject) string {
	if a.Model == "" {
		return ""
	}
	return " " + text.Line(a.Model)
}

// usageOf returns the usage of all runs of an attempt. Records of older
// versions know only the last.
func usageOf(a loop.Attempt) loop.Usage {
	if a.Runs == 0 {
		return a.Agent.Usage
	}
	return a.Usage
}

func names(agents []loop.Agent) []string {
	out := make([]string, len(agents))
	for i, a := range agents {
		out[i] = a.Name
	}
	return out
}
