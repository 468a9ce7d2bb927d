//go:build linux || darwin

package proc

import "golang.org/x/sys/unix"

// process is one line of the process table.
type process struct {
	identity
	Parent, Group, Session int
	// Zombie is dead and not yet reaped.
	Zombie bool
}

// alive reports whether this very process still runs. A zombie does not.
func (id identity) alive() bool {
	p, err := readProcess(id.PID)
	return err == nil && p.identity == id && !p.Zombie
}

// killAll stops every process in the list, until no new one appears, so that none
// can fork while the others are killed, and then kills them. It returns those it
// saw.
func killAll(list func() []process) []process {
	var seen []process
	known := map[identity]bool{}
	for range 20 {
		fresh := false
		for _, p := range list() {
			if known[p.identity] {
				continue
			}
			known[p.identity], fresh = true, true
			seen = append(seen, p)
			send(p.identity, unix.SIGSTOP)
		}
		if !fresh {
			break
		}
	}
	for _, p := range seen {
		send(p.identity, unix.SIGKILL)
	}
	return seen
}

// living returns those of the set that still run.
func living(set map[identity]bool) []identity {
	var left []identity
	for id := range set {
		if id.alive() {
			left = append(left, id)
		}
	}
	return left
}
