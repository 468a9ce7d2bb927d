package engine

import (
	"errors"
	"io"
	"io/fs"
)

// Texts are what an attempt left in files, each cut to a bound in bytes. What is not
// there is empty.
type Texts struct {
	Prompt, Patch string
	// Agent is the end of the agent's output: its structured stream where it has one.
	Agent string
	// Gates are the ends of the gates' outputs, by name.
	Gates map[string]string
	// Cut names what is not whole: prompt, patch, agent, or the name of a gate behind
	// "gate ".
	Cut []string
}

// Texts reads the files of attempt n, at most so many bytes of each: the beginning of
// the prompt and of the patch, the end of what agent and gates printed.
func (l Layout) Texts(n int, gates []string, most int64) (t Texts, err error) {
	read := func(to *string, name, path string, from func(string, int64) ([]byte, bool, error)) {
		data, cut, failed := from(path, most)
		if cut {
			t.Cut = append(t.Cut, name)
		}
		*to, err = string(data), errors.Join(err, failed)
	}
	read(&t.Prompt, "prompt", l.Prompt(n), Head)
	read(&t.Patch, "patch", l.Patch(n), Head)
	read(&t.Agent, "agent", l.Events(n), tail)
	if t.Agent == "" {
		read(&t.Agent, "agent", l.Output(n), tail)
	}
	t.Gates = map[string]string{}
	for _, g := range gates {
		var output string
		read(&output, "gate "+g, l.GateLog(n, g, 0), tail)
		t.Gates[g] = output
	}
	return t, err
}

// Head reads the first bytes of a file of a loop; cut reports that there are more. A file
// that is not there is empty.
func Head(path string, most int64) (data []byte, cut bool, err error) {
	return part(path, func(int64) int64 { return 0 }, most)
}

// tail reads the last bytes of such a file; cut reports that there are more before them.
func tail(path string, most int64) (data []byte, cut bool, err error) {
	return part(path, func(size int64) int64 { return max(0, size-most) }, most)
}

func part(path string, from func(size int64) int64, most int64) ([]byte, bool, error) {
	size, err := Size(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	f, err := Open(path, from(size))
	if err != nil {
		return nil, false, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, most))
	return data, size > most, err
}
