// Package next decides what a person types next: for a loop (Loop), for a plan
// (Plan), and as single commands with an id filled in (Resume, Accept, …). It is
// the only place that knows the words of the command line: lists, reports,
// hints, errors and the view files of the store all take their commands from
// here. It is pure.
package next

import (
	"slices"
	"strings"

	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/plan"
	"ralph/internal/text"
	"ralph/internal/text/shell"
)

// command joins a verb and its arguments; empty arguments are left out.
func command(verb, id string, args ...string) string {
	words := append([]string{"ralph", verb, id}, args...)
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// Abort ends a run.
func Abort(id string) string { return command("abort", id) }

// AbortDriven ends a loop that its agent drives.
func AbortDriven(id string) string { return command("loop abort", id) }

// Accept merges the work of a run.
func Accept(id string) string { return command("accept", id) }

// Approve accepts the commands that a plan's file proposes.
func Approve(file string) string { return command("plan approve", path(file)) }

// Archive puts an ended run away.
func Archive(id string) string { return command("archive", id) }

// Check is the command with which an agent has its loop judged.
func Check(id string) string { return command("loop check --loop-id", id) }

// CleanLook lists what of ralph's own can be deleted, such as on a full disk.
func CleanLook() string { return command("clean", "--worktrees", "--dry-run") }

// CleanDrop deletes the worktree of an ended loop with the only copy of its work.
func CleanDrop(id string) string { return command("clean --drop", id) }

// DisputeRefusal reports that work is refused wrongly, or that no test can prove it.
func DisputeRefusal(code string) string { return command("dispute", code, `--why "REASON"`) }

// Dispute reports that a gate contradicts the task.
func Dispute(gate string) string { return command("dispute", gate, `--file PATH --why "REASON"`) }

// Doctor checks the store, the tools and the repository.
func Doctor(flags ...string) string { return command("doctor", "", flags...) }

// Follow prints what a run does.
func Follow(id string) string { return Logs(id, "-f") }

// ListDriven lists every loop that an agent drives; archived adds the archived ones.
func ListDriven(archived bool) string {
	if archived {
		return command("loop list --all --limit 0", "")
	}
	return command("loop list --limit 0", "")
}

// Logs prints the log of a run.
func Logs(id string, flags ...string) string { return command("logs", id, flags...) }

// merge merges a branch with git, for a person who resolves its conflicts.
func merge(branch string) string { return "git merge " + path(branch) }

// MergeYourself are the words for a person who merges the work of a run, resolves the
// conflict or repairs what the gate finds, and has ralph record that.
func MergeYourself(c loop.Clash, id, branch string) string {
	if c.Gate != "" {
		return "repair it yourself: " + merge(branch) + ", repair and commit, then " + Accept(id)
	}
	return "resolve it yourself: " + merge(branch) + ", then " + Accept(id)
}

// Switch checks a branch out with git.
func Switch(branch string) string { return "git switch " + path(branch) }

// Resolve are the ways on where what a loop left conflicts with the commit at HEAD: to
// merge its branch, after which it is accepted, or its task done again from there.
func Resolve(id, branch string, acceptable bool) string {
	then := Retry(id)
	if acceptable {
		then = Accept(id)
	}
	return "resolve it yourself: " + merge(branch) + ", then " + then + "; or start it anew: " + Retry(id)
}

// WorkGone are the ways on where the branch with what a loop left is deleted. Git keeps its
// commit for a while.
func WorkGone(id, branch, commit string) string {
	anew := "start it anew: " + Retry(id)
	if commit == "" {
		return anew
	}
	return "bring it back while git has its commit: git branch " + path(branch) + " " + commit[:min(len(commit), 10)] + "; or " + anew
}

// EndedAlready are the ways on from a run that a person wanted to end, and that has ended.
func EndedAlready(id string, acceptable, retriable bool) string {
	hint := Archive(id) + " puts it away"
	switch {
	case acceptable:
		hint = Accept(id) + " merges its work; " + hint
	case retriable:
		hint += "; " + Retry(id) + " does the task again"
	}
	return hint
}

// Notify is about notifications: test TARGET, status, send.
func Notify(what string) string { return command("notify "+what, "") }

// Pause pauses a run.
func Pause(id string) string { return command("pause", id) }

// PlanCheck validates a plan's file, or has it reviewed.
func PlanCheck(file string, flags ...string) string {
	return command("plan check", path(file), flags...)
}

// PlanShow prints a plan's file.
func PlanShow(file string) string { return command("plan show", path(file)) }

// Report prints the morning report.
func Report(flags ...string) string { return command("report", "", flags...) }

// Resume continues a run.
func Resume(id string, flags ...string) string { return command("resume", id, flags...) }

// Retry does the task of an ended loop again.
func Retry(id string, flags ...string) string { return command("retry", id, flags...) }

// Run runs a plan's file.
func Run(file string, flags ...string) string { return command("run", path(file), flags...) }

// runTask runs a task: words that are quoted already, or a blank.
func runTask(words string, flags ...string) string { return command("run", words, flags...) }

// Wait returns the command that waits until a run rests.
func Wait(id string) string { return command("wait", id) }

// Show prints the story of a run.
func Show(id string, flags ...string) string { return command("show", id, flags...) }

// Status prints where a run stands.
func Status(id string) string { return command("status", id) }

// Steer gives guidance to a run.
func Steer(id, guidance string) string { return command("steer", id, guidance) }

// TakeFile takes a file that another loop offers, by its number.
func TakeFile(n string) string { return command("loop take", n) }

// Trust shows and allows what the repository's configuration asks for.
func Trust(flags ...string) string { return command("trust", "", flags...) }

// Blank is an argument that the reader fills in.
const Blank = `"…"`

// Answer answers the question of a run.
func Answer(id, answer string) string { return command("answer", id, answer) }

// AnswerOpen answers a loop's question, with a proposal where that is safe to
// paste.
func AnswerOpen(id string, q *loop.Question) string { return Answer(id, proposal(q)) }

// answerOne answers the only question of a loop or a plan.
func answerOne(id string, q loop.Question) string { return Answer(id, choice(q)) }

// AnswerOwn answers one of a plan's own questions, among several.
func AnswerOwn(id string, q plan.Question) string { return answerOwn(id, q, choice(q.Question)) }

// AnswerExample answers a loop's question with its first option, and names the others:
// for a person whose answer was none of them.
func AnswerExample(id string, q loop.Question) string { return Answer(id, example(q)) }

// AnswerOwnExample is AnswerExample for one of a plan's own questions.
func AnswerOwnExample(id string, q plan.Question) string {
	return answerOwn(id, q, example(q.Question))
}

func answerOwn(id string, q plan.Question, answer string) string {
	switch {
	case q.Task != "" && loop.ValidID(q.Task) == nil:
		return Answer(id, "--task "+q.Task+" "+answer)
	case q.Task != "":
		return Answer(id, "--task "+quoted(q.Task)+" "+answer)
	}
	return Answer(id, "--question "+q.ID+" "+answer)
}

// choice is the argument to fill in: a placeholder where there is something to choose,
// which no question takes as it is. What shows the command shows the options with it.
func choice(q loop.Question) string {
	switch {
	case len(q.Options) > 1 && q.Dispute != nil && q.Options[0] == loop.SayUphold:
		return `"` + loop.Placeholder + `"   # ` + loop.Placeholder + `: ` + loop.SayUphold + ` or ` + loop.SayDismiss
	case len(q.Options) > 1:
		return `"` + loop.Placeholder + `"`
	case len(q.Options) == 1 && q.Dispute != nil: // to uphold it, files are named
		return `"` + q.Options[0] + `"   # or: "` + loop.SayUphold + ` GLOB"`
	}
	return Blank
}

// example is the first option, with the others in a comment of the shell. Options that
// are not safe to paste are left out, as agents write them.
func example(q loop.Question) string {
	unsafe := func(option string) bool { return !harmless.MatchString(option) }
	if len(q.Options) < 2 || slices.ContainsFunc(q.Options, unsafe) {
		return choice(q)
	}
	return `"` + q.Options[0] + `"   # or: "` + strings.Join(q.Options[1:], `", "`) + `"`
}

// quoted returns s as one word of a shell. Text that is long, or would change when
// it is shown, is left blank.
func quoted(s string) string {
	if s != text.Line(s) || len(s) > 200 {
		return Blank
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// harmless text may stand between double quotes in a command that a person pastes:
// agents write the options of their questions.
var harmless = lazyregexp.New(`^[\pL\pN][\pL\pN ._,:/+-]{0,39}$`)

// proposal returns an answer to fill in: the default, where it is safe to paste.
func proposal(q *loop.Question) string {
	switch {
	case q == nil:
	case q.Work:
		return "done"
	case q.Interrupted:
		return `"again"`
	case q.Limit:
		return `"continue"`
	case q.Dispute == nil && harmless.MatchString(q.Default):
		return `"` + q.Default + `"`
	default:
		return choice(*q)
	}
	return Blank
}

// Typed is a command with its arguments, each one word of a shell.
func Typed(args ...string) string {
	words := []string{"ralph"}
	for _, a := range args {
		words = append(words, word(a))
	}
	return strings.Join(words, " ")
}

// Arguments are those of a command of this package, without the program; Blank stays in its
// place.
func Arguments(command string) []string {
	for _, c := range shell.Split(command) {
		return c.Words[1:]
	}
	return nil
}

// word is an argument as one word of a shell; text that cannot be shown is left blank.
func word(a string) string {
	if a == text.Line(a) && len(a) <= 200 && plain.MatchString(a) {
		return a
	}
	return quoted(a)
}

// path is a file's name as one word of a shell, which no command takes for a flag.
func path(file string) string {
	switch {
	case file == "" || plain.MatchString(file) && file[0] != '-':
		return file
	case file != text.Line(file):
		return Blank
	case file[0] == '-':
		file = "./" + file
	}
	return quoted(file)
}

// plain is a word that a shell takes as it is.
var plain = lazyregexp.New(`^[\pL\pN._/:=@,+-]+$`)
