package setup

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"ralph/internal/cli/exit"
	"ralph/internal/config"
	"ralph/internal/loop"
)

// writeProject writes ralph.yaml. It never writes over a file: with force the
// old one is renamed first, to an unused name.
func writeProject(root string, text []byte, force bool) (backup string, err error) {
	r, err := os.OpenRoot(root)
	if err != nil {
		return "", fmt.Errorf("write %s: %w", config.FileName, err)
	}
	defer r.Close()
	if force {
		if backup, err = keepOld(r); err != nil {
			return "", fmt.Errorf("keep the old %s: %w", config.FileName, err)
		}
	}
	err = writeNew(r, text)
	if err != nil && backup != "" {
		err = errors.Join(err, r.Rename(backup, config.FileName))
	}
	return backup, err
}

func keepOld(r *os.Root) (string, error) {
	if _, err := r.Lstat(config.FileName); errors.Is(err, fs.ErrNotExist) {
		return "", nil
	}
	name := config.FileName + ".bak"
	for n := 2; ; n++ {
		if _, err := r.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			return name, r.Rename(config.FileName, name)
		} else if err != nil {
			return "", err
		}
		name = fmt.Sprintf("%s.bak.%d", config.FileName, n)
	}
}

// writeNew leaves a whole file or none.
func writeNew(r *os.Root, text []byte) error {
	f, err := r.OpenFile(config.FileName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return exit.UsageError("look at it: ralph config show", "%s has appeared meanwhile", config.FileName)
	}
	if err != nil {
		return fmt.Errorf("write %s: %w", config.FileName, err)
	}
	_, err = f.Write(text)
	if err = errors.Join(err, f.Close()); err != nil {
		return errors.Join(fmt.Errorf("write %s: %w", config.FileName, err), r.Remove(config.FileName))
	}
	return nil
}

// initiated is how an init ended.
type initiated struct {
	text    []byte
	written bool
	backup  string
	print   bool
}

// initialised says what was done and what comes next.
func (a *Commands) initialised(s *survey, done initiated) error {
	switch {
	case a.JSON:
		return a.Object(s.object(done))
	case done.print:
		a.Print(string(done.text))
		return nil
	case !done.written:
		a.Say("nothing was written; ralph init --print shows it")
		return nil
	}
	if len(s.gates) > 0 && !s.any() {
		a.Say("! no gate is left that works here, and a loop needs one: install what is missing and remove the # marks in %s, write a gate of your own, or give --until", config.FileName)
	}
	if len(s.gates) == 0 {
		a.Say("! no gate was found here, and a loop needs one: write it into %s (gates:), or give --until", config.FileName)
	}
	if done.backup != "" {
		a.Print("kept the old one as " + done.backup)
	}
	a.Print(fmt.Sprintf("wrote %s (%s)\n  next: %s", config.FileName, lineCount(done.text), s.next()))
	return nil
}

// next is the command a person would type now.
func (s *survey) next() string {
	on, failing := false, ""
	for _, g := range s.gates {
		if g.off != "" || g.Gate.Level != loop.Hard {
			continue
		}
		on = true
		if failing == "" && g.result != nil && g.result.Verdict != loop.Passed {
			failing = g.Gate.Name
		}
	}
	switch {
	case len(s.agents) == 0 && !on:
		return `ralph run "what is to be done" --until "COMMAND" --agent-cmd "COMMAND that reads the prompt"`
	case len(s.agents) == 0:
		return "ralph demo (no agent is installed; any command that reads a prompt will do: ralph run --help)"
	case !on:
		return `ralph run "what is to be done" --until "COMMAND"`
	case failing != "":
		return fmt.Sprintf(`ralph run "make the gate %s pass"`, failing)
	}
	return `ralph run "what is to be done"`
}

func lineCount(text []byte) string { return fmt.Sprintf("%d lines", bytes.Count(text, []byte("\n"))) }

// initSchema is the name of the format of `init --json`.
const initSchema = "ralph.init/v1"

type initObject struct {
	Schema  string           `json:"schema"`
	File    string           `json:"file"`
	Written bool             `json:"written"`
	Backup  string           `json:"backup,omitempty"`
	Commit  string           `json:"commit"`
	Agents  []installedAgent `json:"agents"`
	Gates   []initGate       `json:"gates"`
	Setup   []string         `json:"setup"`
	Remarks []string         `json:"remarks"`
	YAML    string           `json:"yaml"`
	Next    string           `json:"next"`
}

// initGate is a proposed gate; Verdict and what follows are null when it was
// not tried.
type initGate struct {
	Name       string        `json:"name"`
	Kind       loop.Kind     `json:"kind"`
	Level      loop.Level    `json:"level"`
	Run        string        `json:"run"`
	Dir        string        `json:"dir,omitempty"`
	Source     string        `json:"source"`
	Why        string        `json:"why"`
	Off        string        `json:"off,omitempty"`
	Verdict    *loop.Verdict `json:"verdict"`
	Reason     *string       `json:"reason"`
	Value      *float64      `json:"value"`
	Threshold  *float64      `json:"threshold"`
	ExitCode   *int          `json:"exit_code"`
	DurationMS *int64        `json:"duration_ms"`
}

func (s *survey) object(done initiated) initObject {
	d := s.draft()
	o := initObject{
		Schema: initSchema, File: config.FileName, Written: done.written, Backup: done.backup, Commit: s.head.Commit,
		Agents: append([]installedAgent{}, s.agents...), Gates: []initGate{}, Setup: append([]string{}, d.Setup...),
		Remarks: append([]string{}, s.remarks...), YAML: string(done.text), Next: s.next(),
	}
	for _, g := range s.gates {
		j := initGate{
			Name: g.Gate.Name, Kind: g.Gate.Kind, Level: g.Gate.Level, Run: g.Gate.Run, Dir: g.Gate.Dir,
			Source: g.Source, Why: g.Why, Off: g.off, Threshold: g.Gate.Threshold,
		}
		if r := g.result; r != nil {
			ms := r.Duration.Milliseconds()
			j.Verdict, j.Reason, j.Value, j.ExitCode, j.DurationMS = &r.Verdict, &r.Reason, r.Value, r.ExitCode, &ms
		}
		o.Gates = append(o.Gates, j)
	}
	return o
}
