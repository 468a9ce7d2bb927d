package journal

// Command is a request of a person or a program to a loop or a plan. Which event it
// stands for, the machine knows: loop.EventOf and plan.EventOf.
type Command struct {
	Kind CommandKind
	Text string
	By   string
	// Question is the id of the question that an answer or a Wake is for: if it
	// was answered meanwhile, neither it nor the next one is answered. Empty means
	// the one that is open.
	Question string
	// Max, PerParent and Force are about admission, where Unpause makes a loop
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
	// Unpause ends the pause of a loop that its agent drives.
	Unpause CommandKind = "continue"
	// Recheck makes the process of a plan check at once which of its loops can
	// continue: one of them was answered. It is no event.
	Recheck CommandKind = "recheck"
	// Ask is a question of an agent at work; Text is a loop.Question as JSON.
	Ask CommandKind = "ask"
	// RaiseBudget changes what a loop may spend; Text is a loop.Raise as JSON.
	RaiseBudget CommandKind = "raise_budget"
	// Resolve closes a gap or an edge case of a plan; Text is the resolution.
	Resolve CommandKind = "resolve"
)

// Message returns the command as it lies in an inbox. Its kind is that of the command,
// followed by the question that it is for.
func (c Command) Message() Message {
	m := Message{Kind: string(c.Kind), Text: c.Text, By: c.By}
	if c.Question != "" {
		m.Kind += " " + c.Question
	}
	return m
}
