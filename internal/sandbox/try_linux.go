package sandbox

import (
	"context"
	"errors"
	"os"
	"strconv"
	"strings"
	"time"

	"ralph/internal/proc"
)

// tryTime is how long bubblewrap may take to do nothing.
const tryTime = 5 * time.Second

const installIt = "install bubblewrap: apt-get install bubblewrap, dnf install bubblewrap, pacman -S bubblewrap"

// tryBubblewrap runs it once with all that will be asked of it.
func tryBubblewrap(ctx context.Context, env []string) Offer {
	program, err := proc.Find(env, "bwrap")
	if err != nil {
		return Offer{Why: "bubblewrap is not installed", Fix: installIt}
	}
	o := Offer{program: program}
	for _, flags := range [][]string{{ownUsers}, nil} {
		out, err := proc.Probe{
			Argv: append(append([]string{program}, base(flags)...), "--", "true"), Dir: "/", Env: env, Limit: tryTime,
		}.Ask(ctx)
		if err == nil && out.Code == 0 {
			o.Works, o.Why, o.Fix, o.flags = true, "", "", flags
			o.Version = versionOf(ctx, program, env)
			return o
		}
		if o.Why == "" {
			o.Why = "bubblewrap does not work here: " + said(out, err)
			o.Fix = fix()
		}
		if errors.Is(err, context.DeadlineExceeded) {
			o.Why = "bubblewrap does not work here: it did not answer within " + tryTime.String()
			o.Fix = "see why `" + program + " --ro-bind / / true` hangs"
			break
		}
		if os.Geteuid() != 0 {
			break // without a user namespace it needs to be root
		}
	}
	return o
}

func said(out proc.Output, err error) string {
	if err != nil {
		return err.Error()
	}
	text := strings.TrimSpace(strings.ToValidUTF8(string(out.Stderr), "?"))
	if line, _, _ := strings.Cut(text, "\n"); line != "" {
		return line
	}
	return "exit code " + strconv.Itoa(out.Code)
}

// fix is what usually helps, by what the system says of itself.
func fix() string {
	read := func(path string) string {
		text, _ := os.ReadFile(path)
		return strings.TrimSpace(string(text))
	}
	switch {
	case read("/proc/sys/kernel/apparmor_restrict_unprivileged_userns") == "1":
		return "AppArmor keeps programs from user namespaces: add a profile for bwrap that has `userns,`, or: sysctl kernel.apparmor_restrict_unprivileged_userns=0"
	case read("/proc/sys/kernel/unprivileged_userns_clone") == "0":
		return "sysctl kernel.unprivileged_userns_clone=1"
	case read("/proc/sys/user/max_user_namespaces") == "0":
		return "sysctl user.max_user_namespaces=10000"
	}
	return "let processes make user namespaces; in a container: --security-opt seccomp=unconfined and --security-opt systempaths=unconfined"
}

func versionOf(ctx context.Context, program string, env []string) string {
	out, err := proc.Probe{Argv: []string{program, "--version"}, Dir: "/", Env: env, Limit: tryTime}.Ask(ctx)
	if err != nil {
		return ""
	}
	return strings.TrimPrefix(strings.TrimSpace(string(out.Stdout)), "bubblewrap ")
}

// tryLandlock asks the kernel. Before version 3 a file that may not be written
// can be emptied, which is worse than nothing said.
func tryLandlock() Offer {
	const least, signals = 3, 6
	v := proc.LandlockABI()
	o := Offer{Works: v >= least, Version: strconv.Itoa(v)}
	switch {
	case v == 0:
		o.Why, o.Fix = "this kernel has no Landlock", "boot with lsm=landlock,…, or use Linux 6.2 or newer"
	case v < least:
		o.Why, o.Fix = "this kernel's Landlock (version "+o.Version+") does not protect files from being emptied", "use Linux 6.2 or newer"
	case v < signals:
		o.Gap = "signals to ralph are not refused (Linux 6.12 has that)"
	}
	return o
}
