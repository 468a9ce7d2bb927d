//go:build !linux

package sandbox

import (
	"context"

	"ralph/internal/loop"
)

// tryRooms has nothing to try: there are no mount namespaces on this system.
func (k *Capabilities) tryRooms(context.Context, string) Rooms {
	return Rooms{Kind: loop.RoomCopy, Why: "this system has no mount namespaces"}
}
