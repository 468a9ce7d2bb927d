package config

import (
	"fmt"
	"slices"

	"ralph/internal/loop"
)

// Review configures the review of work that has passed its gates.
type Review struct {
	Reviewers List       `yaml:"reviewers" doc:"Agents that review, in this order; one that did the work comes last."`
	Spec      SpecReview `yaml:"spec" doc:"Hard: is everything there that was asked for? auto: for tasks with criteria, where reviewers are configured."`
	Quality   Switch     `yaml:"quality" doc:"on: is it well made? Soft: what is found is reported."`
	Council   Council    `yaml:"council" doc:"Agents that vote on work that matters."`
	Magi      Magi       `yaml:"magi" doc:"Three who look at a whole plan after each piece of work."`
	Fallback  StandIn    `yaml:"fallback" doc:"Where too few reviewers can be had: ask a person, or self, the agent that did the work, in a fresh context. Such a review is marked."`
	Require   Switch     `yaml:"require" doc:"on: work without a reviewer does not start."`
	Timeout   Deadline   `yaml:"timeout" doc:"Time of one reviewer's answer."`
}

// Council is a vote.
type Council struct {
	Voters List     `yaml:"voters" doc:"Agents that vote. Without any there is no council."`
	Rule   Majority `yaml:"rule" doc:"majority: more than half of all voters approve; unanimous: all of them."`
	Need   Count    `yaml:"need" doc:"So many approve, instead of rule."`
	Quorum Count    `yaml:"quorum" doc:"So many answer at least; else a person is asked. Default: more than half."`
	When   When     `yaml:"when" doc:"Which work is voted on. Default: all."`
}

// When selects the work that is voted on; one match is enough.
type When struct {
	Labels List  `yaml:"labels" doc:"Tasks of a plan with one of these labels."`
	Phases List  `yaml:"phases" doc:"Tasks of a plan in one of these phases."`
	Paths  Globs `yaml:"paths" doc:"Work that changes a file of these path globs."`
}

// Magi look at plans.
type Magi struct {
	Reviewers List `yaml:"reviewers" doc:"Agents, seated in turn at three places. Default: review.reviewers."`
}

// The names of review gates.
const (
	specGate    = "review-spec"
	qualityGate = "review-quality"
	councilGate = "review-council"
)

// ReviewGates returns all configured reviews, ready to be frozen after the other
// gates; loop.ReviewsFor selects those for a piece of work. A spec review without
// named reviewers uses any configured agent.
func (r *Resolved) ReviewGates() []loop.Gate {
	set := r.Settings.Review
	var out []loop.Gate
	add := func(name string, level loop.Level, v loop.Review) {
		if len(v.Reviewers) > 0 {
			v.Self = set.Fallback == "self"
			out = append(out, loop.Gate{Name: name, Kind: loop.KindReview, Level: level, Timeout: loop.Deadline(set.Timeout), Review: &v})
		}
	}
	if set.Spec == "on" || set.Spec == "auto" && len(set.Reviewers) > 0 {
		add(specGate, loop.Hard, loop.Review{Kind: "spec", Reviewers: r.Reviewers(), Criteria: set.Spec == "auto"})
	}
	if set.Quality.On() {
		add(qualityGate, loop.Soft, loop.Review{Kind: "quality", Reviewers: r.Reviewers()})
	}
	c, when := r.council(), set.Council.When
	c.Labels, c.Phases, c.Paths = slices.Clone([]string(when.Labels)), slices.Clone([]string(when.Phases)), slices.Clone([]string(when.Paths))
	add(councilGate, loop.Hard, c)
	return out
}

// JudgesReview is the gate whose reviewers may allow changes of judge files; false where
// nothing but people may.
func (r *Resolved) JudgesReview() (loop.Gate, bool) {
	set := r.Settings.Review
	return loop.Gate{
		Name: loop.JudgesGate, Kind: loop.KindReview, Level: loop.Soft, Timeout: loop.Deadline(set.Timeout),
		Review: &loop.Review{Kind: loop.JudgesReview, Reviewers: r.named(set.Reviewers), Self: set.Fallback == "self"},
	}, r.Settings.Judges == "reviewed"
}

// council returns the configured vote.
func (r *Resolved) council() loop.Review {
	c := r.Settings.Review.Council
	return loop.Review{
		Kind: "council", Reviewers: r.named(c.Voters), Unanimous: c.Rule == "unanimous" && !c.Need.set, Need: c.Need.Int(), Quorum: c.Quorum.Int(),
		Self: r.Settings.Review.Fallback == "self",
	}
}

// PlanCouncil votes on a plan as a whole, in place of the magi; nil where they
// look at it.
func (r *Resolved) PlanCouncil() *loop.Review {
	if r.Settings.Plans.Review != "council" {
		return nil
	}
	return new(r.council())
}

// Reviewers are those of review.reviewers, or all configured agents. Known
// programs need not be configured.
func (r *Resolved) Reviewers() []loop.Agent {
	if names := r.Settings.Review.Reviewers; len(names) > 0 {
		return r.named(names)
	}
	return slices.DeleteFunc(r.Agents(), func(a loop.Agent) bool { return a.Use == "human" })
}

// Magi returns the reviewers of a plan, and whether the author's agent may replace
// them. There are none without configured reviewers.
func (r *Resolved) Magi() (reviewers []loop.Agent, self bool) {
	names := r.Settings.Review.Magi.Reviewers
	if len(names) == 0 {
		names = r.Settings.Review.Reviewers
	}
	return r.named(names), r.Settings.Review.Fallback == "self"
}

// ReviewRequired reports whether work without a reviewer may not start.
func (r *Resolved) ReviewRequired() bool { return r.Settings.Review.Require.On() }

func (r *Resolved) named(names []string) (out []loop.Agent) {
	all := r.Agents()
	for _, name := range names {
		i := slices.IndexFunc(all, func(a loop.Agent) bool { return a.Name == name })
		switch {
		case i >= 0:
			out = append(out, all[i])
		case slices.Contains(natives, name):
			out = append(out, loop.Agent{Name: name, Use: name})
		}
	}
	return out
}

// review checks that reviewers exist and that rules can be met.
func (c *checker) review() {
	v := c.r.Settings.Review
	for _, list := range []struct {
		key   string
		names List
	}{{"review.reviewers", v.Reviewers}, {"review.council.voters", v.Council.Voters}, {"review.magi.reviewers", v.Magi.Reviewers}} {
		for _, name := range list.names {
			c.reviewer(list.key, name)
		}
	}
	n := len(v.Council.Voters)
	for _, most := range []struct {
		key string
		n   int
	}{{"review.council.need", v.Council.Need.Int()}, {"review.council.quorum", v.Council.Quorum.Int()}} {
		if n > 0 && most.n > n {
			c.fail(most.key, fmt.Sprintf("%d is more than there are voters (%d)", most.n, n), "name more voters, or write a smaller number")
		}
	}
	if c.r.Settings.Plans.Review == "council" && n == 0 {
		c.fail("plans.review", "the council has no voters", "add them: review: {council: {voters: [NAME, …]}}")
	}
	c.deadline("review.timeout", v.Timeout)
}

func (c *checker) reviewer(key, name string) {
	a, ok := c.r.Settings.Agents.Get(name)
	switch {
	case !ok && !slices.Contains(natives, name):
		hint := "name an agent of agents:"
		if near := nearest(name, c.r.Settings.Agents.names()); near != "" {
			hint = `did you mean "` + near + `"?`
		}
		c.fail(key, clip(name)+" is not a configured agent", hint)
	case a.Use == "human":
		c.fail(key, clip(name)+" is a person", "a person is asked by a gate of kind human")
	}
}
