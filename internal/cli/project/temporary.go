package project

import (
	"context"
	"os"
	"path/filepath"
	"slices"

	"ralph/internal/proc"
	"ralph/internal/sandbox/control"
)

// SocketFolders are where the sockets of sandboxed agents may be.
func (a *Opener) SocketFolders() (folders []string) {
	for _, dir := range []string{a.Getenv("XDG_RUNTIME_DIR"), os.TempDir(), "/tmp"} {
		if filepath.IsAbs(dir) && !slices.Contains(folders, dir) {
			folders = append(folders, dir)
		}
	}
	return folders
}

// SweepTemporary removes the temporary folders and sockets of this user that killed
// processes left, and returns them. With dry it only returns them.
func (a *Opener) SweepTemporary(ctx context.Context, dry bool) []string {
	removed := control.Sweep(ctx, a.SocketFolders(), dry)
	if dry {
		return append(removed, proc.LeftTempDirs("")...)
	}
	return append(removed, proc.SweepTempDirs("")...)
}
