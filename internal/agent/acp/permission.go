package acp

import (
	"path/filepath"
	"slices"

	sdk "github.com/coder/acp-go-sdk"

	"ralph/internal/agent/stream"
	"ralph/internal/loop"
)

// policy decides requests for permission.
type policy struct {
	level loop.Permissions
	tree  string
	// alone: Landlock rules of ralph's hold the run.
	alone bool
}

// allows reports whether a call may be made.
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

// ask adds the permission request to a call, which may have more details.
func (c *call) ask(n update) {
	if n.Kind != "" {
		c.kind = n.Kind
	}
	for _, l := range n.At {
		c.paths = append(slices.Clip(c.paths), l.Path)
	}
}

// choose returns the option that allows or denies this once, or else always.
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

// permit responds to a request by the policy.
func (d *dialect) permit(r request) (answer sdk.RequestPermissionResponse) {
	answer, _ = choose(r.Options, false)
	d.with(func(t *stream.Tally) {
		n := r.Call
		n.Status = ""
		if _, known := d.calls[n.ID]; !known {
			d.moved(t, n) // some programs report a call only by asking for it
		}
		asked := d.calls[n.ID]
		asked.ask(n)
		if d.policy.allows(asked) {
			var ok bool
			if answer, ok = choose(r.Options, true); ok {
				t.Job().Emit(told(n.Title, asked))
				return
			}
		}
		t.Denied(asked.name(), "permissions: skip")
		t.ToolEnded(string(n.ID))
	})
	return answer
}
