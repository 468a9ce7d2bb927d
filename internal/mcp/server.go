package mcp

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Options are about one server. The zero value is usable.
type Options struct {
	// Version of the program, for clients that show it.
	Version string
	// Beat is the time between two progress notifications of a long call; 0 is 5 s.
	Beat time.Duration
}

// Server answers one client at a time.
type Server struct {
	tools Tools
	sdk   *mcp.Server
	beat  time.Duration
	// life ends when the server is asked to end or the client has gone.
	life context.Context
}

// New returns a server over tools. It takes time, so programs call it only to
// serve.
func New(tools Tools, o Options) *Server {
	s := &Server{tools: tools, beat: o.Beat, life: context.Background()}
	if s.beat == 0 {
		s.beat = 5 * time.Second
	}
	s.sdk = mcp.NewServer(
		&mcp.Implementation{Name: "ralph", Title: "ralph", Version: o.Version},
		&mcp.ServerOptions{Instructions: instructions, Capabilities: &mcp.ServerCapabilities{}},
	)
	s.addTools()
	s.addResources()
	return s
}

// errGone cancels the calls of a client that has left.
var errGone = errors.New("the client has gone")

// Serve answers requests from in until it ends, which is not an error, or until
// ctx ends. It cancels calls in flight and waits for them.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	life, end := context.WithCancelCause(ctx)
	defer end(nil)
	s.life = life
	w := newWire(in, out, func() { end(errGone) })
	err := s.sdk.Run(ctx, w)
	if errors.Is(context.Cause(life), errGone) {
		return nil
	}
	return err
}

// during returns the context of one call: it ends with the call and with the
// server.
func (s *Server) during(call context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(call)
	stop := context.AfterFunc(s.life, func() { cancel(context.Cause(s.life)) })
	return ctx, func() {
		stop()
		cancel(nil)
	}
}
