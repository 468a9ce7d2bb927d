package acp

import (
	"context"

	sdk "github.com/coder/acp-go-sdk"

	"ralph/internal/agent/opencode"
	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// session goes on with the one that a limit cut off, where the program can, and
// else begins one.
func (d *dialect) session(ctx context.Context, can sdk.AgentCapabilities) (sdk.SessionId, error) {
	const none = sdk.SessionId("")
	tree, servers := d.policy.tree, []sdk.McpServer{}
	if d.resume == nil || !can.LoadSession && can.SessionCapabilities.Resume == nil {
		d.with(func(*stream.Tally) { d.cost = 0 }) // of a session of its own
		begun, err := d.conn.NewSession(ctx, sdk.NewSessionRequest{Cwd: tree, McpServers: servers})
		if err != nil {
			return none, err
		}
		return begun.SessionId, d.narrow(ctx, begun.SessionId, begun.ConfigOptions)
	}
	id := sdk.SessionId(d.resume.Session)
	d.recalls.Store(true)
	if can.SessionCapabilities.Resume != nil {
		s, err := d.conn.ResumeSession(ctx, sdk.ResumeSessionRequest{SessionId: id, Cwd: tree, McpServers: servers})
		if err != nil {
			return none, err
		}
		return id, d.narrow(ctx, id, s.ConfigOptions)
	}
	s, err := d.conn.LoadSession(ctx, sdk.LoadSessionRequest{SessionId: id, Cwd: tree, McpServers: servers})
	if err != nil {
		return none, err
	}
	return id, d.narrow(ctx, id, s.ConfigOptions)
}

// narrow makes the session one of an agent that may only read, where nothing
// else will do and the program offers ours: some use their tools without asking.
func (d *dialect) narrow(ctx context.Context, id sdk.SessionId, options []sdk.SessionConfigOption) error {
	if d.policy.level != loop.PermissionsRead {
		return nil
	}
	for _, o := range options {
		if o.Select == nil || o.Select.Id != "mode" || !offers(o.Select.Options, opencode.Reader) {
			continue
		}
		_, err := d.conn.SetSessionConfigOption(ctx, sdk.SetSessionConfigOptionRequest{
			ValueId: &sdk.SetSessionConfigOptionValueId{SessionId: id, ConfigId: o.Select.Id, Value: opencode.Reader},
		})
		return err
	}
	return nil
}

func offers(o sdk.SessionConfigSelectOptions, value sdk.SessionConfigValueId) bool {
	if o.Ungrouped == nil {
		return false
	}
	for _, one := range *o.Ungrouped {
		if one.Value == value {
			return true
		}
	}
	return false
}
