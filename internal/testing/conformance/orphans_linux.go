package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// process is a running process with its command line.
type process struct {
	pid  int
	line string
}

// marked returns the living processes with this entry in their environment.
func marked(entry string) []process {
	return processes(func(dir string) bool {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		return err == nil && has(env, entry)
	})
}

// children returns the children of a process.
func children(pid int) []process {
	return processes(func(dir string) bool { return parent(dir) == pid })
}

// processes returns the living processes that match.
func processes(meant func(dir string) bool) []process {
	dirs, _ := filepath.Glob("/proc/[0-9]*")
	var out []process
	for _, dir := range dirs {
		if !meant(dir) {
			continue
		}
		line, err := os.ReadFile(filepath.Join(dir, "cmdline"))
		if err != nil || len(line) == 0 {
			continue // a zombie: it runs no more
		}
		pid, _ := strconv.Atoi(filepath.Base(dir))
		out = append(out, process{pid, strings.Join(strings.Split(strings.TrimRight(string(line), "\x00"), "\x00"), " ")})
	}
	return out
}

func has(env []byte, entry string) bool {
	for kv := range bytes.SplitSeq(env, []byte{0}) {
		if string(kv) == entry {
			return true
		}
	}
	return false
}

// parent reads the field after the name, which may contain anything.
func parent(dir string) int {
	stat, _ := os.ReadFile(filepath.Join(dir, "stat"))
	if f := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])); len(f) > 1 {
		n, _ := strconv.Atoi(f[1])
		return n
	}
	return 0
}

func send(pid int, sig syscall.Signal) error { return syscall.Kill(pid, sig) }
