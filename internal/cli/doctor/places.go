package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// checkPlaces looks at the folders that ralph writes to. None is made.
func (c *checkup) checkPlaces(context.Context) {
	if c.project == nil {
		return
	}
	c.checkPlace("disk", c.project.Home)
	c.checkPlace("disk", c.TreeRoot(c.project))
}

// checkPlace tries to write where dir is, or will be.
func (c *checkup) checkPlace(check, dir string) {
	at := existing(dir)
	f, err := os.CreateTemp(at, ".ralph-doctor-*")
	if err != nil {
		c.fail(check, "make it writable", "%s: %v", dir, errors.Unwrap(err))
		return
	}
	_ = f.Close()
	_ = os.Remove(f.Name())
	space, known := spaceOf(at)
	switch {
	case known && space.remote != "":
		c.warn(check, "", "%s is on %s: locks there are only as good as the server's", dir, space.remote)
	case known && space.free < 50<<20:
		c.fail(check, "make room", "%s: %s free", dir, bytesWord(space.free))
	case known && space.free < 1<<30:
		c.warn(check, "make room", "%s: only %s free", dir, bytesWord(space.free))
	case known:
		c.ok(check, "%s (%s free)", dir, bytesWord(space.free))
	default:
		c.ok(check, "%s", dir)
	}
}

// space is what is known about a file system. remote is its kind when it is on
// another machine.
type space struct {
	free   uint64
	remote string
}

// bytesWord is a number of bytes as people read it.
func bytesWord(n uint64) string {
	if n >= 1<<30 {
		return fmt.Sprintf("%.1f GB", float64(n)/(1<<30))
	}
	return fmt.Sprintf("%d MB", n>>20)
}

// existing is dir or the nearest folder above it that is there.
func existing(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil || filepath.Dir(dir) == dir {
			return dir
		}
		dir = filepath.Dir(dir)
	}
}

// checkTemporary finds the temporary folders that killed processes left, and removes them
// with --fix; the next run does so too.
func (c *checkup) checkTemporary(ctx context.Context) {
	switch left := c.SweepTemporary(ctx, !c.fix); {
	case len(left) == 0:
	case c.fix:
		c.note("temporary", "removed %d folders that killed processes left, such as %s", len(left), left[0])
	default:
		c.note("temporary", "killed processes left %d folders, such as %s: the next run or ralph doctor --fix removes them", len(left), left[0])
	}
}
