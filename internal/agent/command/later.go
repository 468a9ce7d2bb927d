package command

import (
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/text"
)

const (
	// tryLater is the exit code of a command that could not work now and may later:
	// EX_TEMPFAIL of sysexits.h.
	tryLater = 75
	// providerMark begins the line in which the command names its provider's trouble.
	providerMark = "RALPH_PROVIDER"
)

// providerEnds has the end of a run for each trouble that the line can name.
var providerEnds = map[loop.Health]loop.End{
	loop.Limited: loop.EndLimit, loop.Throttled: loop.EndTransient, loop.Down: loop.EndTransient, loop.NoLogin: loop.EndPermanent,
}

// later makes an outcome one of a run that is to be tried again. The last line of the
// output may name the trouble: "RALPH_PROVIDER limited until=TIME TEXT". Without exit code
// 75 the line means nothing, because a model's answer may contain it.
func later(out loop.Outcome, last string) loop.Outcome {
	out.End = loop.EndTransient
	words := strings.Fields(last)
	if len(words) == 0 || words[0] != providerMark {
		return out
	}
	if len(words) == 1 || providerEnds[loop.Health(words[1])] == "" {
		out.Message = "not one of limited, throttled, down, no_login: " + text.Line(last)
		return out
	}
	out.Provider, words = loop.Health(words[1]), words[2:]
	out.End = providerEnds[out.Provider]
	if len(words) > 0 && strings.HasPrefix(words[0], "until=") {
		at, err := time.Parse(time.RFC3339, strings.TrimPrefix(words[0], "until="))
		if err == nil {
			out.ResetAt, words = at, words[1:]
		} // A time in another form stays in the message.
	}
	if out.Message = strings.Join(words, " "); out.Message == "" {
		out.Message = "the agent's command reports its provider as " + string(out.Provider)
	}
	return out
}
