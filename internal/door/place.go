package door

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"time"
)

// prefix begins the names of the folders of sockets.
const prefix = "ralph-door-"

// place makes a folder for a socket in the first of the folders where the name is
// short enough.
func place(ctx context.Context, folders []string) (string, error) {
	var last error
	for _, folder := range folders {
		if len(folder)+len("/ralph-door-0123456789/ralph.sock") > longestPath {
			last = fmt.Errorf("%s: the name is too long for a socket", folder)
			continue
		}
		sweep(ctx, folder, time.Now())
		dir, err := os.MkdirTemp(folder, prefix)
		if err == nil {
			return dir, nil
		}
		last = err
	}
	return "", fmt.Errorf("make a folder for the agent's socket: %w", last)
}

// sweep removes the doors of a folder that were open when their ralph was killed:
// old ones, at which nobody answers.
func sweep(ctx context.Context, folder string, now time.Time) {
	const forgotten = 24 * time.Hour
	at := net.Dialer{Timeout: time.Second}
	old, _ := filepath.Glob(filepath.Join(folder, prefix+"*"))
	for _, dir := range old {
		info, err := os.Lstat(dir)
		if err != nil || !info.IsDir() || now.Sub(info.ModTime()) < forgotten {
			continue
		}
		if c, err := at.DialContext(ctx, "unix", filepath.Join(dir, socketName)); err == nil {
			_ = c.Close()
			continue
		}
		_ = os.RemoveAll(dir)
	}
}
