package engine

import (
	"context"
	"slices"
	"time"
)

// Roster are the workers of a team, as they announce themselves.
type Roster interface {
	// Announce reports a worker until ctx ends. Now is asked at each heartbeat.
	Announce(ctx context.Context, now func() WorkerProcess)
	// Workers are those that announced themselves in the last minutes, also such as
	// ended since.
	Workers(ctx context.Context) ([]WorkerProcess, error)
}

// WorkerProcess is a process that drives the runs of a team.
type WorkerProcess struct {
	// ID is random.
	ID      string
	Host    string
	Process int
	Version string
	Labels  []string
	// Slots is how many loops it drives at most, Loops and Plans what it drives now.
	Slots, Loops, Plans int
	Started             time.Time
	// Seen is the time of the newest heartbeat, by the server's clock.
	Seen time.Time
	// Accounts are those of its agents that do not serve now, at most MostAccounts.
	Accounts []AccountTrouble
}

// MostAccounts is how many accounts a worker tells of.
const MostAccounts = 3

// AccountTrouble is why an account does not serve: its agent and kind of login, the trouble in
// words, and when it is tried again.
type AccountTrouble struct {
	Label, Trouble string
	Until          time.Time
}

// Announced is how often a worker announces itself; one that was silent for Silent has
// ended, or is cut off.
const (
	Announced = 10 * time.Second
	Silent    = 3 * Announced
)

// Offers reports whether a machine with these labels may take what runs on others.
func Offers(labels, runsOn []string) bool {
	return !slices.ContainsFunc(runsOn, func(l string) bool { return !slices.Contains(labels, l) })
}
