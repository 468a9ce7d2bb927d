package acp

import (
	"context"
	"path/filepath"
	"slices"

	sdk "github.com/coder/acp-go-sdk"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// policy answers requests for permission.
type policy struct {
	level loop.Permissions
	tree  string
}

// allows says whether a call may be made.
func (p policy) allows(c call) bool {
	switch c.kind {
	case sdk.ToolKindRead, sdk.ToolKindSearch, sdk.ToolKindThink:
		return true
	case sdk.ToolKindEdit, sdk.ToolKindDelete, sdk.ToolKindMove:
		return p.level == loop.PermissionsSkip || p.level != loop.PermissionsRead && p.inside(c.paths)
	case sdk.ToolKindExecute:
		return p.level != loop.PermissionsRead
	}
	return p.level == loop.PermissionsSkip
}

// inside: all that is named lies in the tree. A path that is not named cannot be
// judged; the sandbox and the gates' own tree hold in any case.
func (p policy) inside(paths []string) bool {
	return !slices.ContainsFunc(paths, func(path string) bool {
		if !filepath.IsAbs(path) {
			return !filepath.IsLocal(path)
		}
		rel, err := filepath.Rel(p.tree, path)
		return err != nil || !filepath.IsLocal(rel)
	})
}

// ask makes of a call what its permission is asked for, which may be more.
func (c *call) ask(n news) {
	if n.kind != "" {
		c.kind = n.kind
	}
	for _, l := range n.at {
		c.paths = append(slices.Clip(c.paths), l.Path)
	}
}

// choose is the option that says yes or no for this once, or else at all.
func choose(options []sdk.PermissionOption, yes bool) (sdk.RequestPermissionResponse, bool) {
	kinds := []sdk.PermissionOptionKind{sdk.PermissionOptionKindRejectOnce, sdk.PermissionOptionKindRejectAlways}
	if yes {
		kinds = []sdk.PermissionOptionKind{sdk.PermissionOptionKindAllowOnce, sdk.PermissionOptionKindAllowAlways}
	}
	for _, k := range kinds {
		for _, o := range options {
			if o.Kind == k {
				return sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeSelected(o.OptionId)}, true
			}
		}
	}
	return sdk.RequestPermissionResponse{Outcome: sdk.NewRequestPermissionOutcomeCancelled()}, false
}

// client answers what the program asks of us. It answers only about permission.
type client struct{ *dialect }

var _ sdk.Client = client{}

func (c client) RequestPermission(_ context.Context, r sdk.RequestPermissionRequest) (answer sdk.RequestPermissionResponse, _ error) {
	answer, _ = choose(r.Options, false)
	c.with(func(t *stream.Tally) {
		u := r.ToolCall
		n := news{u.ToolCallId, deref(u.Kind), deref(u.Title), u.Locations, u.RawInput, u.Content, ""}
		if _, known := c.calls[n.id]; !known {
			c.moved(t, n) // some tell of a call only by asking for it
		}
		asked := c.calls[n.id]
		asked.ask(n)
		if c.policy.allows(asked) {
			var ok bool
			if answer, ok = choose(r.Options, true); ok {
				t.Job().Emit(told(n.title, asked))
				return
			}
		}
		t.Denied(asked.name(), "permissions: skip")
		t.ToolEnded(string(n.id))
	})
	return answer, nil
}

// SessionUpdate: updates are read elsewhere.
func (client) SessionUpdate(context.Context, sdk.SessionNotification) error { return nil }

func (client) ReadTextFile(context.Context, sdk.ReadTextFileRequest) (sdk.ReadTextFileResponse, error) {
	return sdk.ReadTextFileResponse{}, sdk.NewMethodNotFound(sdk.ClientMethodFsReadTextFile)
}

func (client) WriteTextFile(context.Context, sdk.WriteTextFileRequest) (sdk.WriteTextFileResponse, error) {
	return sdk.WriteTextFileResponse{}, sdk.NewMethodNotFound(sdk.ClientMethodFsWriteTextFile)
}

func (client) CreateTerminal(context.Context, sdk.CreateTerminalRequest) (sdk.CreateTerminalResponse, error) {
	return sdk.CreateTerminalResponse{}, sdk.NewMethodNotFound(sdk.ClientMethodTerminalCreate)
}

func (client) KillTerminal(context.Context, sdk.KillTerminalRequest) (sdk.KillTerminalResponse, error) {
	return sdk.KillTerminalResponse{}, sdk.NewMethodNotFound(sdk.ClientMethodTerminalKill)
}

func (client) TerminalOutput(context.Context, sdk.TerminalOutputRequest) (sdk.TerminalOutputResponse, error) {
	return sdk.TerminalOutputResponse{}, sdk.NewMethodNotFound(sdk.ClientMethodTerminalOutput)
}

func (client) ReleaseTerminal(context.Context, sdk.ReleaseTerminalRequest) (sdk.ReleaseTerminalResponse, error) {
	return sdk.ReleaseTerminalResponse{}, sdk.NewMethodNotFound(sdk.ClientMethodTerminalRelease)
}

func (client) WaitForTerminalExit(context.Context, sdk.WaitForTerminalExitRequest) (sdk.WaitForTerminalExitResponse, error) {
	return sdk.WaitForTerminalExitResponse{}, sdk.NewMethodNotFound(sdk.ClientMethodTerminalWaitForExit)
}
