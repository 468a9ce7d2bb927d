package proc

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// startRequest is the first message to the shim. The supervisor sends it once the
// run is recorded. Argv and Env are bytes, since JSON strings would replace
// invalid UTF-8.
type startRequest struct {
	Run    string        `json:"run"`
	RunDir []byte        `json:"run_dir"`
	Argv   [][]byte      `json:"argv"`
	Dir    []byte        `json:"dir"`
	Env    [][]byte      `json:"env"`
	Grace  time.Duration `json:"grace_ns"`
	// Interrupt is Spec.Interrupt.
	Interrupt bool `json:"interrupt,omitempty"`
	// Spec.Sandbox; its arguments are paths, and so may be any bytes.
	Wrapper  [][]byte       `json:"wrapper,omitempty"`
	Landlock *LandlockRules `json:"walls,omitempty"`
	// Room is encoded, since its paths may be any bytes, too.
	Room string `json:"room,omitempty"`
}

func (s Spec) startRequest() startRequest {
	m := startRequest{
		Run: s.Run, RunDir: []byte(s.RunDir), Dir: []byte(s.Dir),
		Argv: toBytes(s.Argv), Env: toBytes(s.Env), Grace: s.Grace, Interrupt: s.Interrupt,
	}
	if s.Sandbox != nil {
		m.Wrapper, m.Landlock = toBytes(s.Sandbox.Wrapper), s.Sandbox.Landlock
		if s.Sandbox.Room != nil {
			m.Room = s.Sandbox.Room.Encode()
		}
	}
	return m
}

// maxStartRequest is far above what any kernel accepts as arguments and
// environment.
const maxStartRequest = 64 << 20

func sendStart(w io.Writer, m startRequest) error {
	body, err := json.Marshal(m)
	if err != nil {
		return fmt.Errorf("encode the start request: %w", err)
	}
	if len(body) > maxStartRequest {
		return fmt.Errorf("arguments and environment of %d bytes are too long", len(body))
	}
	frame := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	_, err = w.Write(append(frame, body...))
	return err
}

func readStart(r io.Reader) (startRequest, error) {
	var m startRequest
	var size uint32
	if err := binary.Read(r, binary.BigEndian, &size); err != nil {
		return m, fmt.Errorf("read the start request: %w", err)
	}
	if size > maxStartRequest {
		return m, fmt.Errorf("read the start request: %d bytes announced", size)
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(r, body); err != nil {
		return m, fmt.Errorf("read the start request: %w", err)
	}
	if err := json.Unmarshal(body, &m); err != nil {
		return m, fmt.Errorf("read the start request: %w", err)
	}
	if len(m.Argv) == 0 {
		return m, errors.New("read the start request: empty command")
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

// order is one byte on the lifeline.
type order byte

const (
	orderStop    order = 's' // ask: INT, TERM, KILL
	orderCancel  order = 'c' // TERM, KILL
	orderTimeout order = 't'
	orderFinish  order = 'f'
	orderKill    order = 'k'
	// orderAbandon is never sent: the shim derives it from the lifeline's end and
	// from a TERM to itself.
	orderAbandon order = 'a'
)

// ending returns how a child that this order ends has ended.
func (o order) ending() ending {
	switch o {
	case orderTimeout:
		return byTimeout
	case orderFinish:
		return byFinish
	case orderAbandon:
		return byAbandoned
	}
	return byStop
}

// urgency ranks the orders: only a more urgent one replaces another.
func (o order) urgency() int {
	switch o {
	case orderStop:
		return 1
	case orderKill:
		return 3
	}
	return 2
}
