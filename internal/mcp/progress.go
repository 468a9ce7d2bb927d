package mcp

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// progress sends signs of life while a call goes on, to a client that asked
// for them: some end a call that says nothing for a minute. The function it
// returns ends them.
func (s *Server) progress(ctx context.Context, req *mcp.CallToolRequest, name string) (end func()) {
	token := req.Params.GetProgressToken()
	if token == nil {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		s.beats(ctx, req.Session, token, name)
	}()
	return func() {
		cancel()
		<-done
	}
}

func (s *Server) beats(ctx context.Context, to *mcp.ServerSession, token any, name string) {
	began, tick := time.Now(), time.NewTicker(s.beat)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			passed := time.Since(began)
			_ = to.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: passed.Seconds(),
				Message: fmt.Sprintf("%s: %s", name, passed.Round(time.Second)),
			})
		}
	}
}
