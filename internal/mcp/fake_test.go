package mcp_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"ralph/internal/engine"
	"ralph/internal/mcp"
)

// fake remembers what it was asked and answers what a test says.
type fake struct {
	answer mcp.Answer
	// during is called inside of each call.
	during func(ctx context.Context)
	asked  chan any
	loops  []mcp.Loop
}

func newFake() *fake { return &fake{asked: make(chan any, 100)} }

func (f *fake) call(ctx context.Context, r any) mcp.Answer {
	f.asked <- r
	if f.during != nil {
		f.during(ctx)
	}
	return f.answer
}

func (f *fake) Init(ctx context.Context, r mcp.InitRequest) mcp.Answer     { return f.call(ctx, r) }
func (f *fake) Check(ctx context.Context, r mcp.CheckRequest) mcp.Answer   { return f.call(ctx, r) }
func (f *fake) Status(ctx context.Context, r mcp.StatusRequest) mcp.Answer { return f.call(ctx, r) }
func (f *fake) List(ctx context.Context, r mcp.ListRequest) mcp.Answer     { return f.call(ctx, r) }
func (f *fake) Abort(ctx context.Context, r mcp.AbortRequest) mcp.Answer   { return f.call(ctx, r) }
func (f *fake) Dispute(ctx context.Context, r mcp.DisputeRequest) mcp.Answer {
	return f.call(ctx, r)
}
func (f *fake) Ask(ctx context.Context, r mcp.AskRequest) mcp.Answer { return f.call(ctx, r) }

func (f *fake) LearnSearch(ctx context.Context, r mcp.LearnSearchRequest) mcp.Answer {
	return f.call(ctx, r)
}

func (f *fake) LearnAdd(ctx context.Context, r mcp.LearnAddRequest) mcp.Answer { return f.call(ctx, r) }

func (f *fake) PlanRun(ctx context.Context, r mcp.PlanRunRequest) mcp.Answer { return f.call(ctx, r) }

func (f *fake) PlanStatus(ctx context.Context, r mcp.PlanRequest) mcp.Answer { return f.call(ctx, r) }

func (f *fake) PlanAccept(ctx context.Context, r mcp.PlanRequest) mcp.Answer { return f.call(ctx, r) }

func (f *fake) PlanAnswer(ctx context.Context, r mcp.PlanAnswerRequest) mcp.Answer {
	return f.call(ctx, r)
}

func (f *fake) Loops(_ context.Context, most int) ([]mcp.Loop, error) {
	return f.loops[:min(most, len(f.loops))], nil
}

func (f *fake) State(_ context.Context, id string) ([]byte, error) {
	return fmt.Appendf(nil, `{"id":%q}`, id), f.known(id)
}

func (f *fake) Evidence(_ context.Context, id string) (string, error) {
	return "evidence of " + id, f.known(id)
}

func (f *fake) known(id string) error {
	switch id {
	case "nobody":
		return fmt.Errorf("%q: %w", id, engine.ErrNotFound)
	case "broken":
		return io.ErrUnexpectedEOF
	case "bad":
		panic("bad")
	}
	return nil
}

// talk connects a client to a server over f.
func talk(t *testing.T, f *fake, o mcp.Options, c *sdk.ClientOptions) *sdk.ClientSession {
	t.Helper()
	toServer, fromClient := io.Pipe()
	toClient, fromServer := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- mcp.New(f, o).Serve(context.WithoutCancel(t.Context()), toServer, fromServer)
		fromServer.Close()
	}()
	client := sdk.NewClient(&sdk.Implementation{Name: "test"}, c)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: toClient, Writer: fromClient}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		fromClient.Close()
		// The answer to a call that was cancelled may meet a client that is gone.
		if err := <-ended; err != nil && !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("the server ended with %v", err)
		}
	})
	return session
}
