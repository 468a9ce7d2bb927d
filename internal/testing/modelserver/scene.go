package modelserver

// Scene is what a model does.
type Scene struct {
	// Talks are the conversations, in the order in which they begin. The last
	// is also that of every later one; without any, the model says OK.
	Talks []Talk
	// Faults are tried in this order; the first that is due replaces the answer.
	Faults []Fault
	// Usage is what every answer is said to have cost; zero is a built-in one.
	Usage Usage
}

// Talk is one conversation, answer by answer. Behind its last turn the model
// says OK.
type Talk []Turn

// Turn is one answer: words, then calls of tools.
type Turn struct {
	Say   string
	Calls []Call
}

// Call is something that the model wants done: a file written, a command run,
// or a tool called by the name that the agent has for it.
type Call struct {
	// Write is a path, Text what goes there.
	Write, Text string
	// Run is a line for a shell.
	Run string
	// Tool and Args name a tool outright.
	Tool string
	Args map[string]any
}

// Write asks for a file.
func Write(path, text string) Call { return Call{Write: path, Text: text} }

// Run asks for a command.
func Run(line string) Call { return Call{Run: line} }

// Use asks for a tool by its name.
func Use(tool string, args map[string]any) Call { return Call{Tool: tool, Args: args} }

// Say is a turn that ends a talk.
func Say(words string) Turn { return Turn{Say: words} }

// Do is a turn that calls tools.
func Do(calls ...Call) Turn { return Turn{Calls: calls} }

// Usage of one answer, in tokens. Input has neither of the cached parts in it.
type Usage struct{ Input, CacheRead, Output int }

func (s Scene) usage() Usage {
	if s.Usage == (Usage{}) {
		return Usage{Input: 800, CacheRead: 200, Output: 50}
	}
	return s.Usage
}

// turn is the answer that is due.
func (s Scene) turn(talk, n int) Turn {
	if len(s.Talks) == 0 {
		return Say("OK")
	}
	t := s.Talks[min(talk, len(s.Talks)-1)]
	if n >= len(t) {
		return Say("OK")
	}
	return t[n]
}

// works: somewhere in it a tool is called. Then a request that offers none is
// not about the work: a title, a choice between models.
func (s Scene) works() bool {
	for _, talk := range s.Talks {
		for _, turn := range talk {
			if len(turn.Calls) > 0 {
				return true
			}
		}
	}
	return false
}
