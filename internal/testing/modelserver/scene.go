package modelserver

// Scene is the behavior of a model.
type Scene struct {
	// Talks are the conversations, in the order in which they begin. The last
	// is used for all later ones; without any, the model answers OK.
	Talks []Talk
	// Faults are tried in this order; the first that is due replaces the answer.
	Faults []Fault
	// Usage is reported for every answer; zero is a built-in one.
	Usage Usage
}

// Talk is one conversation, answer by answer. After its last turn the model
// answers OK.
type Talk []Turn

// Turn is one answer: text, then calls of tools.
type Turn struct {
	Say   string
	Calls []Call
}

// Call is a request of the model: to write a file, to run a command, or to call
// a tool by the agent's name for it.
type Call struct {
	// Write is a path, Text the content of the file.
	Write, Text string
	// Run is a line for a shell.
	Run string
	// Tool and Args call a tool by its name.
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

// Usage of one answer, in tokens. Input excludes cached tokens.
type Usage struct{ Input, CacheRead, Output int }

func (s Scene) usage() Usage {
	if s.Usage == (Usage{}) {
		return Usage{Input: 800, CacheRead: 200, Output: 50}
	}
	return s.Usage
}

// turn returns the next answer.
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

// works reports whether any turn calls a tool. Then a request that offers no
// tool is not about the work: it asks for a title or a choice of model.
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
