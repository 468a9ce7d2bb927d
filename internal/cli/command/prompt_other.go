//go:build !linux && !darwin

package command

import (
	"io"
	"os"
)

// Consoles cannot be polled here: the reader is abandoned.

func waits(*os.File) bool { return false }

func readable(*os.File) (bool, error) { return true, nil }

func forgetTyped(io.Reader) {}
