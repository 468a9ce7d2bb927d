package engine

import "strings"

// Command is something a person or a program wants of a loop or a plan.
type Command struct {
	Kind CommandKind
	Text string
	By   string
	// Question is the id of the question that an answer or a Wake is for: if it
	// was settled meanwhile, neither it nor the next one is answered. Empty means
	// the one that is open.
	Question string
	// Max, PerParent and Force are about admission, where Continue makes a loop
	// run again.
	Max, PerParent int
	Force          bool
}

// CommandKind names a command. The set is closed.
type CommandKind string

// The commands. PauseNow ends the agent, Wake ends a wait; with a question it
// means that the time for its answer is over.
const (
	Pause    CommandKind = "pause"
	PauseNow CommandKind = "pause_now"
	Abort    CommandKind = "abort"
	Steer    CommandKind = "steer"
	Answer   CommandKind = "answer"
	Wake     CommandKind = "wake"
	// Continue ends the pause of a loop that its agent drives. The process of a plan
	// looks which of its loops can continue.
	Continue CommandKind = "continue"
	// Ask is a question of an agent at work; Text is a loop.Question as JSON.
	Ask CommandKind = "ask"
	// Resolve settles a gap or an edge case of a plan; Text is the resolution.
	Resolve CommandKind = "resolve"
)

// Word is the name of a command in an inbox: its kind, followed by the
// question that it is for.
func (c Command) Word() string {
	if c.Question == "" {
		return string(c.Kind)
	}
	return string(c.Kind) + " " + c.Question
}

// Said is the command that lies in an inbox under a word.
func Said(word, text, by string) Command {
	kind, question, _ := strings.Cut(word, " ")
	return Command{Kind: CommandKind(kind), Question: question, Text: text, By: by}
}
