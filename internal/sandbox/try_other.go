//go:build !linux

package sandbox

import "context"

const onlyLinux = "sandboxes of ralph exist on Linux only"

func tryBubblewrap(context.Context, []string) Offer { return Offer{Why: onlyLinux} }

func tryLandlock() Offer { return Offer{Why: onlyLinux} }

func base(flags []string) []string { return flags }
