package sandbox

import (
	"os"
	"slices"
)

// ownUsers is bubblewrap's word for a user namespace.
const ownUsers = "--unshare-user"

// base are the flags of every sandbox. Without capabilities nothing can be
// mounted again; a nested user namespace has its mounts locked by the kernel.
func base(flags []string) []string {
	out := slices.Concat(flags, []string{"--unshare-pid", "--as-pid-1", "--die-with-parent", "--cap-drop", "ALL"})
	if os.Geteuid() != 0 {
		return append(out, view()...)
	}
	if slices.Contains(flags, ownUsers) {
		out = append(out, nesting()...)
	}
	return append(append(out, view()...), settings()...)
}

func view() []string { return []string{"--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc"} }

// nesting lets programs of root's hold their own tools by bubblewrap, as Codex
// does. Since Linux 5.12 root's id is mapped into a nested user namespace only
// for who has CAP_SETFCAP. In a user namespace it marks files, with no more in
// them than root's chmod u+s gives; marked ones that are executed there give
// nothing, since bubblewrap sets no_new_privs.
func nesting() []string { return []string{"--cap-add", "CAP_SETFCAP"} }

// settings covers what root writes in /proc without any capability, by its id
// alone: of the kernel's settings core_pattern, for one, names a program that
// is run outside, as root. Bubblewrap covers some of these itself, not all. And
// since a cover locks it, no nested sandbox gets another /proc.
func settings() []string {
	var out []string
	for _, name := range []string{"acpi", "asound", "bus", "driver", "fs", "irq", "mtrr", "scsi", "sys", "sysrq-trigger"} {
		out = append(out, "--ro-bind-try", "/proc/"+name, "/proc/"+name)
	}
	return out
}
