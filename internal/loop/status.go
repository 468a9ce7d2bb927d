package loop

// Status of a loop. "crashed" is not among them: it is a running loop whose
// owner is gone, detected when it is read.
type Status string

// The statuses (docs/formats-loops.md).
const (
	Pending      Status = "pending"
	Running      Status = "running"
	Waiting      Status = "waiting"
	Paused       Status = "paused"
	StatusPassed Status = "passed"
	StatusFailed Status = "failed"
	Aborted      Status = "aborted"
)

// Terminal reports whether the status is final.
func (s Status) Terminal() bool {
	return s == StatusPassed || s == StatusFailed || s == Aborted
}

// Reason is the code that goes with a status.
type Reason string

// The reason codes. Which status each belongs to stands in Reasons.
const (
	AlreadyGreen Reason = "already_green"
	Green        Reason = "green"

	// Imported: the loop ended in another runner, or could not continue here.
	// Its verdict is that runner's; ralph has no evidence of it.
	Imported Reason = "imported"

	MaxAttempts Reason = "max_attempts"
	Stuck       Reason = "stuck"
	Plateau     Reason = "plateau"
	NoChange    Reason = "no_change"
	AgentError  Reason = "agent_error"
	GateError   Reason = "gate_error"
	SetupError  Reason = "setup_error"
	GitError    Reason = "git_error"
	Conflict    Reason = "conflict"

	Regression Reason = "regression"
	Stalled    Reason = "stalled"
	Timeout    Reason = "timeout"
	Budget     Reason = "budget"
	Policy     Reason = "policy"
	Manual     Reason = "manual"

	ForLimit Reason = "limit"
	ForHuman Reason = "human"
	ForLock  Reason = "lock"
	ForLoop  Reason = "loop"
	// ForRetry: after a passing error of the agent or its provider.
	ForRetry Reason = "retry"
	// Damaged: the record cannot be read, or is not the one that was recorded. No
	// machine sets it: a store shows it in place of such a state.
	Damaged Reason = "damaged"
	// The account's provider throttles, does not answer, or refuses the login.
	ForThrottle Reason = "throttled"
	ForDown     Reason = "down"
	ForLogin    Reason = "no_login"
	// ForKeep: the rest of a window of the account's usage limit is the user's
	// (Limits.Keep). ForQuiet: no attempt starts in these hours (Limits.QuietHours).
	ForKeep  Reason = "keep"
	ForQuiet Reason = "quiet_hours"
	// ForMove: a paused loop is being moved to another engine. Left: it was moved, and
	// this is the record that it left behind.
	ForMove Reason = "moving"
	Left    Reason = "moved"
)

// NeedsPerson reports whether a run that waits for r waits for a person.
func (r Reason) NeedsPerson() bool { return r == ForHuman || r == ForLogin || r == Damaged }

// Reasons lists, for each status that needs one, its reason codes.
func Reasons() map[Status][]Reason {
	return map[Status][]Reason{
		StatusPassed: {Green, AlreadyGreen, Imported},
		StatusFailed: {MaxAttempts, Stuck, Plateau, NoChange, AgentError, GateError, SetupError, GitError, Conflict, Imported},
		Aborted:      {Regression, Stalled, Timeout, Budget, Policy, Manual, Imported, Left},
		Waiting:      {ForLimit, ForKeep, ForThrottle, ForDown, ForLogin, ForQuiet, ForHuman, ForLock, ForLoop, ForRetry, Budget, Damaged, ForMove},
	}
}

// Step is where in an attempt the loop stands.
type Step string

// The steps, in order. Keep and Tidy close a loop whose verdict is known.
const (
	StepSetup  Step = "setup"
	StepBase   Step = "base"
	StepAgent  Step = "agent"
	StepCommit Step = "commit"
	StepGates  Step = "gates"
	// StepProof comes between the hard gates and the others; it may run gates on the base again.
	StepProof Step = "proof"
	// StepVerify begins the final verification of an agent-driven loop.
	StepVerify Step = "verify"
	StepKeep   Step = "keep"
	StepTidy   Step = "tidy"
	StepDone   Step = "done"
)

// Mode is the driver of the loop: ralph or an agent.
type Mode string

// Supervised loops run their agent; in agent-driven ones the agent calls
// `ralph loop check` itself (seed 000).
const (
	Supervised  Mode = "run"
	AgentDriven Mode = "loop"
)

// InPlan reports whether the loop works on a task of a plan's run: Parent is the
// plan, its work is accepted with the plan, and it is resumed with the plan.
func (s *State) InPlan() bool { return s.Parent != "" && s.Task.Plan != nil }
