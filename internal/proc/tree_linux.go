package proc

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// descendants lists the living processes below root, parents first. It is a
// look at a moving thing: callers repeat it.
func descendants(root, _ int) []process {
	var all []process
	queue := []int{root}
	seen := map[int]bool{root: true}
	for len(queue) > 0 {
		parent := queue[0]
		queue = queue[1:]
		for _, pid := range children(parent) {
			p, err := look(pid)
			// A pid that was reused since it was listed has another parent.
			if err != nil || seen[pid] || p.Parent != parent && p.Parent != root {
				continue
			}
			seen[pid] = true
			queue = append(queue, pid)
			if !p.Zombie {
				all = append(all, p)
			}
		}
	}
	return all
}

// children reads the kernel's own list, one per thread, and without it looks
// at everybody.
func children(pid int) []int {
	tasks := "/proc/" + strconv.Itoa(pid) + "/task/"
	threads, _ := os.ReadDir(tasks)
	var list []int
	for _, t := range threads {
		text, err := os.ReadFile(filepath.Join(tasks, t.Name(), "children"))
		if errors.Is(err, fs.ErrNotExist) && !childrenListed() {
			return childrenByScan(pid)
		}
		for f := range strings.FieldsSeq(string(text)) {
			if n, err := strconv.Atoi(f); err == nil {
				list = append(list, n)
			}
		}
	}
	return list
}

// childrenListed says whether this kernel has the list at all.
func childrenListed() bool {
	self := strconv.Itoa(os.Getpid())
	_, err := os.Stat("/proc/self/task/" + self + "/children")
	return err == nil
}

func childrenByScan(pid int) []int {
	var list []int
	for _, p := range everybody() {
		if p.Parent == pid {
			list = append(list, p.PID)
		}
	}
	return list
}

func everybody() []process {
	entries, _ := os.ReadDir("/proc")
	var all []process
	for _, e := range entries {
		pid, err := strconv.Atoi(e.Name())
		if err != nil {
			continue
		}
		if p, err := look(pid); err == nil {
			all = append(all, p)
		}
	}
	return all
}
