package view

import "time"

// Account is what is known of an agent's account with its provider: whether it serves,
// and how much of its usage windows is used.
type Account struct {
	Label string
	// Trouble is empty where none is known; Until is when it is tried again, Fix what a
	// person can do.
	Trouble, Message, Fix string
	Until                 time.Time
	Windows               []Window
}

// Window is a window of a usage limit. Used is in per cent; ResetsAt is zero where it is
// unknown.
type Window struct {
	Name     string
	Used     float64
	ResetsAt time.Time
}

// Setting is one effective setting with its origin.
type Setting struct{ Key, Value, Origin string }
