package git

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// canLook: by the state of a file a look finds out that it was written since.
const canLook = true

// look compares a tree with its index: every name in every folder that holds tracked
// files, and the state of every tracked file. Nothing is opened but folders, several
// at once. A folder that its owner cannot write is made writable.
func (x indexFile) look(tree string) (sight, error) {
	if x.odd {
		return sight{}, errNoLook
	}
	folders := x.folders()
	workers := min(runtime.GOMAXPROCS(0), len(folders))
	saw, errs := make([]sight, workers), make([]error, workers)
	var next atomic.Int64
	var all sync.WaitGroup
	for w := range workers {
		all.Go(func() {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(folders) || errs[w] != nil {
					return
				}
				errs[w] = x.lookInto(tree, folders[i], &saw[w])
			}
		})
	}
	all.Wait()
	for _, more := range saw[1:] {
		saw[0].wrong, saw[0].extra = append(saw[0].wrong, more.wrong...), append(saw[0].extra, more.extra...)
	}
	return saw[0], errors.Join(errs...)
}

// lookInto looks at one folder. One that is gone is reported by the look into the
// folder above.
func (x indexFile) lookInto(tree string, f *folder, saw *sight) error {
	dir, err := os.OpenFile(filepath.Join(tree, f.path), unix.O_DIRECTORY|unix.O_NOFOLLOW, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return err
	}
	if info, err := dir.Stat(); err == nil && info.Mode().Perm()&0o700 != 0o700 {
		if err := dir.Chmod(info.Mode().Perm() | 0o700); err != nil {
			return err
		}
	}
	fd, seen, subs := int(dir.Fd()), make([]bool, len(f.files)), 0
	for _, name := range names {
		if f.path == "" && name == ".git" {
			continue
		}
		var st unix.Stat_t
		if err := unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			return err
		}
		isFolder := st.Mode&unix.S_IFMT == unix.S_IFDIR
		i, tracked := x.find(f, name)
		switch {
		case tracked:
			same, err := x.entries[f.files[i]].is(&st)
			if err != nil {
				return err
			}
			seen[i] = same
		case isFolder && f.subs[name]:
			subs++
		case f.subs[name]:
		default:
			saw.extra = append(saw.extra, extra{slashed(f.path, name), isFolder})
		}
	}
	for i, ok := range seen {
		if !ok {
			saw.wrong = append(saw.wrong, x.entries[f.files[i]].path)
		}
	}
	if subs < len(f.subs) {
		x.lost(fd, f, saw)
	}
	return nil
}

// lost notes the files below those folders that are no folders.
func (x indexFile) lost(fd int, f *folder, saw *sight) {
	for name := range f.subs {
		var st unix.Stat_t
		if unix.Fstatat(fd, name, &st, unix.AT_SYMLINK_NOFOLLOW) != nil || st.Mode&unix.S_IFMT != unix.S_IFDIR {
			saw.wrong = append(saw.wrong, x.below(slashed(f.path, name))...)
		}
	}
}

// is reports whether a file is the one that git recorded. A git that records no
// nanoseconds is errNoLook.
func (e indexed) is(st *unix.Stat_t) (bool, error) {
	t := e.times()
	now := [4]uint32{uint32(st.Ctim.Sec), uint32(st.Ctim.Nsec), uint32(st.Mtim.Sec), uint32(st.Mtim.Nsec)}
	const special = unix.S_ISUID | unix.S_ISGID | unix.S_ISVTX // git never sets them
	if e.number(atInode) != uint32(st.Ino) || st.Mode&special != 0 || e.number(atSize) != uint32(st.Size) || t[0] != now[0] || t[2] != now[2] {
		return false, nil
	}
	if t[1] == 0 && t[3] == 0 && now[1] != 0 {
		return false, errNoLook
	}
	return t == now, nil
}

// justNow reports whether a file of the index was written in the tick of the file
// system's clock that still lasts: another write in it would leave the same times.
func (x indexFile) justNow() bool {
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_REALTIME_COARSE, &now) != nil {
		return true
	}
	tick := time.Unix(now.Unix())
	for _, e := range x.entries {
		if t := e.times(); !time.Unix(int64(t[0]), int64(t[1])).Before(tick) {
			return true
		}
	}
	return false
}

// bootID names the time since the machine was started; "" where it is unknown.
func bootID() string {
	id, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return strings.TrimSpace(string(id))
}
