package control

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
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Handler executes requests.
type Handler interface {
	Handle(ctx context.Context, r Request) Response
	// Stream serves until the other side ends, and announces that first
	// (StreamWriter.Begin). When it returns false, the response says why it did
	// not begin.
	Stream(ctx context.Context, r Request, in io.Reader, out StreamWriter) (Response, bool)
}

// StreamWriter is the server's side of a stream.
type StreamWriter interface {
	io.Writer
	// Begin tells the client that bytes follow.
	Begin() error
}

// Server is a listening control socket.
type Server struct {
	dir, path string
	// key is given to the run that the socket is for, and to no other: a process
	// of another run may find the socket, and may not use it.
	key      string
	listener *net.UnixListener
	handler  Handler
	leave    context.CancelFunc
	ctx      context.Context
	all      sync.WaitGroup
	slots    chan struct{}
}

const (
	// maxConcurrent requests are executed at a time; more wait.
	maxConcurrent = 8
	// ioTime is how long a request may take to arrive.
	ioTime     = 10 * time.Second
	socketName = "ralph.sock"
	// maxPath is the length of a socket's name that every system accepts.
	maxPath = 100
)

// Listen opens a socket in the first of the folders where the name is short
// enough.
func Listen(ctx context.Context, folders []string, h Handler) (*Server, error) {
	dir, err := socketDir(ctx, folders)
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
	s := &Server{dir: dir, path: path, key: rand.Text(), listener: l, handler: h, ctx: ctx, leave: leave, slots: make(chan struct{}, maxConcurrent)}
	s.all.Go(s.accept)
	return s, nil
}

// Path returns the socket's path; its folder holds nothing else.
func (s *Server) Path() string { return s.path }

// Address returns what a client needs: the path and the key.
func (s *Server) Address() string { return s.path + "#" + s.key }

// Close ends every request and removes the socket.
func (s *Server) Close() {
	s.leave()
	_ = s.listener.Close()
	s.all.Wait()
	_ = os.RemoveAll(s.dir)
}

func (s *Server) accept() {
	for {
		c, err := s.listener.AcceptUnix()
		if err != nil {
			return
		}
		select {
		case s.slots <- struct{}{}:
		case <-s.ctx.Done():
			_ = c.Close()
			return
		}
		s.all.Go(func() {
			defer func() { <-s.slots }()
			defer c.Close()
			s.serve(c)
		})
	}
}

// serve executes one request and ends with the client.
func (s *Server) serve(c *net.UnixConn) {
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	if !sameUser(c) {
		return
	}
	in := bufio.NewReader(c)
	r, err := readRequest(c, in)
	if err != nil {
		_ = reply(c, Response{Exit: exitUsage, Stderr: []byte("ralph: " + err.Error() + "\n")})
		return
	}
	if subtle.ConstantTimeCompare([]byte(r.Key), []byte(s.key)) != 1 {
		_ = reply(c, Response{Exit: exitUsage, Stderr: []byte("ralph: this socket belongs to another run\n")})
		return
	}
	if r.Stream {
		if refusal, ok := s.handler.Stream(ctx, r, in, stream{c}); !ok {
			_ = reply(c, refusal)
		}
		return
	}
	gone := make(chan struct{})
	go func() { // a client that leaves gets no response
		defer close(gone)
		_, _ = io.Copy(io.Discard, in)
		cancel()
	}()
	a := s.handler.Handle(ctx, r)
	_ = reply(c, a)
	_ = c.Close()
	<-gone
}

const exitUsage = 64

type stream struct{ *net.UnixConn }

func (s stream) Begin() error { return reply(s.UnixConn, Response{Stream: true}) }

var errIncomplete = errors.New("incomplete request: want one line of JSON (ralph.call/v1) in time")

// readRequest reads one line. A torn, late or oversized request is not executed.
func readRequest(c *net.UnixConn, in *bufio.Reader) (Request, error) {
	_ = c.SetReadDeadline(time.Now().Add(ioTime))
	defer func() { _ = c.SetReadDeadline(time.Time{}) }()
	line, err := readLine(in)
	if err != nil {
		return Request{}, err
	}
	var r Request
	if json.Unmarshal(line, &r) != nil || r.Schema != requestSchema || len(r.Argv) == 0 {
		return Request{}, errIncomplete
	}
	return r, nil
}

// readLine reads one line of bounded length.
func readLine(in *bufio.Reader) ([]byte, error) {
	var out []byte
	for {
		part, err := in.ReadSlice('\n')
		out = append(out, part...)
		switch {
		case len(out) > maxRequest:
			return nil, fmt.Errorf("a request is at most %d bytes", maxRequest)
		case err == nil:
			return out, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, errIncomplete
		}
	}
}

func reply(c *net.UnixConn, r Response) error {
	r.Schema = responseSchema
	data, err := json.Marshal(r)
	if err == nil {
		_ = c.SetWriteDeadline(time.Now().Add(ioTime))
		_, err = c.Write(append(data, '\n'))
		_ = c.SetWriteDeadline(time.Time{})
	}
	return err
}

// prefix begins the names of the sockets' folders; oldPrefix that of earlier
// versions.
const (
	prefix    = "ralph-ctl-"
	oldPrefix = "ralph-door-"
)

// socketDir makes a folder for a socket in the first of the folders where the
// name is short enough.
func socketDir(ctx context.Context, folders []string) (string, error) {
	var last error
	for _, folder := range folders {
		if len(folder)+len("/ralph-ctl-0123456789/ralph.sock") > maxPath {
			last = fmt.Errorf("%s: the name is too long for a socket", folder)
			continue
		}
		removeStale(ctx, folder, time.Now())
		dir, err := os.MkdirTemp(folder, prefix)
		if err == nil {
			return dir, nil
		}
		last = err
	}
	return "", fmt.Errorf("create a folder for the agent's socket: %w", last)
}

// Sweep removes the sockets of killed ralphs from the folders, and returns their folders.
// With dry it only returns them.
func Sweep(ctx context.Context, folders []string, dry bool) (removed []string) {
	for _, folder := range folders {
		for _, dir := range stale(ctx, folder, time.Now()) {
			if !slices.Contains(removed, dir) && (dry || os.RemoveAll(dir) == nil) {
				removed = append(removed, dir)
			}
		}
	}
	return removed
}

// removeStale removes the sockets of killed ralphs from a folder.
func removeStale(ctx context.Context, folder string, now time.Time) {
	for _, dir := range stale(ctx, folder, now) {
		_ = os.RemoveAll(dir)
	}
}

const (
	// beforeListening is more time than a process needs between the making of a folder and
	// the socket that answers.
	beforeListening = time.Second
	// forgotten is the age at which a folder without a socket is no longer in use.
	forgotten = 24 * time.Hour
)

// stale returns the folders of sockets of this user that no process listens to.
func stale(ctx context.Context, folder string, now time.Time) (all []string) {
	at := net.Dialer{Timeout: time.Second}
	entries, _ := os.ReadDir(folder)
	for _, e := range entries {
		if name := e.Name(); !strings.HasPrefix(name, prefix) && !strings.HasPrefix(name, oldPrefix) {
			continue
		}
		dir := filepath.Join(folder, e.Name())
		info, err := e.Info()
		if err != nil || !info.IsDir() || !ours(info) || now.Sub(info.ModTime()) < beforeListening {
			continue
		}
		c, err := at.DialContext(ctx, "unix", filepath.Join(dir, socketName))
		if err == nil {
			_ = c.Close()
			continue
		}
		if errors.Is(err, syscall.ECONNREFUSED) || now.Sub(info.ModTime()) > forgotten {
			all = append(all, dir)
		}
	}
	return all
}
