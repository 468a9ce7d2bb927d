//go:build !unix

package proc

import "io/fs"

func hold(string) {}

func unhold(string) func() { return func() {} }

func unlocked(string) bool { return false }

func ours(fs.FileInfo) bool { return true }
