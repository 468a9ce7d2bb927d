package view

import "ralph/internal/loop"

// OnFullDisk sets what the loops of a list wait for while a disk is full. full is a directory
// on it; "" is none.
func OnFullDisk(items []Item, plans []PlanItem, full string) {
	for n, i := range items {
		if words := AwaitsRoom(i.State, i.Facts.Live, full); words != "" {
			items[n].Facts.Awaits = words
		}
	}
	for _, p := range plans {
		OnFullDisk(p.Loops, nil, full)
	}
}

// AwaitsRoom returns what a live loop waits for while the disk of the directory full is full;
// "" is nothing. No record tells that it waits, since none can be written: an agent that was
// at work before the disk was full may still be.
func AwaitsRoom(s loop.State, live bool, full string) string {
	if full == "" || !live || s.Status != loop.Running || s.Mode == loop.AgentDriven {
		return ""
	}
	return "waits for room on the disk, now or after this step: " + doing(s)
}
