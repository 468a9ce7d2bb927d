package room

import (
	"encoding/binary"
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// Watcher begins to watch the files of Watch in the view, in which this process is.
// It returns a descriptor for Opened; nil where there is nothing to watch, or the
// kernel refuses to.
//
// Layers hide from their lower directories what is opened through them, so that only a
// process in the view can watch it.
func (s Spec) Watcher() *os.File {
	paths := s.watched()
	if len(paths) == 0 || len(paths) > mostWatched {
		return nil
	}
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil
	}
	f := os.NewFile(uintptr(fd), "watch")
	for i, path := range paths {
		// The kernel numbers watches from 1; a second name of a file has no number of its own.
		n, err := unix.InotifyAddWatch(fd, path, unix.IN_OPEN|unix.IN_ONESHOT|unix.IN_DONT_FOLLOW)
		if err != nil || n != i+1 {
			_ = f.Close()
			return nil
		}
	}
	return f
}

// Opened reads from what Watcher returned the files that were opened, and closes it.
func (s Spec) Opened(f *os.File) (names []string) {
	if f == nil {
		return nil
	}
	defer f.Close()
	buf := make([]byte, 64<<10)
	for {
		n, err := unix.Read(int(f.Fd()), buf)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil || n <= 0 {
			return names
		}
		names = append(names, s.events(buf[:n])...)
	}
}

// events decodes struct inotify_event: wd, mask, cookie, len, and len bytes of a name.
func (s Spec) events(data []byte) (names []string) {
	for len(data) >= unix.SizeofInotifyEvent {
		number := int(int32(binary.NativeEndian.Uint32(data)))
		mask, length := binary.NativeEndian.Uint32(data[4:]), binary.NativeEndian.Uint32(data[12:])
		if mask&unix.IN_OPEN != 0 && number >= 1 && number <= len(s.Watch) {
			names = append(names, s.Watch[number-1])
		}
		data = data[min(len(data), unix.SizeofInotifyEvent+int(length)):]
	}
	return names
}
