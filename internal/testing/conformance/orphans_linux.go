package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// process is one that runs, with its command line.
type process struct {
	pid  int
	line string
}

// marked are the living processes that have entry in their environment.
func marked(entry string) []process {
	return processes(func(dir string) bool {
		env, err := os.ReadFile(filepath.Join(dir, "environ"))
		return err == nil && has(env, entry)
	})
}

// children are those of one process.
func children(pid int) []process {
	return processes(func(dir string) bool { return parent(dir) == pid })
}

// processes are the living ones that are meant.
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

// parent is told behind the name, which may have anything in it.
func parent(dir string) int {
	stat, _ := os.ReadFile(filepath.Join(dir, "stat"))
	if f := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])); len(f) > 1 {
		n, _ := strconv.Atoi(f[1])
		return n
	}
	return 0
}

func send(pid int, sig syscall.Signal) error { return syscall.Kill(pid, sig) }
