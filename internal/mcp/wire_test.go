package mcp_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"ralph/internal/mcp"
)

// line speaks the protocol by hand: what it sends is on the wire as it is.
type line struct {
	t    *testing.T
	in   io.WriteCloser
	out  *bufio.Scanner
	over chan error
}

func raw(t *testing.T, ctx context.Context, f *fake) *line {
	t.Helper()
	toServer, in := io.Pipe()
	out, fromServer := io.Pipe()
	l := &line{t: t, in: in, out: bufio.NewScanner(out), over: make(chan error, 1)}
	go func() {
		err := mcp.New(f, mcp.Options{}).Serve(ctx, toServer, fromServer)
		fromServer.Close()
		toServer.Close()
		l.over <- err
	}()
	t.Cleanup(func() { in.Close() })
	return l
}

func (l *line) send(text string) {
	l.t.Helper()
	if _, err := io.WriteString(l.in, text); err != nil {
		l.t.Fatal(err)
	}
}

type message struct {
	ID     any             `json:"id"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func (l *line) next() (m message) {
	l.t.Helper()
	if !l.out.Scan() {
		l.t.Fatalf("no answer: %v", l.out.Err())
	}
	if err := json.Unmarshal(l.out.Bytes(), &m); err != nil {
		l.t.Fatalf("%s: %v", l.out.Bytes(), err)
	}
	return m
}

const hello = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

const ping = `{"jsonrpc":"2.0","id":"the ping","method":"ping"}` + "\n"

// TestGarbage: what is no message is answered, and the session goes on.
func TestGarbage(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		text string
		id   any
		code int
	}{
		"no JSON":          {"hello\n", nil, -32700},
		"half of it":       {`{"jsonrpc":"2.0","id":` + "\n", nil, -32700},
		"two in a line":    {`{"jsonrpc":"2.0","id":7,"method":"ping"}{"a":1}` + "\n", nil, -32700},
		"binary":           {"\x00\xff\xfe\n", nil, -32700},
		"a number":         {"42\n", nil, -32600},
		"a batch":          {`[{"jsonrpc":"2.0","id":7,"method":"ping"}]` + "\n", nil, -32600},
		"nothing of ours":  {`{"id":"x"}` + "\n", "x", -32600},
		"another version":  {`{"jsonrpc":"1.0","id":7,"method":"ping"}` + "\n", 7.0, -32600},
		"too long":         {strings.Repeat("x", 9<<20) + "\n", nil, -32700},
		"unknown method":   {`{"jsonrpc":"2.0","id":7,"method":"server/dance"}` + "\n", 7.0, -32601},
		"a discovery":      {`{"jsonrpc":"2.0","id":7,"method":"server/discover"}` + "\n", 7.0, -32601},
		"arguments a list": {`{"jsonrpc":"2.0","id":7,"method":"tools/list","params":[1]}` + "\n", 7.0, -32602},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := raw(t, t.Context(), newFake())
			for _, then := range []string{hello, ping} {
				l.send("\n \r\n")
				l.send(tt.text)
				m := l.next()
				if m.Error == nil || m.ID != tt.id || m.Error.Code != tt.code && m.Error.Code != 0 {
					t.Errorf("answer %+v, error %+v", m, m.Error)
				}
				l.send(then)
				if m := l.next(); m.Error != nil {
					t.Fatalf("the session is over: %+v", m.Error)
				}
			}
			l.in.Close()
			if err := <-l.over; err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLastLineWithoutEnd: a message counts although the stream ends behind it.
func TestLastLineWithoutEnd(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	in := strings.NewReader(strings.TrimRight(strings.SplitAfter(hello, "\n")[0], "\n"))
	if err := mcp.New(newFake(), mcp.Options{}).Serve(t.Context(), in, &out); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(out.String(), `"serverInfo"`) {
		t.Errorf("answered %q", out.String())
	}
}

// TestEndWhileChecking: the end of the input and of the context both end a
// check that is under way.
func TestEndWhileChecking(t *testing.T) {
	t.Parallel()
	why := errors.New("told to")
	for name, tt := range map[string]struct {
		end  func(*line, context.CancelCauseFunc)
		want error
	}{
		"the input ends": {func(l *line, _ context.CancelCauseFunc) { l.in.Close() }, nil},
		"told to end":    {func(_ *line, end context.CancelCauseFunc) { end(why) }, context.Canceled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancelCause(t.Context())
			defer cancel(nil)
			f, seen := newFake(), make(chan error, 1)
			f.during = func(ctx context.Context) {
				<-ctx.Done()
				seen <- context.Cause(ctx)
			}
			l := raw(t, ctx, f)
			l.send(hello)
			l.next()
			l.send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"loop_check","arguments":{}}}` + "\n")
			<-f.asked
			go func() { // whatever it still says
				for l.out.Scan() {
				}
			}()
			tt.end(l, cancel)
			if err := <-seen; name == "told to end" && !errors.Is(err, why) {
				t.Errorf("the call was told %v", err)
			}
			if err := <-l.over; !errors.Is(err, tt.want) {
				t.Errorf("served until %v, want %v", err, tt.want)
			}
		})
	}
}

// FuzzWire: whatever arrives, the server neither dies of it nor says anything
// that is no message, and answers a ping behind it.
func FuzzWire(f *testing.F) {
	for _, seed := range []string{"x", hello, "[]", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":null}`, `{"jsonrpc":"2.0","id":1,"result":{}}`, "\x00", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5}}`} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l := raw(t, t.Context(), newFake())
		go func() {
			io.WriteString(l.in, text+"\n"+ping)
		}()
		for l.next().ID != "the ping" {
		}
		l.in.Close()
		if err := <-l.over; err != nil {
			t.Error(err)
		}
	})
}
