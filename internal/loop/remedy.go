package loop

import "strings"

// A reason ends with a remedy in brackets. A person has flags and the plan; an agent can
// only leave a file as it is, or dispute a gate or the proof. The record holds the person's remedy.
const (
	RemedyJudges = "--may-change permits changes to them"
	RemedyNew    = "--may-change lets the gate count on them"
	RemedyWrites = "--may-change permits it"
	RemedyLost   = "--may-change allows to remove tests"
	remedyProof  = "a task that nothing can test needs --kind docs, refactor or chore, or --proof none; one about coverage needs --gate coverage=N"
	remedyPlan   = "a task that nothing can test needs a line '**Kind:** docs' in the plan"
)

const disputeIt = "where the task contradicts that, run: ralph dispute GATE --file PATH --why REASON"

// Those remedies for a task of a plan.
const (
	planLine   = "a line '**May change:** GLOB' of the task "
	planJudges = planLine + "permits changes to them"
	planNew    = planLine + "lets the gate count on them"
	planWrites = planLine + "permits it"
	planLost   = planLine + "allows to remove tests"
)

// Remedy returns a remedy in brackets, as the loop's user can apply it.
func (s Spec) Remedy(remedy string) string {
	if s.Task.Plan != nil {
		switch remedy {
		case RemedyJudges:
			remedy = planJudges
		case RemedyNew:
			remedy = planNew
		case RemedyWrites:
			remedy = planWrites
		case RemedyLost:
			remedy = planLost
		}
	}
	return " (" + remedy + ")"
}

var forAgents = strings.NewReplacer(
	"("+RemedyJudges+")", "(leave these files as they are; "+disputeIt+")",
	"("+planJudges+")", "(leave these files as they are; "+disputeIt+")",
	"("+RemedyNew+")", "(the tests of the base must pass without them; "+disputeIt+")",
	"("+planNew+")", "(the tests of the base must pass without them; "+disputeIt+")",
	"("+RemedyWrites+")", "(let nothing write these files; "+disputeIt+")",
	"("+planWrites+")", "(let nothing write these files; "+disputeIt+")",
	"("+RemedyLost+")", "(keep these tests; "+disputeIt+")",
	"("+planLost+")", "(keep these tests; "+disputeIt+")",
	"("+remedyProof+")", remedyAgent,
	"("+remedyPlan+")", remedyAgent,
)

const remedyAgent = "(if no test of this task can fail without the work, run: ralph dispute " + FailedProof + " --why REASON)"

// ReasonForAgents returns the reason of a gate with what an agent can do about it. gate is "" where
// it is not known.
func ReasonForAgents(reason, gate string) string {
	reason = forAgents.Replace(reason)
	if gate != "" {
		reason = strings.ReplaceAll(reason, disputeIt, strings.Replace(disputeIt, "GATE", gate, 1))
	}
	return reason
}

// ForAgents returns the attempt as agents hear of it.
func (a Attempt) ForAgents() Attempt {
	a.Error = ReasonForAgents(a.Error, a.FailedGate)
	a.Results = each(a.Results, Result.ForAgents)
	for i := range a.Results {
		a.Results[i].Reason = ReasonForAgents(a.Results[i].Reason, a.Results[i].Gate)
	}
	return a
}
