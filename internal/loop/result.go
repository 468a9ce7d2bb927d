package loop

import "time"

// Verdict of one gate. Only Passed counts as passed.
type Verdict string

// Results of a gate. Error means that the gate could not run or its output
// could not be read; it is never taken for a pass.
const (
	Passed  Verdict = "passed"
	Failed  Verdict = "failed"
	Error   Verdict = "error"
	Skipped Verdict = "skipped"
)

// Result is the evidence that one evaluation of a gate left.
type Result struct {
	Gate    string  `json:"gate"`
	Kind    Kind    `json:"kind"`
	Level   Level   `json:"level"`
	Verdict Verdict `json:"verdict"`
	// Hidden: agents hear only the verdict; see Told.
	Hidden bool `json:"hidden,omitempty"`
	// HiddenFiles tells that the folder of a hidden gate is no longer what it was when
	// the loop began; empty where it is.
	HiddenFiles string `json:"hidden_files,omitempty"`
	// Reason is one line: why it is not passed, or what passed.
	Reason string `json:"reason"`

	// Value and Threshold are in the gate's unit (per cent); nil is unknown.
	Value     *float64 `json:"value,omitempty"`
	Threshold *float64 `json:"threshold,omitempty"`
	// CountedFiles is how many files a gate that is limited to the scope
	// counted; 0 is all.
	CountedFiles int `json:"counted_files,omitempty"`
	// Report is the file that Value comes from, in the gate's folder, or "-" for what the
	// command printed; empty in results of older versions.
	Report string `json:"report,omitempty"`
	// Tests is nil where no test results were parsed.
	Tests *Tests `json:"tests,omitempty"`

	// Fingerprint is 8 hex digits over the names of all failed tests, else over the
	// normalised output; empty on a pass. Detail is 8 hex digits over what the
	// failed tests print; empty where the fingerprint is over the output.
	Fingerprint string `json:"fingerprint,omitempty"`
	Detail      string `json:"detail,omitempty"`
	// Excerpt is the verbatim output, cut in the middle to 100 lines.
	Excerpt string `json:"excerpt,omitempty"`
	// Missing names files and symbols that the failure says it lacks.
	Missing []string `json:"missing,omitempty"`

	// Argv, ExitCode and Signal describe the end of the command; ExitCode is
	// nil when it did not exit by itself.
	Argv     []string `json:"argv,omitempty"`
	ExitCode *int     `json:"exit_code,omitempty"`
	Signal   string   `json:"signal,omitempty"`
	// CannotStart: the command was not found or not executable.
	CannotStart bool `json:"cannot_start,omitempty"`
	TimedOut    bool `json:"timed_out,omitempty"`

	// Commit is the judged commit; Tree the digest of the files where no commit
	// describes them. Clean is set if the tree held nothing but Commit.
	Commit   string   `json:"commit,omitempty"`
	Tree     string   `json:"tree,omitempty"`
	Clean    bool     `json:"clean"`
	Restored []string `json:"restored,omitempty"`
	// Where is "gate" for the loop's gate worktree, "agent" for the agent's.
	Where string `json:"where,omitempty"`

	// Room is the clean room of the command; empty in results of older versions.
	Room Room `json:"room,omitempty"`
	// Judging is the evaluation with the base's judges; nil where the work changed
	// none without permission. The verdict of the result is that of both.
	Judging *Judging `json:"judging,omitempty"`
	// Permitted are judge files that the work changed with permission, at most 50.
	Permitted []string `json:"permitted,omitempty"`
	// NamesNewTests: the gate's command names files of tests that the work added. It
	// fails without them whatever the product does.
	NamesNewTests bool `json:"names_new_tests,omitempty"`
	// Repaired is the commit on which the plan began, where the gate passed there: another
	// task of the plan has broken what fails on the base. Empty where nothing is known.
	Repaired string `json:"repaired,omitempty"`
	// Weak is why the approval of a review, or a green gate of tests, counts for less than it
	// seems to.
	Weak string `json:"weak,omitempty"`
	// Findings are other concerns about the work that the gate showed, although it is green.
	Findings Findings `json:"findings,omitempty"`
	// Judges are the answers of a review of kind judges, at most 50; nil of any other.
	Judges []JudgeFile `json:"judges,omitempty"`
	// Opened are scripts of the base that the gate was seen opening there, at most 50,
	// sorted: they judge the work (package proof). Empty in results on the work.
	Opened []string `json:"opened,omitempty"`
	// Rewritten are tests of the commit, scripts of the gate, and settings of the tools that
	// inspect it, that were written while the gate ran, at most 500.
	Rewritten []string `json:"rewritten,omitempty"`
	// Flaky is how the gate was red and green on the same commit; empty: it was not
	// seen to be. It has passed all the same only in quarantine.
	Flaky string `json:"flaky,omitempty"`
	// Lost are tests that ran on the base and do not run and pass, at most 50.
	Lost []string `json:"lost,omitempty"`
	// Canary is the outcome of the canary, CanaryWhy one line about it.
	Canary    Canary `json:"canary,omitempty"`
	CanaryWhy string `json:"canary_why,omitempty"`
	// OnlyTests is how many tests the command was told to run; 0 is all.
	OnlyTests int `json:"only_tests,omitempty"`
	// Others are what the other runs of the gate on the commit left: with canaries, with
	// the configuration of the base alone, and again. At most 10 files.
	Others []Evidence `json:"others,omitempty"`

	// Usage of the agents that were asked, by a review; Spent is the same for
	// each of them.
	Usage Usage        `json:"usage,omitzero"`
	Spent []AgentSpent `json:"spent,omitempty"`
	// Sandbox describes the sandbox of the command.
	Sandbox Holder `json:"sandbox,omitempty"`

	StartedAt    time.Time     `json:"started_at"`
	Duration     time.Duration `json:"duration_ns"`
	OutputFile   string        `json:"output_file,omitempty"`
	OutputSHA256 string        `json:"output_sha256,omitempty"`
	OutputBytes  int64         `json:"output_bytes,omitempty"`
}

// Deciding returns the tests of the evaluation that decided the verdict: the one with
// the base's judges if it did not pass; nil where they are unknown.
func (r Result) Deciding() *Tests {
	if r.Judging != nil && r.Judging.Verdict != Passed {
		return r.Judging.Tests
	}
	return r.Tests
}

// Tests counts test cases; Failing lists the ids of those that failed, sorted,
// at most 50 of them. Where a package or a file could not be tested, it is among
// them, and Run is unknown.
type Tests struct {
	Run     Count    `json:"run"`
	Failed  int      `json:"failed"`
	Skipped int      `json:"skipped"`
	Failing []string `json:"failing,omitempty"`
	// NamesFile (ralph.tests/v1) lists every test with its outcome; empty where
	// the runner does not name its tests.
	NamesFile   string `json:"names_file,omitempty"`
	NamesSHA256 string `json:"names_sha256,omitempty"`
	// NamesUnread: there is no such file, since the names of some tests cannot be read.
	NamesUnread bool `json:"names_unread,omitempty"`
	// NamesPartial: the file lacks the tests of one of several runners, which does not name
	// them.
	NamesPartial bool `json:"names_partial,omitempty"`
}
