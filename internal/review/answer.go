package review

import (
	"os"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// maxAnswer bounds what is kept of a reviewer's words.
const maxAnswer = 256 << 10

// answer collects what a reviewer says.
type answer struct {
	final  string
	words  strings.Builder
	spoken bool
}

func (a *answer) hear(e agent.Event) {
	switch e.Kind {
	case agent.Text:
		a.spoken = true
		if a.words.Len() < maxAnswer {
			a.words.WriteString(e.Text + "\n")
		}
	case agent.Result:
		a.spoken = true
		a.final = e.Text
	}
}

// text is all of it. A plain command speaks through its output only.
func (a *answer) text(out loop.Outcome) string {
	if !a.spoken {
		return tail(out.OutputFile)
	}
	// The final words are cut where they are long, and repeat the others.
	return a.words.String() + "\n" + a.final
}

func tail(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > maxAnswer {
		_, _ = f.Seek(-maxAnswer, 2)
	}
	buf := make([]byte, maxAnswer)
	n := 0
	for n < len(buf) {
		m, err := f.Read(buf[n:])
		n += m
		if err != nil {
			break
		}
	}
	return string(buf[:n])
}
