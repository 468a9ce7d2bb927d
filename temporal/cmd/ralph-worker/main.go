// Command ralph-worker is ralph with the engine of a team linked: it drives loops whose
// record is on a Temporal server, and ralph hands it the commands about them.
package main

import (
	"context"
	"os"

	"ralph/internal/cli"
	"ralph/internal/cli/command"
	"ralph/internal/cli/project"
	"ralph/internal/engine/team"
	"ralph/internal/proc"
	"ralph/temporal/bucket"
	"ralph/temporal/store"
)

func main() {
	if proc.IsShim(os.Args) {
		proc.ShimMain()
	}
	os.Exit(cli.Main(os.Args[1:], command.Process(), cli.Options{Engines: engines(), Buckets: openBucket}))
}

func engines() map[string]project.Dialer { return map[string]project.Dialer{"temporal": dial} }

func dial(ctx context.Context, a project.Address, as project.Caller) (project.Server, error) {
	key, err := keyOf(as.Key)
	if err != nil {
		return nil, err
	}
	c, err := store.Dial(ctx, a.Host, a.Namespace, os.Getenv, key)
	if err != nil {
		return nil, err
	}
	p, err := store.OpenProject(ctx, c, store.Options{Project: as.Project, Namespace: a.Namespace, Owner: as.Owner, Heartbeat: as.Silence, Key: key})
	if err != nil {
		return nil, err
	}
	return p, nil
}

func openBucket(address string, key []byte) (team.Objects, error) {
	b, err := bucket.Open(address, key)
	if err != nil {
		return nil, err
	}
	return b, nil
}

// keyOf is the key of encryption of a secret; none is nil.
func keyOf(secret []byte) (*store.Key, error) {
	if secret == nil {
		return nil, nil
	}
	return store.NewKey(secret)
}
