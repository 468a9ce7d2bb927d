package store

import (
	"fmt"
	"os"
	"strings"
	"syscall"
)

// writerOf finds the process that holds SQLite's write lock, byte 120 of the
// -shm file. It reads the kernel's list: opening the file here and closing it
// again would drop the locks of this very process.
func writerOf(shm string) (pid int, name string) {
	fi, err := os.Stat(shm)
	if err != nil {
		return 0, ""
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, ""
	}
	locks, err := os.ReadFile("/proc/locks")
	if err != nil {
		return 0, ""
	}
	pid = lockPID(string(locks), st.Ino, 120)
	comm, _ := os.ReadFile(fmt.Sprintf("/proc/%d/comm", pid))
	return pid, strings.TrimSpace(string(comm))
}

// lockPID reads lines like "1: POSIX  ADVISORY  WRITE 77 fe:01:1835 120 120".
func lockPID(locks string, inode, at uint64) int {
	for line := range strings.Lines(locks) {
		var pid int
		var file, end string
		var from uint64
		f := strings.Fields(line)
		if len(f) != 8 || f[1] != "POSIX" || f[3] != "WRITE" {
			continue
		}
		if n, _ := fmt.Sscan(strings.Join(f[4:], " "), &pid, &file, &from, &end); n != 4 {
			continue
		}
		if !strings.HasSuffix(file, fmt.Sprintf(":%d", inode)) || from > at {
			continue
		}
		var to uint64
		if _, err := fmt.Sscan(end, &to); err == nil && to < at {
			continue
		}
		return pid
	}
	return 0
}
