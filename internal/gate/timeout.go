package gate

import (
	"strconv"
	"strings"
	"time"

	"ralph/internal/loop"
)

// cause returns what ended the command. One that limits its own time (timeout -k 5 60 pytest)
// ends as if another process had killed it: that is its result, where the time was over.
func (e *evaluation) cause() loop.Cause {
	cause := e.exit.Cause()
	if limit := ownTimeout(e.Gate.Run); cause == loop.CauseSignal && e.exit.Code != nil && limit > 0 && e.exit.Duration >= limit {
		return loop.CauseItself
	}
	return cause
}

// ownTimeout is the shortest time after which a command line ends one of its commands by the
// program timeout; 0 where there is none.
func ownTimeout(run string) (shortest time.Duration) {
	words := strings.Fields(run)
	for i, word := range words {
		if word != "timeout" && !strings.HasSuffix(word, "/timeout") {
			continue
		}
		if d := timeoutOf(words[i+1:]); d > 0 && (shortest == 0 || d < shortest) {
			shortest = d
		}
	}
	return shortest
}

// timeoutOf is the duration among the arguments of the program timeout, its first operand.
func timeoutOf(args []string) time.Duration {
	for i := 0; i < len(args); i++ {
		switch arg := args[i]; {
		case arg == "-k" || arg == "-s" || arg == "--kill-after" || arg == "--signal":
			i++
		case !strings.HasPrefix(arg, "-"):
			return seconds(arg)
		}
	}
	return 0
}

// seconds is a duration in the form of sleep(1): a number of seconds, or of the unit behind it.
func seconds(text string) time.Duration {
	unit := time.Second
	for suffix, u := range map[string]time.Duration{"s": time.Second, "m": time.Minute, "h": time.Hour, "d": 24 * time.Hour} {
		if number, is := strings.CutSuffix(text, suffix); is {
			text, unit = number, u
		}
	}
	n, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return 0
	}
	return time.Duration(n * float64(unit))
}
