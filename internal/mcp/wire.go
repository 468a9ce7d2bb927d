package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// How long the end of the input waits for answers: first for calls that end soon,
// also on a busy machine, then, with all calls cancelled, for the rest.
const (
	linger   = 2 * time.Second
	patience = 5 * time.Second
)

// wire is a connection on which one line is one message. It answers invalid lines
// itself: the library's own connection ends at the first byte that it cannot read,
// and drops calls in flight at the end of the input.
type wire struct {
	lines *bufio.Reader
	// gone is called when the input has ended and no more answers are awaited.
	gone func()

	in       chan jsonrpc.Message
	open     atomic.Int64
	answered chan struct{}

	mu  sync.Mutex
	out io.Writer

	once   sync.Once
	closed chan struct{}
}

func newWire(in io.Reader, out io.Writer, gone func()) *wire {
	return &wire{
		lines: bufio.NewReaderSize(in, 64<<10), out: out, gone: gone,
		in: make(chan jsonrpc.Message), answered: make(chan struct{}, 1), closed: make(chan struct{}),
	}
}

// Connect starts to read. There is one connection.
func (w *wire) Connect(context.Context) (mcp.Connection, error) {
	go w.receive()
	return w, nil
}

func (w *wire) receive() {
	defer close(w.in)
	for {
		line, err := w.line()
		if text := bytes.TrimSpace(line); len(text) > 0 && !w.take(text) {
			return
		}
		if err != nil {
			w.last()
			return
		}
	}
}

// take passes a message on, or answers an invalid line. It returns false once the
// connection is closed.
func (w *wire) take(text []byte) bool {
	m, refusal := parse(text)
	if refusal != nil {
		_ = w.put(refusal)
		return true
	}
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		w.open.Add(1)
	}
	select {
	case w.in <- m:
		return true
	case <-w.closed:
		return false
	}
}

// last waits until all requests are answered or cancelled.
func (w *wire) last() {
	w.awaitAnswers(linger)
	w.gone()
	w.awaitAnswers(patience)
}

func (w *wire) awaitAnswers(most time.Duration) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	for w.open.Load() > 0 {
		select {
		case <-w.answered:
		case <-w.closed:
			return
		case <-timer.C:
			return
		}
	}
}

// line reads up to a line feed. It keeps only the beginning of a line that is too
// long, which is then invalid.
func (w *wire) line() (line []byte, err error) {
	for {
		piece, err := w.lines.ReadSlice('\n')
		if len(line) <= longest {
			line = append(line, piece...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, err
		}
	}
}

// Read returns the next message.
func (w *wire) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case m, ok := <-w.in:
		if !ok {
			return nil, io.EOF
		}
		return m, nil
	case <-w.closed:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Write sends one message.
func (w *wire) Write(_ context.Context, m jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	err = w.put(text)
	if _, ok := m.(*jsonrpc.Response); ok {
		w.open.Add(-1)
		select {
		case w.answered <- struct{}{}:
		default:
		}
	}
	return err
}

func (w *wire) put(text []byte) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	_, err := w.out.Write(append(text, '\n'))
	return err
}

// Close ends the connection. The streams stay open: they are not ours, and a
// read of standard input cannot be interrupted.
func (w *wire) Close() error {
	w.once.Do(func() { close(w.closed) })
	return nil
}

// SessionID is empty: there is one session.
func (w *wire) SessionID() string { return "" }

// longest is the maximum size of a message in bytes.
const longest = 8 << 20

// parse reads one line, or returns an error response for an invalid one (JSON-RPC
// 2.0, section 5.1).
func parse(line []byte) (m jsonrpc.Message, refusal []byte) {
	code, why := int64(jsonrpc.CodeParseError), ""
	switch {
	case len(line) > longest:
		why = "the message is longer than 8 MiB"
	case !json.Valid(line):
		why = "this line is not JSON; one line is one message"
	case line[0] == '[':
		code, why = jsonrpc.CodeInvalidRequest, "batches are not part of the protocol any more: send one message a line"
	default:
		m, err := jsonrpc.DecodeMessage(line)
		if err == nil {
			return m, nil
		}
		code, why = jsonrpc.CodeInvalidRequest, err.Error()
	}
	refusal, _ = json.Marshal(map[string]any{
		"jsonrpc": "2.0", "id": identity(line), "error": map[string]any{"code": code, "message": why},
	})
	return nil, refusal
}

// identity returns the id of an invalid message, or null.
func identity(line []byte) json.RawMessage {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	if json.Unmarshal(line, &m) == nil && len(m.ID) > 0 && bytes.IndexByte([]byte(`"-0123456789`), m.ID[0]) >= 0 {
		return m.ID
	}
	return json.RawMessage("null")
}
