// Command faultyralph is ralph as scenarios run it: the program itself, which stops
// or kills itself where a test wants it to, and gives agents a second to end.
//
// TEST_HOLD is "POINT FILE": it stops at the point until the file is there; its pid
// stands in FILE.reached meanwhile. TEST_KILL is "N FILE": it kills itself at its
// Nth point, and writes the points that it passed to the file; "POINT*N FILE" is the
// Nth time that it reaches that point. With TEST_CUT=DIR the file system that holds
// DIR loses its power first. "ralph power-cut DIR" takes the power only.
package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"ralph/internal/cli"
	"ralph/internal/cli/command"
	"ralph/internal/proc"
	"ralph/internal/testing/powercut"
)

func main() {
	if proc.IsShim(os.Args) {
		proc.ShimMain()
	}
	if len(os.Args) == 3 && os.Args[1] == "power-cut" {
		if err := powercut.Cut(os.Args[2]); err != nil {
			fmt.Fprintln(os.Stderr, "power cut:", err)
		}
		return
	}
	os.Exit(cli.Main(os.Args[1:], command.Process(), cli.Options{Grace: time.Second, Fault: fault()}))
}

func fault() func(string) {
	if n, file, ok := strings.Cut(os.Getenv("TEST_KILL"), " "); ok {
		return kill(n, file)
	}
	if at, file, ok := strings.Cut(os.ExpandEnv(os.Getenv("TEST_HOLD")), " "); ok {
		return hold(at, file)
	}
	return nil
}

func hold(at, file string) func(string) {
	return func(point string) {
		if point != at {
			return
		}
		_ = os.WriteFile(file+".reached", []byte(strconv.Itoa(os.Getpid())), 0o600)
		for {
			if _, err := os.Stat(file); err == nil {
				return
			}
			// Nothing signals this process: all that a scenario can do is make a
			// file, so that it is looked for.
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func kill(at, file string) func(string) {
	var mu sync.Mutex
	only, times, named := strings.Cut(at, "*")
	if !named {
		times = at
	}
	most, _ := strconv.Atoi(times)
	n := 0
	return func(point string) {
		mu.Lock()
		defer mu.Unlock()
		if !named || point == only {
			n++
		}
		if f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600); err == nil {
			fmt.Fprintln(f, point)
			_ = f.Close()
		}
		if n == most && (!named || point == only) {
			if dir := os.Getenv("TEST_CUT"); dir != "" {
				if err := powercut.Cut(dir); err != nil {
					fmt.Fprintln(os.Stderr, "power cut:", err)
				}
			}
			p, _ := os.FindProcess(os.Getpid())
			_ = p.Kill()
			select {}
		}
	}
}
