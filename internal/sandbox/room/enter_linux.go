package room

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Enter makes the mounts in this process, which is in a mount namespace of its
// own and may mount, and returns a descriptor of the tree, or nil. The working
// directory is entered again: it may be covered now.
func (s Spec) Enter() (tree *os.File, err error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("find the working directory: %w", err)
	}
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return nil, fmt.Errorf("separate the mounts from those outside: %w", err)
	}
	b := builder{opened: map[string]*os.File{}}
	defer b.close()
	if err := b.open(s.Mounts); err != nil {
		return nil, err
	}
	if s.Scratch != "" {
		if err := unix.Mount("tmpfs", s.Scratch, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, fmt.Sprintf("mode=700,size=%d", s.memory())); err != nil {
			return nil, fmt.Errorf("make memory for discarded changes: %w", err)
		}
		// A mount may cover the path.
		if err := b.openAt(s.Scratch); err != nil {
			return nil, err
		}
	}
	for i, m := range s.Mounts {
		if err := b.mount(s, i, m); err != nil && !m.Optional {
			return nil, fmt.Errorf("mount %s: %w", m.At, err)
		}
	}
	if s.Scratch != "" {
		// The overlays keep the tmpfs; no path leads there any longer.
		hidden, _ := b.path(s.Scratch)
		if err := unix.Unmount(hidden, unix.MNT_DETACH); err != nil {
			return nil, fmt.Errorf("hide the discarded changes: %w", err)
		}
	}
	if err := mountOver(s.Over); err != nil {
		return nil, err
	}
	if err := os.Chdir(dir); err != nil {
		return nil, fmt.Errorf("enter the working directory: %w", err)
	}
	if s.Tree == "" {
		return nil, nil
	}
	return os.Open(s.Tree)
}

// mountOver makes mounts of what the view shows before the first of them.
func mountOver(mounts []Mount) error {
	b := builder{opened: map[string]*os.File{}}
	defer b.close()
	there := slices.DeleteFunc(slices.Clone(mounts), func(m Mount) bool {
		_, err := os.Lstat(m.At)
		return err != nil // what another process removes meanwhile, such as a worktree
	})
	if err := b.open(there); err != nil {
		return err
	}
	for _, m := range there {
		if err := b.mount(Spec{}, 0, m); err != nil {
			return fmt.Errorf("mount over %s: %w", m.At, err)
		}
	}
	return nil
}

// memory is the size of the tmpfs. A machine runs several rooms at once beside
// their agents, and what is in memory is taken from all of them.
func (s Spec) memory() int64 {
	const share, unknown = 8, 256 << 20
	var machine unix.Sysinfo_t
	if s.Memory > 0 {
		return s.Memory
	}
	if unix.Sysinfo(&machine) != nil {
		return unknown
	}
	return int64(machine.Totalram) * int64(machine.Unit) / share
}

// builder holds what is opened before the first mount.
type builder struct{ opened map[string]*os.File }

func (b *builder) open(mounts []Mount) error {
	for _, m := range mounts {
		for _, path := range append([]string{m.Upper}, m.From...) {
			if path == "" || b.opened[path] != nil {
				continue
			}
			if err := b.openAt(path); err != nil && !m.Optional {
				return err
			}
		}
	}
	return nil
}

func (b *builder) openAt(path string) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC|unix.O_NOFOLLOW, 0)
	if err != nil {
		return fmt.Errorf("open %s: %w", path, err)
	}
	b.opened[path] = os.NewFile(uintptr(fd), path)
	return nil
}

func (b *builder) close() {
	for _, f := range b.opened {
		_ = f.Close()
	}
}

// path names an opened directory in a way that no mount can cover and that needs
// no escapes in mount options.
func (b *builder) path(name string) (string, error) {
	f := b.opened[name]
	if f == nil {
		return "", fmt.Errorf("open %s: %w", name, unix.ENOENT)
	}
	return "/proc/self/fd/" + strconv.Itoa(int(f.Fd())), nil
}

func (b *builder) mount(s Spec, n int, m Mount) error {
	switch m.Kind {
	case Overlay:
		return b.overlay(s, n, m)
	case Empty:
		if err := os.MkdirAll(m.At, 0o700); err != nil {
			return err
		}
		return unix.Mount("tmpfs", m.At, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, fmt.Sprintf("mode=%o", m.Mode))
	}
	from, err := b.path(m.From[0])
	if err != nil {
		return err
	}
	if err := mountPoint(from, m.At); err != nil {
		return err
	}
	if err := unix.Mount(from, m.At, "", unix.MS_BIND|unix.MS_REC, ""); err != nil || m.Kind != ReadOnly {
		return err
	}
	attr := &unix.MountAttr{Attr_set: unix.MOUNT_ATTR_RDONLY}
	return unix.MountSetattr(unix.AT_FDCWD, m.At, unix.AT_RECURSIVE, attr)
}

// mountPoint makes what a mount needs in a new, empty directory: a directory for a
// directory, a file for everything else.
func mountPoint(from, at string) error {
	if _, err := os.Lstat(at); err == nil {
		return nil
	}
	info, err := os.Stat(from)
	if err != nil {
		return err
	}
	if info.IsDir() {
		return os.MkdirAll(at, 0o700)
	}
	if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
		return err
	}
	return os.WriteFile(at, nil, 0o600)
}

// overlay mounts layers. What is written goes to the scratch memory where the
// mount names no place.
func (b *builder) overlay(s Spec, n int, m Mount) error {
	keep, err := b.path(cmp.Or(m.Upper, s.Scratch))
	if err != nil {
		return err
	}
	if m.Upper == "" {
		keep += "/" + strconv.Itoa(n)
	}
	if err := os.MkdirAll(keep+"/upper", 0o700); err != nil {
		return err
	}
	// Two mounts at once in one work directory fail with EINVAL or ENOENT: programs of a
	// loop share its upper directory, not this one. It is removed with the layer.
	work, err := os.MkdirTemp(keep, "work-")
	if err != nil {
		return err
	}
	// The merged directory has the mode of its upper one.
	if info, err := os.Stat(m.From[0]); err == nil {
		_ = os.Chmod(keep+"/upper", info.Mode().Perm())
	}
	lower := make([]string, len(m.From))
	for i, dir := range m.From {
		if lower[i], err = b.path(dir); err != nil {
			return err
		}
	}
	options := "userxattr,lowerdir=" + strings.Join(lower, ":") + ",upperdir=" + keep + "/upper,workdir=" + work
	return unix.Mount("overlay", m.At, "overlay", unix.MS_NOSUID|unix.MS_NODEV, options)
}
