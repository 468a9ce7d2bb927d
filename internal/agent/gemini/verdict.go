package gemini

import (
	"cmp"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"ralph/internal/agent/stream"
	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
	"ralph/internal/proc"
)

// Muttered takes messages that only the standard error has, in each of its
// modes.
type Muttered struct {
	// class of the error that ended it, such as TerminalQuotaError.
	class string
}

var (
	tries = lazyregexp.New(`^(Attempt \d+ failed(?: with (?:status )?(\d{3}|5xx)(?: error)?)?\b.*?)\.? Retrying\b`)
	ended = lazyregexp.New(`^Error when talking to Gemini API.*?\.json (\w+): (.*)`)
)

// Aside takes a line of the standard error.
func (m *Muttered) Aside(t *stream.Tally, line []byte) {
	text := string(line[:min(len(line), 4<<10)])
	if m := tries.FindStringSubmatch(text); m != nil {
		t.Trouble(retried(m[2], m[1]+"."))
	}
	if found := ended.FindStringSubmatch(text); found != nil {
		m.class = found[1]
	}
}

// retried is the verdict on a try that failed, by the status where it is told.
func retried(status, line string) stream.Verdict {
	code, err := strconv.Atoi(strings.ReplaceAll(status, "x", "0"))
	if err != nil {
		return stream.Down("the provider does not answer: " + line)
	}
	v := stream.HTTP(code, line)
	v.End = loop.EndTransient // it tries again by itself
	return v
}

// Refusal returns the verdict on a provider's response, with its status where
// that is known; said is the program's message.
func (m Muttered) Refusal(status int, said string) (stream.Verdict, bool) {
	switch {
	case m.class == "TerminalQuotaError":
		return stream.Limit(time.Time{}, said), true
	case m.class == "ModelNotFoundError":
		return stream.HTTP(404, said), true
	case status == 400 && strings.Contains(said, "token count exceeds"):
		return stream.Overflow(said), true
	case status != 0:
		return stream.HTTP(status, said), true
	}
	return stream.Verdict{}, false
}

// End returns the verdict by the result, the exit code, and the class of the
// error.
func (d *dialect) End(t *stream.Tally, exit proc.Exit) stream.Verdict {
	if d.last == nil {
		return startUp(exit, t)
	}
	if d.last.status == "success" {
		switch {
		case d.circled:
			return stream.Failed("its own loop detection stopped it")
		case d.said.Whole == "" && !d.busy:
			return stream.Failed("it answered nothing")
		}
		return stream.Done()
	}
	return d.failed(exit)
}

func (d *dialect) failed(exit proc.Exit) stream.Verdict {
	said := cmp.Or(d.last.error, d.trouble, "it ended with an error")
	if v, is := d.Refusal(httpStatus(said, exit), said); is {
		return v
	}
	if strings.HasPrefix(said, "[API Error:") {
		return stream.Down(said) // the connection, not a response
	}
	return stream.Failed(said)
}

// httpStatus is the provider's: from the response where that is quoted whole,
// or from the exit code; 0 is unknown.
func httpStatus(said string, exit proc.Exit) int {
	var quoted struct {
		Error struct {
			Code stream.Count `json:"code"`
		} `json:"error"`
	}
	text := strings.TrimPrefix(said, "[API Error: ")
	if json.NewDecoder(strings.NewReader(text)).Decode(&quoted) == nil && quoted.Error.Code > 0 {
		return int(quoted.Error.Code)
	}
	if exit.Code == nil {
		return 0
	}
	for _, status := range []int{400, 401, 403, 404, 408, 429, 500, 502, 503, 504, 529} {
		if *exit.Code == status&0xff {
			return status
		}
	}
	return 0
}

// startUp judges an end before the first event, by the program's own codes.
func startUp(exit proc.Exit, t *stream.Tally) stream.Verdict {
	if exit.Code == nil || t.Begun() {
		return stream.Verdict{}
	}
	switch *exit.Code {
	case 41:
		return stream.NoLogin(t.Last("not logged in"))
	case 44:
		return stream.Permanent(t.Last("its sandbox does not work"))
	case 52:
		return stream.Permanent(t.Last("its settings are wrong"))
	case 55:
		return stream.Permanent(t.Last("it does not trust the folder"))
	}
	return stream.Verdict{}
}
