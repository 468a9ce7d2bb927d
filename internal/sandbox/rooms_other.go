//go:build !linux

package sandbox

import (
	"context"

	"ralph/internal/loop"
)

// tryLayers has nothing to try: there are no mount namespaces on this system.
func (k *Capabilities) tryLayers(context.Context, string) Rooms {
	return Rooms{Kind: loop.RoomCopy, Why: noNamespaces}
}

func (k *Capabilities) tryHome(context.Context, string, Rooms) string { return noNamespaces }

const noNamespaces = "this system has no mount namespaces"
