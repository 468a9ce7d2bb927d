package acp

import (
	"context"

	sdk "github.com/coder/acp-go-sdk"

	"ralph/internal/agent/opencode"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// session resumes the one that a limit cut off, where the program can, and else
// begins one.
func (d *dialect) session(ctx context.Context, h hello) (sdk.SessionId, error) {
	const none = sdk.SessionId("")
	tree, servers := d.policy.tree, []sdk.McpServer{}
	if d.resume == nil || !bool(h.Can.Load) && !h.resumes() {
		d.with(func(*stream.Tally) { d.cost = 0 }) // of a session of its own
		s, err := ask[begun](ctx, d, sdk.AgentMethodSessionNew, sdk.NewSessionRequest{Cwd: tree, McpServers: servers})
		if err != nil {
			return none, err
		}
		return s.ID, d.suit(ctx, s.ID, h, s)
	}
	id := sdk.SessionId(d.resume.Session)
	d.recalls.Store(true)
	if h.resumes() {
		s, err := ask[begun](ctx, d, sdk.AgentMethodSessionResume, sdk.ResumeSessionRequest{SessionId: id, Cwd: tree, McpServers: servers})
		if err != nil {
			return none, err
		}
		return id, d.suit(ctx, id, h, s)
	}
	s, err := ask[begun](ctx, d, sdk.AgentMethodSessionLoad, sdk.LoadSessionRequest{SessionId: id, Cwd: tree, McpServers: servers})
	if err != nil {
		return none, err
	}
	return id, d.suit(ctx, id, h, s)
}

// suit makes the session fit the agent's permissions.
func (d *dialect) suit(ctx context.Context, id sdk.SessionId, h hello, s begun) error {
	if err := d.narrow(ctx, id, s); err != nil {
		return err
	}
	return d.choose(ctx, id, h.Agent.Name, s)
}

// narrow makes the session one of an agent that may only read, where nothing
// else will do and the program offers ours: some use their tools without asking.
func (d *dialect) narrow(ctx context.Context, id sdk.SessionId, s begun) error {
	if d.policy.level != loop.PermissionsRead {
		return nil
	}
	for _, o := range s.Options {
		for _, choice := range o.Options {
			if o.ID != "mode" || choice.Value != opencode.Reader {
				continue
			}
			_, err := ask[struct{}](ctx, d, sdk.AgentMethodSessionSetConfigOption, sdk.SetSessionConfigOptionRequest{
				ValueId: &sdk.SetSessionConfigOptionValueId{SessionId: id, ConfigId: o.ID, Value: opencode.Reader},
			})
			return err
		}
	}
	return nil
}
