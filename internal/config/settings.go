package config

// Settings is the structure of ralph.yaml. The tag yaml is a key's name, doc its
// explanation in the schema and the documentation. Every field is a section (a
// struct), a Table of named sections, or a leaf.
type Settings struct {
	Version    Version      `yaml:"version" doc:"Version of this file's format. Required; always 1."`
	Project    Text         `yaml:"project" doc:"Name shown in reports. Default: the name of the repository's folder."`
	Disputes   Disputes     `yaml:"disputes" doc:"What happens when an agent disputes a gate (ralph dispute): wait for a person, or dismiss it at once, where no person will come."`
	Learn      Learning     `yaml:"learn" doc:"on: prompts show notes from earlier loops of this repository whose work was accepted; reviewed: of these, only notes that a person has promoted; off: none, and none are taken."`
	Agents     Table[Agent] `yaml:"agents" doc:"Agents by name. The first one is the default."`
	Limits     Limits       `yaml:"limits" doc:"When a loop ends although its gates have not passed."`
	Budget     Budget       `yaml:"budget" doc:"What may be spent. Reserved before each attempt and settled after it, over all loops at once; a warning at 80 %."`
	Prices     Table[Price] `yaml:"prices" doc:"Prices of models by name, over the built-in ones, for agents that report tokens but no cost. A provider's prefix and a date are left out."`
	TestFix    TestFix      `yaml:"test_fix" doc:"Fixing red gates: the next prompt is the evidence, and the gates run again."`
	AgentLoops AgentLoops   `yaml:"agent_loops" doc:"Loops that an agent drives itself: ralph loop."`
	Escalation Escalation   `yaml:"escalation" doc:"When a loop counts as stuck, and when it stops."`
	Gates      Table[Gate]  `yaml:"gates" doc:"Checks by name, run by ralph in this order after each attempt."`
	GatesIn    Place        `yaml:"gates_in" doc:"Tree the gates run in: gate, a clean checkout of the commit that the agent never touches, or agent, the agent's own tree."`
	Protect    Globs        `yaml:"protect" doc:"Judge files of the project's own, besides tests, runner and build configuration and what gates open, as path globs; ** crosses folders. If the work changes judge files, it must also pass with those of the base."`
	MayChange  Globs        `yaml:"may_change" doc:"Judge files that work may change without asking, as path globs."`
	Judges     Judges       `yaml:"judges" doc:"What permits a change of judge files, besides people. base: nothing; reviewed: if an attempt passes only with the judge files that it changed, the agents of review.reviewers see each file before and after, and may allow it. The verdict says so, and accept asks you to confirm it."`
	Secrets    Secrets      `yaml:"secrets" doc:"What happens when the commits of a loop add what looks like a secret. warn: it is reported, and accept asks; block: the attempt fails; off: nothing is searched."`
	Refuse     Refusals     `yaml:"refuse" doc:"Findings for which an attempt fails although it passed all else, instead of a question by accept; none with [] (docs/judging.md#to-refuse-what-is-named)."`
	Proof      Proof        `yaml:"proof" doc:"What a verdict needs besides green gates. required: something fails without the work and passes with it, or the attempt has not passed; review: the approval of the spec review may replace that; none: green gates are enough, and the verdict says that it is unproved."`
	IfGreen    IfGreen      `yaml:"if_green" doc:"Where the gates pass already before the work. work: the agent goes to work, since green gates prove nothing then; stop: the loop is done at once."`
	Review     Review       `yaml:"review" doc:"Reviews of work whose gates have passed."`
	Plans      Plans        `yaml:"plans" doc:"How a plan of tasks is run."`
	Gaps       Gaps         `yaml:"gaps" doc:"Gaps and edge cases that reviews and agents find in a plan."`
	Notify     Notify       `yaml:"notify" doc:"Messages about what happens to runs (docs/notifications.md)."`
	Accept     Accept       `yaml:"accept" doc:"How accepted work enters a branch."`
	Serve      Serve        `yaml:"serve" doc:"How long-running loops are supervised."`
	Isolation  Isolation    `yaml:"isolation" doc:"How the worktree of a loop is made usable."`
	Sandbox    Sandbox      `yaml:"sandbox" doc:"The sandbox of agents and gates (docs/sandbox.md). auto: bubblewrap, else Landlock, else nothing; require: one of the two or no run; bubblewrap, landlock: this one or no run; off: nothing."`
	Writable   Folders      `yaml:"sandbox_write" doc:"Folders outside of the tree that agents and gates may write too: absolute, or from ~/ on. A repository's list uncovers nothing that sandbox_hide hides."`
	Hide       Hides        `yaml:"sandbox_hide" doc:"What a sandbox hides from agents, reviewers and gates: paths, absolute or from ~/ on, globs, and $NAME for what a variable names; !PATH is an exception, and defaults stands for the built-in list (docs/sandbox.md). A repository may only add."`
	Bus        LogPath      `yaml:"bus" doc:"File the event bus is appended to, relative to the main tree, shared with other programs. Default: .ralph/log.jsonl."`
	Engine     EngineURL    `yaml:"engine" doc:"Where loops and plans are kept that a team shares, as --engine names it, such as temporal://HOST:7233/NAMESPACE?files=/shared/folder (docs/team.md). local: on this machine. Only your own settings have it: a repository must not send work elsewhere."`
	CodecKey   File         `yaml:"codec_key" doc:"The file with the key, 32 random bytes, that encrypts what the server of a team stores (docs/team.md). Only your own settings have it."`
	KeepAwake  Switch       `yaml:"keep_awake" doc:"on: the machine is kept from falling asleep while a process runs loops or a plan (systemd-inhibit on Linux, caffeinate on macOS), where that tool is there; off: it may."`
	Prompt     Prompt       `yaml:"prompt" doc:"Templates of the prompts."`
}

// Agent is one agent that makes attempts.
type Agent struct {
	Use          Driver      `yaml:"use" doc:"Kind of agent: claude, codex, gemini, opencode, copilot or qwen (docs/agents.md), acp (any program that speaks the Agent Client Protocol), api (a model asked through its provider's interface, for reviews and votes), command (any program that reads a prompt from standard input), human, or script (a recorded scenario). Default: the agent's name, if that is one of the first six."`
	Run          Command     `yaml:"run" doc:"The program: a list of words; for a command also one line for sh -c. For claude, codex, gemini, opencode, copilot and qwen: what to start instead of the program of that name, one word or a list. For a script: the scenario file."`
	Model        Text        `yaml:"model" doc:"Model to work with, in the words of the agent's program. Default: the program's own choice; api needs one."`
	Permissions  Permissions `yaml:"permissions" doc:"default: edits and commands inside the tree need no question, by the program's own allow-list; skip: its checks are switched off."`
	Account      Text        `yaml:"account" doc:"Name of the account that its provider counts, where several logins share one limit. Default: found by its key or login."`
	OnUsageLimit OnLimit     `yaml:"on_usage_limit" doc:"What happens while its usage limit is spent. Default: limits.on_usage_limit."`
	Args         List        `yaml:"args" doc:"Arguments added to the program's command line."`
	Env          Vars        `yaml:"env" doc:"Environment variables of the agent. No secrets: they are kept with the loop."`
	MaxTurns     Count       `yaml:"max_turns" doc:"Maximum calls of the model in one run. Default: 300."`
	MaxSameCalls Count       `yaml:"max_same_calls" doc:"Maximum consecutive equal calls of one tool in one run. Default: 25."`
	Stall        Span        `yaml:"stall" doc:"Time without any output after which a run counts as hung; three times that while a tool runs. Default: 10m."`
	Provider     Provider    `yaml:"provider" doc:"Of api: whose interface is spoken. openai is what most other servers speak too; they need base_url."`
	BaseURL      URL         `yaml:"base_url" doc:"Of api: another address than the provider's own, such as https://gateway.example.org/v1."`
	KeyEnv       Variable    `yaml:"key_env" doc:"Of api: environment variable that has the key. Default: ANTHROPIC_API_KEY or OPENAI_API_KEY; with base_url, and for ollama, none need be there."`
	MaxTokens    Count       `yaml:"max_tokens" doc:"Of api: most tokens of an answer. Default: 8192 for anthropic, else the provider's own."`
}

// Limits bound a loop.
type Limits struct {
	MaxIterations    Count     `yaml:"max_iterations" doc:"Attempts of one loop."`
	ConfirmPasses    Count     `yaml:"confirm_passes" doc:"Evaluations in a row in which every hard gate must pass."`
	MaxLoops         Count     `yaml:"max_loops" doc:"Loops of this repository at once."`
	LoopTimeout      Deadline  `yaml:"loop_timeout" doc:"Active time of a whole loop."`
	ImplementTimeout Deadline  `yaml:"implement_timeout" doc:"Time of one run of the agent."`
	SessionTimeout   Deadline  `yaml:"session_timeout" doc:"Active time since a loop was last started or resumed."`
	Stall            Pause     `yaml:"stall" doc:"Time without an improvement after which an agent-driven loop is aborted, or off."`
	TransientErrors  Allowance `yaml:"transient_errors" doc:"Temporary errors of the agent that are retried without using up an attempt."`
	BackOff          Span      `yaml:"back_off" doc:"Wait before the first such retry; it doubles. Also the first wait for a provider that throttles or is down."`
	Wait             Span      `yaml:"wait" doc:"Time that a loop may wait for its agent's provider in all (limits, throttling, outages, a refused login); then it fails. Default: no bound."`
	Interruptions    Allowance `yaml:"interruptions" doc:"Interruptions of one attempt (crashes, processes that others killed, lack of memory) before a person is asked."`
	Questions        Allowance `yaml:"questions" doc:"Questions the agent may put in one attempt before it counts as used."`
	Keep             Share     `yaml:"keep" doc:"Part of each usage window of an account that is left to you, such as 20%: no attempt starts while less than that is left, until the window resets. Only where the agent reports its windows (claude, codex)."`
	QuietHours       Hours     `yaml:"quiet_hours" doc:"Hours in which no attempt starts, by the local clock: 09:00-18:00, or mon-fri 09:00-18:00, sat 22:00-06:00. An attempt under way is finished, with its gates and reviews."`
	OnUsageLimit     OnLimit   `yaml:"on_usage_limit" doc:"While an agent's usage limit is spent, or the rest of it is kept: wait for its end, switch to the next agent, pause until a person resumes the loop, or ask a person whether to continue after it."`
	Fallback         List      `yaml:"fallback" doc:"Agents that may take over, by name, the best first. Default: all others that are configured."`
}

// TestFix bounds the rounds of fixing (seed 002).
type TestFix struct {
	Max Count `yaml:"max" doc:"Attempts that may follow red hard gates; each counts as an attempt. A larger number than the built-in max_iterations allows raises that. Default: as many as max_iterations leaves."`
}

// Budget limits spending.
type Budget struct {
	Session Spending `yaml:"session" doc:"What one process may spend that runs loops, or one ralph serve with all that it starts."`
	Plan    Spending `yaml:"plan" doc:"What all loops of a plan may spend together."`
	Task    Spending `yaml:"task" doc:"What one loop may spend."`
	OnSpent OnSpent  `yaml:"on_spent" doc:"When a budget is used up: stop ends the loop (aborted, budget), pause waits for a person."`
}

// Spending is the budget of one level; the first exhausted part counts.
type Spending struct {
	Money    Money  `yaml:"money" doc:"Cost of agents, as they report it, or estimated from their tokens."`
	Tokens   Tokens `yaml:"tokens" doc:"Tokens of every kind together."`
	Attempts Count  `yaml:"attempts" doc:"Attempts that were judged."`
	Wall     Span   `yaml:"wall" doc:"Time in which at least one agent was running."`
}

// Price of a model.
type Price struct {
	Input      Rate `yaml:"input" doc:"Input."`
	Output     Rate `yaml:"output" doc:"Output."`
	CacheRead  Rate `yaml:"cache_read" doc:"Input read from a cache. Default: as input."`
	CacheWrite Rate `yaml:"cache_write" doc:"Input written to a cache. Default: as input."`
}

// AgentLoops bound loops that an agent drives. Seed 000 has the numbers.
type AgentLoops struct {
	MaxIterations Count     `yaml:"max_iterations" doc:"Checks of one loop. All of agent_loops, limits.stall and limits.confirm_passes are ceilings: flags and variables of who begins a loop can only tighten them. A ralph.yaml that raises them over the built-in values is asked about. An agent without a sandbox has your rights, and can change your settings."`
	Timeout       Deadline  `yaml:"timeout" doc:"Time from its start, pauses excepted."`
	Regression    Allowance `yaml:"regression" doc:"Consecutive regressions before the loop is aborted; 0 switches it off."`
	PerParent     Count     `yaml:"per_parent" doc:"Loops of one orchestration at once."`
}

// Escalation holds the detectors' numbers.
type Escalation struct {
	SameError      Count     `yaml:"same_error" doc:"Consecutive equal failures before a loop counts as stuck."`
	StrategyShifts Allowance `yaml:"strategy_shifts" doc:"Strategy shifts before a stuck loop stops."`
	Regression     Count     `yaml:"regression" doc:"Consecutive regressions before the loop is aborted."`
	NoChange       Count     `yaml:"no_change" doc:"Consecutive attempts without a change before the loop fails."`
	Plateau        Count     `yaml:"plateau" doc:"Consecutive failing attempts without a better value before the loop fails."`
}

// Gate is one check.
type Gate struct {
	Run       Text      `yaml:"run" doc:"Command line for sh -c. Only visual and human gates can do without."`
	Kind      Kind      `yaml:"kind" doc:"How the result is found: command (exit code), tests, coverage, lint, types, mutation (how many errors in the work's lines its tests notice), visual, or human: a person is asked, once everything else has passed. Default: by the gate's name and keys; a command that runs tests is of kind tests, any other of kind command."`
	Level     Level     `yaml:"level" doc:"hard blocks, soft is only reported. A gate that is named with --gate is hard. Default: hard."`
	Dir       Path      `yaml:"dir" doc:"Folder the command starts in, relative to the repository's root."`
	Timeout   Deadline  `yaml:"timeout" doc:"Time of one evaluation. Default: 5m and 10m; for lint and types 2m and 3m."`
	Parse     Parser    `yaml:"parse" doc:"Format of the test results: auto, exit, gotest, junit, junit:<path>, tap, pytest or node. auto also reads the JUnit reports that Gradle and Maven write by themselves."`
	MinTests  Count     `yaml:"min_tests" doc:"Tests that must have run at least."`
	Report    Path      `yaml:"report" doc:"Coverage report, relative to dir. Default: found by its name."`
	Threshold Threshold `yaml:"threshold" doc:"Least line coverage in per cent, or baseline: never below the value at the start. Of a gate of kind mutation: least share of the mutants that must make the tests fail, in per cent. Default: 80."`
	Mutants   Count     `yaml:"mutants" doc:"Mutants that a gate of kind mutation tries at most. Each is one run of the command. Default: 20."`
	Scope     Switch    `yaml:"scope" doc:"on: only the files of the loop's --scope count, and a report without a value for each file is an error. Without a scope all files count."`
	Images    Path      `yaml:"images" doc:"Folder whose images must all be marked verified-."`
	Min       Count     `yaml:"min" doc:"Images there must be at least."`
	Ask       Text      `yaml:"ask" doc:"What a gate of kind human asks. Default: whether the task is done as it was meant."`
	Env       Vars      `yaml:"env" doc:"Environment variables of the command."`
	Network   Switch    `yaml:"network" doc:"off: the command reaches no network but a loopback of its own; where that is not available, the gate ends with an error. Default: on."`
	Flaky     Flaky     `yaml:"flaky"`
	Hidden    Switch    `yaml:"hidden" doc:"on: agents hear the gate's name and whether it passed, and see neither its command nor its output (docs/hidden-gates.md). Only in your own file, since agents read the repository's. It reaches no network unless network is on. Default: off."`
	Files     Folder    `yaml:"files" doc:"Of a hidden gate: folder whose files lie over the tree while the gate runs, and only then."`
	FilesRef  Text      `yaml:"files_ref" doc:"Of a hidden gate whose files are a git repository: branch, tag or commit of which the files are taken, or a folder in it (main:login)."`
	In        Folders   `yaml:"in" doc:"Folders with the repositories in which the gate counts, for a gate in your own file. Default: everywhere."`
	Optional  Switch    `yaml:"optional" doc:"on: a missing tool skips the gate instead of stopping the loop, unless --gate names it."`
}

// Flaky configures a gate that is red and green on the same commit.
type Flaky struct {
	Retries         Count `yaml:"retries" doc:"Times that a red gate runs again on the same commit, at most 10. One that is then green is flaky, which is not passed. Nor is, with or without retries, one that is green on files on which it was red in an earlier attempt or on the base."`
	QuarantineUntil Text  `yaml:"quarantine_until" doc:"Last day (YYYY-MM-DD, UTC) on which the gate passes although it is flaky. Needs retries and owner."`
	Owner           Text  `yaml:"owner" doc:"The person who answers for the quarantine; named in the result."`
}

// Plans configures how a plan of tasks is run: ralph run FILE.
type Plans struct {
	Parallel    Count       `yaml:"parallel" doc:"Tasks of one plan at once."`
	Agents      Vars        `yaml:"agents" doc:"Which agent stands for a name that plan files use, such as {MARS: claude}. Case does not matter."`
	OnFailure   OnFailure   `yaml:"on_failure" doc:"When a task fails: skip its dependents, stop (start no more tasks), or ask a user."`
	Unattended  Unattended  `yaml:"unattended" doc:"What happens to a question while no user is at a terminal: wait for an answer, take its default, or fail the task that asks. A question with a deadline of its own (ralph ask --within) takes its default at the deadline in any case."`
	AnswerAfter Pause       `yaml:"answer_after" doc:"How long a question without a deadline of its own waits before that, or off: at once."`
	Approve     Approver    `yaml:"approve" doc:"Whether the agent writes a plan for a task that is approved before it begins, by: person, review (a reviewer, or a user if none is available), or off."`
	Trust       Switch      `yaml:"trust" doc:"on: commands that a plan proposes become gates without asking."`
	Review      WholeReview `yaml:"review" doc:"Reviewers of the whole plan at its end: magi (review.magi), or council: the voters and the rule of review.council."`
	Archive     Keeping     `yaml:"archive" doc:"What happens to the file of a completed plan without open points: keep it, or move it into archived/ beside it."`
}

// Gaps configures the work on what a plan leaves open (seed 003).
type Gaps struct {
	Rounds Allowance `yaml:"rounds" doc:"How often the open gaps and edge cases of a plan whose tasks are done become tasks themselves, before a user is asked; 0: a user is asked at once. A plan file may have its own number, as gap_rounds."`
}

// Accept configures ralph accept.
type Accept struct {
	Strategy Strategy `yaml:"strategy" doc:"merge: a fast-forward where that is possible, else a merge commit; squash: one commit with the whole work; rebase: the commits of the work, one by one."`
}

// Isolation configures a fresh worktree.
type Isolation struct {
	Setup    List  `yaml:"setup" doc:"Commands run once in a fresh worktree, each a line for sh -c, and again where a loop's agent changed what they left there; those that leave something in the HOME once for the gates of each loop, and with teardown all for every loop, also in a worktree that is used again."`
	Teardown List  `yaml:"teardown" doc:"Commands run in the agent's worktree when the loop has ended, also after a crash, each a line for sh -c. They may run twice. One that fails is reported, and changes no verdict."`
	Copy     Paths `yaml:"copy" doc:"Files and directories that git ignores but a worktree needs, copied from the main tree; the file system shares their bytes where it can (reflinks)."`
	Dir      Text  `yaml:"dir" doc:"Folder that holds the worktrees. Default: ralph's state folder."`
}

// Serve configures the supervision of long loops.
type Serve struct {
	CheckpointEvery Pause     `yaml:"checkpoint_every" doc:"Work between two checkpoints of a loop, or off."`
	MaxRescues      Allowance `yaml:"max_rescues" doc:"Restarts of a crashed loop without progress before it is left to a user."`
	BackOff         Span      `yaml:"back_off" doc:"Wait before the second restart; it doubles, up to 30m."`
}

// Prompt configures the templates.
type Prompt struct {
	Dir Path `yaml:"dir" doc:"Folder with templates that replace the built-in ones of the same name."`
}
