package loop

import "slices"

// AgentSpent is the usage of all runs of one agent with one model.
type AgentSpent struct {
	Name  string `json:"name"`
	Use   string `json:"use"`
	Model string `json:"model,omitempty"`
	// Review: it was asked about the work of others.
	Review bool  `json:"review,omitempty"`
	Runs   int   `json:"runs"`
	Usage  Usage `json:"usage"`
	// CostUnknown counts the runs whose cost was not reported.
	CostUnknown int `json:"cost_unknown,omitempty"`
}

// AddSpent adds what more runs have used: a row for each agent with each model,
// as the author or as a reviewer. all is changed in place.
func AddSpent(all []AgentSpent, more ...AgentSpent) []AgentSpent {
	for _, m := range more {
		i := slices.IndexFunc(all, m.same)
		if i < 0 && len(all) >= mostSpent { // an agent that names another model each time
			m.Model = "other"
			i = slices.IndexFunc(all, m.same)
		}
		if i < 0 {
			i, all = len(all), append(all, AgentSpent{Name: m.Name, Use: m.Use, Model: m.Model, Review: m.Review})
		}
		by := &all[i]
		by.Runs, by.Usage, by.CostUnknown = by.Runs+m.Runs, by.Usage.Add(m.Usage.Sound()), by.CostUnknown+m.CostUnknown
	}
	return all
}

func (p AgentSpent) same(o AgentSpent) bool {
	return p.Name == o.Name && p.Use == o.Use && p.Model == o.Model && p.Review == o.Review
}

// spend adds what a run of the agent has used, to the loop, to its attempt and
// to the agent's account. costly: a run without a reported cost may have had one.
func (s *State) spend(u Usage, model string, costly bool) {
	if model == "" {
		model = s.Agent.Model
	}
	unknown := 0
	if costly && u.CostMicroUSD == nil {
		unknown = 1
	}
	a := s.Last()
	a.Runs++
	a.By = s.Agent.Name
	s.charge(AgentSpent{Name: s.Agent.Name, Use: s.Agent.Use, Model: model, Runs: 1, Usage: u, CostUnknown: unknown})
}

// consulted adds the usage of reviewers, whatever their verdicts.
func (s *State) consulted(all []AgentSpent) {
	for _, v := range all {
		v.Usage, v.Review = v.Usage.Sound(), true
		s.charge(v)
	}
}

// charge adds what runs have used to the loop, to its attempt and to the account
// of the agent. Amounts are copied, so that no memory is shared with the event.
func (s *State) charge(v AgentSpent) {
	v.Usage = v.Usage.clone()
	a := s.Last()
	s.Usage, a.Usage = s.Usage.Add(v.Usage).clone(), a.Usage.Add(v.Usage).clone()
	s.CostUnknown, a.CostUnknown = s.CostUnknown+v.CostUnknown, a.CostUnknown+v.CostUnknown
	s.Spent = each(AddSpent(s.Spent, v), AgentSpent.clone)
}

// Costly reports whether a run can have cost something although was not reported what:
// one that its provider refused at the door has not.
func (o Outcome) Costly() bool {
	switch o.End {
	case EndLimit, EndTransient, EndPermanent:
		used := o.Usage.Sound().TotalTokens()
		return used != nil && *used > 0 || o.Usage != o.Usage.Sound()
	}
	return true
}

// TotalTokens sums the kinds that are known; nil where none is.
func (u Usage) TotalTokens() *int64 {
	var sum *int64
	for _, n := range []*int64{u.InputTokens, u.OutputTokens, u.CacheReadTokens, u.CacheWriteTokens} {
		sum = plus(sum, n)
	}
	return sum
}
