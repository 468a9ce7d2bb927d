package sandbox

import (
	"context"
	"errors"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/proc"
)

// tryTime limits how long bubblewrap may take to do nothing.
const tryTime = 5 * time.Second

// findBubblewrap returns the program, or why there is none.
func findBubblewrap(env []string) (program string, none Mechanism) {
	program, err := proc.Find(env, "bwrap")
	if err != nil {
		return "", Mechanism{
			Why: "bubblewrap is not installed",
			Fix: "install bubblewrap: apt-get install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap",
		}
	}
	return program, Mechanism{}
}

// tryBubblewrap runs it once with all the flags that a sandbox will use.
func tryBubblewrap(ctx context.Context, program string, env []string) Mechanism {
	o := Mechanism{program: program}
	for _, flags := range [][]string{{unshareUser}, nil} {
		out, err := proc.Probe{
			Argv: append(append([]string{program}, base(flags)...), "--", "true"), Dir: "/", Env: env, Limit: tryTime,
		}.Ask(ctx)
		if err == nil && out.Code == 0 {
			o.Works, o.Why, o.Fix, o.flags = true, "", "", flags
			o.Version = versionOf(ctx, program, env)
			return o
		}
		if proc.CauseOf(err) == loop.CauseLack { // it says nothing about bubblewrap
			o.lack, o.Why, o.Fix = err, "bubblewrap could not be tried: "+err.Error(), "make room, or repair what is named, and try again"
			return o
		}
		if o.Why == "" {
			o.Why = "bubblewrap does not work here: " + failure(out, err)
			o.Fix = namespaceFix()
		}
		if errors.Is(err, context.DeadlineExceeded) {
			o.Why = "bubblewrap does not work here: no response within " + tryTime.String()
			o.Fix = "see why `" + program + " --ro-bind / / true` hangs"
			break
		}
		if os.Geteuid() != 0 {
			break // without a user namespace bubblewrap needs to be root
		}
	}
	return o
}

func failure(out proc.Output, err error) string {
	if err != nil {
		return err.Error()
	}
	text := strings.TrimSpace(strings.ToValidUTF8(string(out.Stderr), "?"))
	if line, _, _ := strings.Cut(text, "\n"); line != "" {
		return line
	}
	return "exit code " + strconv.Itoa(out.Code)
}

// namespaceFix returns the usual fix, by the settings of the system.
func namespaceFix() string {
	read := func(path string) string { return strings.TrimSpace(readText(path)) }
	switch {
	case read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
		return "AppArmor restricts user namespaces: add a profile for bwrap that has `userns,`, or: sysctl kernel.apparmor_restrict_unprivileged_userns=0"
	case read("/proc/sys/kernel/unprivileged_userns_clone") == "0":
		return "sysctl kernel.unprivileged_userns_clone=1"
	case read("/proc/sys/user/max_user_namespaces") == "0":
		return "sysctl user.max_user_namespaces=10000"
	}
	return "allow unprivileged user namespaces; in a container: --security-opt seccomp=unconfined and --security-opt systempaths=unconfined"
}

func versionOf(ctx context.Context, program string, env []string) string {
	out, err := proc.Probe{Argv: []string{program, "--version"}, Dir: "/", Env: env, Limit: tryTime}.Ask(ctx)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.TrimSpace(string(out.Stdout)), "bubblewrap ")
}

// tryLandlock asks the kernel. Before version 3 Landlock lets a protected file be
// truncated, which is worse than no sandbox that is known to be none.
func tryLandlock() Mechanism {
	const least, signals = 3, 6
	v := proc.LandlockABI()
	o := Mechanism{Works: v >= least, Version: strconv.Itoa(v)}
	switch {
	case v == 0:
		o.Why, o.Fix = "this kernel has no Landlock", "boot with lsm=landlock,…, or use Linux 6.2 or newer"
	case v < least:
		o.Why, o.Fix = "this kernel's Landlock (version "+o.Version+") lets protected files be truncated", "use Linux 6.2 or newer"
	case v < signals:
		o.Gap = "signals to ralph are not blocked (needs Linux 6.12)"
	}
	return o
}

// unshareUser makes bubblewrap create a user namespace.
const unshareUser = "--unshare-user"

// base returns the flags of every sandbox. Without capabilities nothing can be
// mounted again; the kernel locks the mounts of a nested user namespace.
func base(flags []string) []string {
	out := slices.Concat(flags, []string{"--unshare-pid", "--as-pid-1", "--die-with-parent", "--cap-drop", "ALL"})
	if os.Geteuid() != 0 {
		return append(out, rootView...)
	}
	if slices.Contains(flags, unshareUser) {
		out = append(out, nesting...)
	}
	return append(append(out, rootView...), readOnlyProc()...)
}

var rootView = []string{"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"}

// nesting lets root's programs run bubblewrap themselves, as Codex does. Since
// Linux 5.12 root's id is mapped into a nested user namespace only with
// CAP_SETFCAP. In a user namespace that capability sets file capabilities, which
// grant no more than root's chmod u+s; in here they grant nothing, since
// bubblewrap sets no_new_privs.
var nesting = []string{"--cap-add", "CAP_SETFCAP"}

// readOnlyProc covers what root can write in /proc by its id alone, without any
// capability: the kernel setting core_pattern, for one, names a program that runs
// outside, as root. Bubblewrap covers only some of these itself. The covers lock
// /proc, so that a nested sandbox cannot mount another one.
func readOnlyProc() []string {
	var out []string
	for _, name := range []string{"acpi", "asound", "bus", "driver", "fs", "irq", "mtrr", "scsi", "sys", "sysrq-trigger"} {
		out = append(out, "--ro-bind-try", "/proc/"+name, "/proc/"+name)
	}
	return out
}
