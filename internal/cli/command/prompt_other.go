//go:build !linux && !darwin

package command

import (
	"io"
	"os"
)

// Consoles cannot be waited for here: whoever reads is left behind.

func waits(*os.File) bool { return false }

func readable(*os.File) (bool, error) { return true, nil }

func forgetTyped(io.Reader) {}
