package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// peakOf watches a process of a program, and its children that run the same
// program, until stop is closed. It returns the sum of their peak resident
// sizes at one time, in MB; the kernel keeps the peak of each process.
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

// children returns the children of all threads of a process, where the kernel
// lists them.
func children(pid string) (out []string) {
	threads, _ := filepath.Glob("/proc/" + pid + "/task/*/children")
	for _, t := range threads {
		if text := oneLine(t); text != "?" {
			out = append(out, strings.Fields(text)...)
		}
	}
	return out
}

// highest returns the peak resident size of a process so far, in MB; 0 when it
// has ended or runs another program.
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
