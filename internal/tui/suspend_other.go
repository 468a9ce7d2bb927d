//go:build !unix

package tui

func stop() bool { return false }
