//go:build !linux

package main

import (
	"context"
	"fmt"
)

func enter(context.Context) error {
	return fmt.Errorf("%w: network namespaces are there on Linux only", errCannot)
}
func seal(context.Context) error { return nil }
func inside() bool               { return false }
