package config

// Plans say how a plan of tasks is worked through: ralph run FILE.
type Plans struct {
	Parallel    Count       `yaml:"parallel" doc:"Tasks of one plan at once."`
	OnFailure   OnFailure   `yaml:"on_failure" doc:"When a task fails: skip what needs it, stop (begin nothing more), or ask a person."`
	Unattended  Unattended  `yaml:"unattended" doc:"What becomes of a question while nobody is at a terminal: wait for an answer, take its default, or fail the task that asks. One with a deadline of its own (ralph ask --within) takes its default then, whatever stands here."`
	AnswerAfter Pause       `yaml:"answer_after" doc:"How long a question without a deadline of its own waits before that is done, or off: at once."`
	Approve     Approver    `yaml:"approve" doc:"Whether the agent writes how it will do a task, and who agrees before it begins: person, review (a reviewer, and a person where none can be had), or off."`
	Trust       Switch      `yaml:"trust" doc:"on: commands that a plan proposes become gates without asking."`
	Review      WholeReview `yaml:"review" doc:"Who looks at the whole plan at its end: magi (review.magi), or council: the voters and the rule of review.council."`
	Archive     Keeping     `yaml:"archive" doc:"What becomes of the file of a plan that is realised and has nothing open: keep it, or move it into archived/ beside it."`
}

// The choices of plans.
type (
	OnFailure   = Choice[failureWords]
	Unattended  = Choice[unattendedWords]
	WholeReview = Choice[wholeReviewWords]
	Keeping     = Choice[keepingWords]
	Approver    = Choice[approverWords]
)

type (
	failureWords     struct{}
	unattendedWords  struct{}
	wholeReviewWords struct{}
	keepingWords     struct{}
	approverWords    struct{}
)

func (failureWords) what() string        { return "policy" }
func (failureWords) words() []string     { return []string{"skip", "stop", "ask"} }
func (unattendedWords) what() string     { return "policy" }
func (unattendedWords) words() []string  { return []string{"wait", "default", "fail"} }
func (wholeReviewWords) what() string    { return "review of a plan" }
func (wholeReviewWords) words() []string { return []string{"magi", "council"} }
func (keepingWords) what() string        { return "way to archive" }
func (keepingWords) words() []string     { return []string{"keep", "move"} }
func (approverWords) what() string       { return "approver" }
func (approverWords) words() []string    { return []string{"off", "person", "review"} }
