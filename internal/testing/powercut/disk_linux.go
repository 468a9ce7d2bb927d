package powercut

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"ralph/internal/testing/tier"
)

// Disk is an ext4 file system with its default options, in a file of the machine's.
type Disk struct {
	// Dir is where it is mounted.
	Dir   string
	image string
}

// New mounts a fresh disk for the time of the test. Where that cannot be done the
// test is skipped.
func New(t *testing.T) *Disk {
	t.Helper()
	if os.Geteuid() != 0 {
		tier.SkipLacking(t, "root", "a power cut needs a file system of its own")
	}
	top := t.TempDir()
	d := &Disk{Dir: filepath.Join(top, "disk"), image: filepath.Join(top, "image")}
	file, err := os.Create(d.image)
	if err == nil {
		err = file.Truncate(512 << 20)
		_ = file.Close()
	}
	if err == nil {
		err = os.Mkdir(d.Dir, 0o700)
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := run("mkfs.ext4", "-q", d.image); err != nil {
		tier.SkipLacking(t, "mkfs.ext4", err)
	}
	if err := d.mount(); err != nil {
		tier.SkipLacking(t, "loop devices", err)
	}
	t.Cleanup(func() { d.unmount(t) })
	return d
}

func (d *Disk) mount() error { return run("mount", "-o", "loop", d.image, d.Dir) }

// unmount waits for processes that still have files open there: all they can do is
// end.
func (d *Disk) unmount(t *testing.T) {
	t.Helper()
	tier.Eventually(t, "the disk to be free", func() bool { return unix.Unmount(d.Dir, 0) == nil })
}

// Back mounts the disk again after a cut, as after a boot: a copy of it, since a
// sandbox that is just ending may still have the one without power.
func (d *Disk) Back(t *testing.T) {
	t.Helper()
	d.unmount(t)
	dark := d.image
	d.image += "-back"
	err := run("cp", "--sparse=always", dark, d.image)
	if err == nil {
		err = errors.Join(os.Remove(dark), d.mount())
	}
	if err != nil {
		t.Fatal(err)
	}
}

// Cut takes the power from the file system that holds dir: from now on every
// access fails, and what was not synced is gone.
func Cut(dir string) error {
	// EXT4_IOC_SHUTDOWN and EXT4_GOING_FLAGS_NOLOGFLUSH of the kernel's ext4.h:
	// the journal is not written either.
	const shutdown, noLogFlush = 0x8004587d, 2
	f, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer f.Close()
	return unix.IoctlSetPointerInt(int(f.Fd()), shutdown, noLogFlush)
}

func run(name string, args ...string) error {
	if out, err := exec.Command(name, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, out)
	}
	return nil
}
