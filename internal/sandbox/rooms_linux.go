package sandbox

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"ralph/internal/loop"
	"ralph/internal/proc"
	"ralph/internal/sandbox/room"
)

// trialDir is what the temporary folders of trials are for.
const trialDir = "room"

// tryLayers tries the room's layers in memory and on the disk.
func (k *Capabilities) tryLayers(ctx context.Context, dir string) Rooms {
	memory, disk := k.tryRoom(ctx, dir, false), k.tryRoom(ctx, dir, true)
	r := Rooms{Kind: loop.RoomCopy, Disk: disk == "", Why: memory}
	switch {
	case memory == "":
		r.Kind = loop.RoomOverlay
	case disk == "":
		r.Kind = loop.RoomOverlayDisk
	}
	return r
}

// tryRoom returns why a kind of layer does not work, empty where it does.
func (k *Capabilities) tryRoom(ctx context.Context, dir string, disk bool) string {
	made, err := proc.TempDir(dir, trialDir)
	if err != nil {
		return err.Error()
	}
	defer proc.RemoveTempDir(made)
	trial, err := room.NewTrial(made)
	if err != nil {
		return err.Error()
	}
	spec := trial.Spec(disk)
	if why := k.tryView(ctx, spec, trial.Script()); why != "" {
		return why
	}
	if !trial.Held() {
		return "a process got out of it"
	}
	return ""
}

// tryHome tries to cover the HOME, and the other places of caches, as for a gate.
func (k *Capabilities) tryHome(ctx context.Context, dir string, r Rooms) string {
	if !r.Disk {
		return "layers cannot keep changes in " + dir
	}
	p := Profile{Env: k.Env}
	if p.home() == "" {
		return "there is no usable HOME"
	}
	keep, err := proc.TempDir(dir, trialDir)
	if err != nil {
		return err.Error()
	}
	defer proc.RemoveTempDir(keep)
	spec := room.Spec{}
	for i, root := range p.HomeRoots() {
		upper := filepath.Join(keep, string(rune('a'+i)))
		if err := os.Mkdir(upper, 0o700); err != nil {
			return err.Error()
		}
		spec = spec.With(room.Mount{Kind: room.Overlay, At: root, From: []string{root}, Upper: upper})
	}
	return k.tryView(ctx, spec, []string{"true"})
}

func (k *Capabilities) tryView(ctx context.Context, spec room.Spec, argv []string) string {
	out, err := proc.Probe{
		Argv: argv, Dir: "/", Env: k.Env, Limit: tryTime, Sandbox: &proc.Sandbox{Room: &spec},
	}.Ask(ctx)
	if err == nil && out.Code == 0 {
		return ""
	}
	return strings.TrimPrefix(failure(out, err), "build the room: ")
}
