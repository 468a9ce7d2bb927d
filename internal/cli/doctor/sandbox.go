package doctor

import (
	"context"
	"net"

	"ralph/internal/cli/exit"
	"ralph/internal/loop"
	"ralph/internal/sandbox"
	"ralph/internal/text"
)

// checkRooms reports where gates run.
func (c *checkup) checkRooms(ctx context.Context) {
	dir, err := sandbox.LayerRoot()
	if err != nil {
		c.warn("rooms", "", "gates run in a tree that is made anew, with a HOME of their own: %v", err)
		return
	}
	r := c.Sandboxes.Rooms(ctx, dir)
	switch {
	case !r.Layered():
		c.warn("rooms", c.Sandboxes.Detect(ctx).Bubblewrap.Fix,
			"gates run in a tree that is made anew, with a HOME of their own whose build caches begin empty; which scripts they open is not seen (no layers: %s)", r.Why)
	case r.Home != "":
		c.warn("rooms", "", "gates run in layers over their tree, with a HOME of their own whose build caches begin empty (%s)", r.Home)
	case r.Kind == loop.RoomOverlayDisk:
		c.ok("rooms", "gates run in layers over their tree and your HOME, on disk (not in memory: %s)", r.Why)
	default:
		c.ok("rooms", "gates run in layers over their tree and your HOME, in memory")
	}
}

// checkSandbox says what would hold agents and gates here.
func (c *checkup) checkSandbox(ctx context.Context) {
	want := loop.SandboxAuto
	if c.project != nil && c.project.Settings != nil {
		want = loop.Sandbox(c.project.Settings.Settings.Sandbox)
	}
	c.Sandboxes.Doubt() // here it is tried, even if it worked an hour ago
	found := c.Sandboxes.Detect(ctx)
	by, err := c.Sandboxes.Choose(ctx, want, false)
	switch {
	case err != nil:
		f := exit.Classify(err)
		c.missing("sandbox", f.Hint, "%v", err)
		return
	case want == loop.SandboxOff:
		c.warn("sandbox", "delete sandbox: off in ralph.yaml", "it is switched off: an agent has your rights")
		return
	case by == loop.HeldBubblewrap:
		c.ok("sandbox", "bubblewrap %s holds agents and gates", found.Bubblewrap.Version)
	case by == loop.HeldLandlock:
		c.landlock(found)
	default:
		c.warn("sandbox", found.Bubblewrap.Fix, "none: an agent has your rights (%s; %s)", found.Bubblewrap.Why, found.Landlock.Why)
		return
	}
	if c.project != nil && c.project.Settings != nil && c.project.Repo != nil {
		w, set := c.WorkerFactory(c.project)(""), c.project.Settings
		spec := loop.Spec{SandboxWrite: set.Settings.Writable, SandboxAsked: set.WritableAsked(), SandboxHide: set.Hidden()}
		if hides := w.Hides(spec); len(hides) > 0 {
			c.ok("sandbox", "it hides from agents and gates: %s", text.Few(hides, 3))
		}
		for _, u := range w.Unmet(spec) {
			c.warn("sandbox", u.Fix, "%s may not be written: %s", u.Path, u.Why)
		}
	}
	c.checkWaysOut(ctx)
}

func (c *checkup) landlock(found sandbox.Support) {
	gap := "processes outside can be seen, modes and times of your files changed, your other folders in /tmp and /var/tmp written, and network: off cannot be had"
	if g := found.Landlock.Gap; g != "" {
		gap += "; " + g
	}
	c.warn("sandbox", found.Bubblewrap.Fix, "Landlock (version %s) holds agents and gates, less than bubblewrap would: %s. %s",
		found.Landlock.Version, gap, found.Bubblewrap.Why)
}

// checkWaysOut names services that run commands for each process that may write to their
// sockets.
func (c *checkup) checkWaysOut(ctx context.Context) {
	for _, socket := range []string{"/var/run/docker.sock", "/run/podman/podman.sock"} {
		var d net.Dialer
		if conn, err := d.DialContext(ctx, "unix", socket); err == nil {
			_ = conn.Close()
			c.note("sandbox", "%s is yours to use, and so an agent's: it can start containers that no sandbox holds", socket)
		}
	}
}
