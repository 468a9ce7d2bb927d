//go:build !linux

package sandbox

import "context"

const onlyLinux = "sandboxes are supported on Linux only"

func findBubblewrap([]string) (string, Mechanism) { return "", Mechanism{Why: onlyLinux} }

func tryBubblewrap(context.Context, string, []string) Mechanism { return Mechanism{Why: onlyLinux} }

func tryLandlock() Mechanism { return Mechanism{Why: onlyLinux} }

func base(flags []string) []string { return flags }
