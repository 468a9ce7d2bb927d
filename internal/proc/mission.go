package proc

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// mission is what the shim is told before anything else. Its arrival is the
// word to go: the supervisor sends it once the run is recorded. Argv and Env
// are bytes, since JSON strings would replace what is not UTF-8.
type mission struct {
	Run    string        `json:"run"`
	RunDir []byte        `json:"run_dir"`
	Argv   [][]byte      `json:"argv"`
	Dir    []byte        `json:"dir"`
	Env    [][]byte      `json:"env"`
	Grace  time.Duration `json:"grace_ns"`
	// Interrupt is Spec.Interrupt.
	Interrupt bool `json:"interrupt,omitempty"`
	// Inside is Spec.Inside; its words are paths, and so may be any bytes.
	Wrapper [][]byte `json:"wrapper,omitempty"`
	Walls   *Walls   `json:"walls,omitempty"`
}

func (s Spec) mission() mission {
	m := mission{
		Run: s.Run, RunDir: []byte(s.RunDir), Dir: []byte(s.Dir),
		Argv: toBytes(s.Argv), Env: toBytes(s.Env), Grace: s.Grace, Interrupt: s.Interrupt,
	}
	if s.Inside != nil {
		m.Wrapper, m.Walls = toBytes(s.Inside.Wrapper), s.Inside.Walls
	}
	return m
}

// maxMission is far above what any kernel accepts as arguments and
// environment.
const maxMission = 64 << 20

func sendMission(w io.Writer, m mission) error {
	body, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode mission: %w", err)
	}
	if len(body) > maxMission {
		return fmt.Errorf("arguments and environment of %d bytes are too long", len(body))
	}
	frame := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	_, err = w.Write(append(frame, body...))
	return err
}

func readMission(r io.Reader) (mission, error) {
	var m mission
	var size uint32
	if err := binary.Read(r, binary.BigEndian, &size); err != nil {
		return m, fmt.Errorf("read mission: %w", err)
	}
	if size > maxMission {
		return m, fmt.Errorf("read mission: %d bytes announced", size)
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(r, body); err != nil {
		return m, fmt.Errorf("read mission: %w", err)
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return m, fmt.Errorf("read mission: %w", err)
	}
	if len(m.Argv) == 0 {
		return m, errors.New("read mission: empty command")
	}
	return m, nil
}

func toBytes(list []string) [][]byte {
	out := make([][]byte, len(list))
	for i, s := range list {
		out[i] = []byte(s)
	}
	return out
}

func toStrings(list [][]byte) []string {
	out := make([]string, len(list))
	for i, b := range list {
		out[i] = string(b)
	}
	return out
}
