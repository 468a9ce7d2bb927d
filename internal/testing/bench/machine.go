package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"ralph/internal/proc"
)

// machine describes the machine of the measurements. A fact that cannot be read
// is "?".
type machine struct {
	cpu, memory, kernel, disk, git string
}

func thisMachine(ctx context.Context, dir string) machine {
	m := machine{
		cpu: field("/proc/cpuinfo", "model name"), memory: memory(), kernel: oneLine("/proc/sys/kernel/osrelease"),
		disk: fileSystem(dir), git: "?",
	}
	if out, err := proc.Run(ctx, proc.Command{Argv: []string{"git", "version"}, Env: os.Environ()}); err == nil {
		m.git = strings.TrimPrefix(strings.TrimSpace(string(out.Stdout)), "git version ")
	}
	return m
}

func (m machine) String() string {
	return fmt.Sprintf("%s, %d cores, %s of memory, %s/%s, kernel %s, files on %s, %s, git %s",
		m.cpu, runtime.NumCPU(), m.memory, runtime.GOOS, runtime.GOARCH, m.kernel, m.disk, runtime.Version(), m.git)
}

// field is the value of the first "name : value" line of a file.
func field(file, name string) string {
	text, _ := os.ReadFile(file)
	for line := range strings.Lines(string(text)) {
		k, v, ok := strings.Cut(line, ":")
		if ok && strings.TrimSpace(k) == name {
			return strings.TrimSpace(v)
		}
	}
	return "?"
}

func oneLine(file string) string {
	text, err := os.ReadFile(file)
	if err != nil {
		return "?"
	}
	return strings.TrimSpace(string(text))
}

func memory() string {
	kb, err := strconv.Atoi(strings.TrimSuffix(field("/proc/meminfo", "MemTotal"), " kB"))
	if err != nil {
		return "?"
	}
	return fmt.Sprintf("%d GiB", (kb+1<<19)>>20)
}

func load() string {
	f := strings.Fields(oneLine("/proc/loadavg"))
	return strings.Join(f[:min(len(f), 3)], " ")
}

// fileSystem is the kind of the mount that dir is on.
func fileSystem(dir string) string {
	text, _ := os.ReadFile("/proc/self/mounts")
	kind, longest := "?", -1
	for line := range strings.Lines(string(text)) {
		f := strings.Fields(line)
		if len(f) < 3 {
			continue
		}
		rel, err := filepath.Rel(f[1], dir)
		if err == nil && filepath.IsLocal(rel) && len(f[1]) >= longest {
			kind, longest = f[2], len(f[1])
		}
	}
	return kind
}
