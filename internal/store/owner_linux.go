package store

import (
	"bytes"
	"os"
	"strconv"
	"strings"
)

// processIdentity reads the values that make this process's pid unique. A value
// that cannot be read stays empty, which never matches.
func processIdentity() (boot, pidNS string, start uint64) {
	b, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	pidNS, _ = os.Readlink("/proc/self/ns/pid")
	stat, _ := os.ReadFile("/proc/self/stat")
	return strings.TrimSpace(string(b)), pidNS, startTime(stat)
}

// startTime is field 22. The name in field 2 may hold spaces and parentheses,
// so fields are counted from its last one.
func startTime(stat []byte) uint64 {
	fields := bytes.Fields(stat[bytes.LastIndexByte(stat, ')')+1:])
	if len(fields) < 20 {
		return 0
	}
	n, _ := strconv.ParseUint(string(fields[19]), 10, 64)
	return n
}
