package gate

import (
	"errors"
	"io"
	"io/fs"

	"ralph/internal/gate/answer"
	"ralph/internal/loop"
)

// maxAnswer is more than anybody reads, in bytes.
const maxAnswer = 16 << 20

// read keeps the answer as the gate's output, so that who tries again, and
// whoever looks, has it.
func (e *evaluation) read(log io.Writer) error {
	name, err := e.tree.name(e.Gate.Answer)
	if err == nil {
		e.answer, err = e.tree.read(name, maxAnswer)
	}
	if e.unread = err; err != nil {
		return nil //nolint:nilerr // it becomes the gate's answer
	}
	_, err = log.Write(e.answer)
	return err
}

// judgeAnswer judges a text that is the product of a task.
func (e *evaluation) judgeAnswer() verdict {
	if errors.Is(e.unread, fs.ErrNotExist) {
		return failing(loop.Failed, "%s was not written", e.Gate.Answer)
	}
	if e.unread != nil {
		return finding(loop.Error, "read %s: %v", e.Gate.Answer, e.unread)
	}
	if why := answer.Fault(string(e.answer)); why != "" {
		return failing(loop.Failed, "%s is no answer: %s", e.Gate.Answer, why)
	}
	return passing("%s is there", e.Gate.Answer)
}
