package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// peakOf watches a process of a program, and its children that are the same
// program, until it is told to stop. It answers the sum of the highest resident
// sizes at one time, in MB; the kernel keeps each process's highest.
func peakOf(pidFile, program string, stop <-chan struct{}) (peak float64) {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return peak
		case <-tick.C:
			pid := oneLine(pidFile)
			sum := highest(pid, program)
			for _, child := range children(pid) {
				sum += highest(child, program)
			}
			peak = max(peak, sum)
		}
	}
}

// children of all threads of a process, where the kernel tells.
func children(pid string) (out []string) {
	threads, _ := filepath.Glob("/proc/" + pid + "/task/*/children")
	for _, t := range threads {
		if text := oneLine(t); text != "?" {
			out = append(out, strings.Fields(text)...)
		}
	}
	return out
}

// highest is the highest resident size of a process so far, in MB; 0 when it
// is another program, or gone.
func highest(pid, program string) float64 {
	exe, err := os.Readlink("/proc/" + pid + "/exe")
	if err != nil || exe != program {
		return 0
	}
	kb, err := strconv.ParseFloat(strings.TrimSuffix(field("/proc/"+pid+"/status", "VmHWM"), " kB"), 64)
	if err != nil {
		return 0
	}
	return kb * 1024 / 1e6
}
