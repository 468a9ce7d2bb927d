package door

import (
	"bufio"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// Answerer carries calls out.
type Answerer interface {
	Answer(ctx context.Context, c Call) Answer
	// Stream serves until the other side ends, and says so first (Out.Begin).
	// Where it answers false, the answer says why it did not begin.
	Stream(ctx context.Context, c Call, in io.Reader, out Out) (Answer, bool)
}

// Out is what a stream is written to.
type Out interface {
	io.Writer
	// Begin tells the caller that bytes follow.
	Begin() error
}

// Door is an open one.
type Door struct {
	dir, path string
	// key is told to the run that the door is for, and to nobody else: a process
	// of another run may find the socket, and has no call on it.
	key      string
	listener *net.UnixListener
	answerer Answerer
	leave    context.CancelFunc
	ctx      context.Context
	all      sync.WaitGroup
	places   chan struct{}
}

const (
	// atOnce is how many calls are carried out at once; more wait.
	atOnce = 8
	// callTime is how long a call may take to arrive.
	callTime   = 10 * time.Second
	socketName = "ralph.sock"
	// longestPath is what every system takes as the name of a socket.
	longestPath = 100
)

// Open opens a door in the first of the folders where the name is short enough.
func Open(ctx context.Context, folders []string, a Answerer) (*Door, error) {
	dir, err := place(ctx, folders)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(dir, socketName)
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	if err != nil {
		_ = os.RemoveAll(dir)
		return nil, fmt.Errorf("open the socket for the agent: %w", err)
	}
	ctx, leave := context.WithCancel(ctx)
	d := &Door{dir: dir, path: path, key: rand.Text(), listener: l, answerer: a, ctx: ctx, leave: leave, places: make(chan struct{}, atOnce)}
	d.all.Go(d.accept)
	return d, nil
}

// Path of the socket; its folder holds nothing else.
func (d *Door) Path() string { return d.path }

// Address is what a caller needs: the path and the key.
func (d *Door) Address() string { return d.path + "#" + d.key }

// Close ends every call and removes the socket.
func (d *Door) Close() {
	d.leave()
	_ = d.listener.Close()
	d.all.Wait()
	_ = os.RemoveAll(d.dir)
}

func (d *Door) accept() {
	for {
		c, err := d.listener.AcceptUnix()
		if err != nil {
			return
		}
		select {
		case d.places <- struct{}{}:
		case <-d.ctx.Done():
			_ = c.Close()
			return
		}
		d.all.Go(func() {
			defer func() { <-d.places }()
			defer c.Close()
			d.serve(c)
		})
	}
}

// serve carries out one call. It ends with the caller.
func (d *Door) serve(c *net.UnixConn) {
	ctx, cancel := context.WithCancel(d.ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	if !sameUser(c) {
		return
	}
	in := bufio.NewReader(c)
	call, err := read(c, in)
	if err != nil {
		_ = reply(c, Answer{Exit: exitUsage, Stderr: []byte("ralph: " + err.Error() + "\n")})
		return
	}
	if subtle.ConstantTimeCompare([]byte(call.Key), []byte(d.key)) != 1 {
		_ = reply(c, Answer{Exit: exitUsage, Stderr: []byte("ralph: this socket belongs to another run\n")})
		return
	}
	if call.Stream {
		if refusal, ok := d.answerer.Stream(ctx, call, in, streamer{c}); !ok {
			_ = reply(c, refusal)
		}
		return
	}
	gone := make(chan struct{})
	go func() { // a caller that leaves is not answered
		defer close(gone)
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	a := d.answerer.Answer(ctx, call)
	_ = reply(c, a)
	_ = c.Close()
	<-gone
}

const exitUsage = 64

type streamer struct{ *net.UnixConn }

func (s streamer) Begin() error { return reply(s.UnixConn, Answer{Stream: true}) }

var errTorn = errors.New("the call on the socket is not one whole line of JSON (ralph.call/v1), or came too slowly")

// read takes one line. Nothing is carried out of what is torn, late or too long.
func read(c *net.UnixConn, in *bufio.Reader) (Call, error) {
	_ = c.SetReadDeadline(time.Now().Add(callTime))
	defer func() { _ = c.SetReadDeadline(time.Time{}) }()
	line, err := line(in)
	if err != nil {
		return Call{}, err
	}
	var call Call
	if json.Unmarshal(line, &call) != nil || call.Schema != callSchema || len(call.Argv) == 0 {
		return Call{}, errTorn
	}
	return call, nil
}

// line is one line of bounded length.
func line(in *bufio.Reader) ([]byte, error) {
	var out []byte
	for {
		part, err := in.ReadSlice('\n')
		out = append(out, part...)
		switch {
		case len(out) > MaxCall:
			return nil, fmt.Errorf("a call on the socket is at most %d bytes", MaxCall)
		case err == nil:
			return out, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, errTorn
		}
	}
}

func reply(c *net.UnixConn, a Answer) error {
	a.Schema = answerSchema
	data, err := json.Marshal(a)
	if err == nil {
		_ = c.SetWriteDeadline(time.Now().Add(callTime))
		_, err = c.Write(append(data, '\n'))
		_ = c.SetWriteDeadline(time.Time{})
	}
	return err
}
