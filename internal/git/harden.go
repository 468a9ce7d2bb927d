package git

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// pinned settings hold for every call. "cat" and "false" are never reached where
// git sees no terminal; they are a second safeguard.
var pinned = map[string]string{
	"core.hooksPath":             "/dev/null",
	"core.fsmonitor":             "false",
	"core.untrackedCache":        "false",
	"core.splitIndex":            "false",
	"core.ignoreStat":            "false",
	"core.trustctime":            "true",
	"core.checkStat":             "default",
	"core.editor":                "false",
	"core.pager":                 "cat",
	"core.askPass":               "",
	"core.sshCommand":            "false",
	"core.alternateRefsCommand":  "false",
	"core.safecrlf":              "false",
	"core.quotePath":             "false",
	"core.logAllRefUpdates":      "true",
	"sequence.editor":            "false",
	"diff.external":              "",
	"diff.submodule":             "short",
	"status.submoduleSummary":    "false",
	"submodule.recurse":          "false",
	"commit.gpgSign":             "false",
	"tag.gpgSign":                "false",
	"gpg.program":                "false",
	"gpg.openpgp.program":        "false",
	"gpg.x509.program":           "false",
	"gpg.ssh.program":            "false",
	"gpg.ssh.defaultKeyCommand":  "false",
	"log.showSignature":          "false",
	"log.mailmap":                "false",
	"credential.helper":          "",
	"interactive.diffFilter":     "",
	"protocol.allow":             "never",
	"safe.bareRepository":        "explicit",
	"gc.auto":                    "0",
	"maintenance.auto":           "false",
	"merge.default":              "text",
	"merge.renormalize":          "false",
	"worktree.useRelativePaths":  "false",
	"i18n.commitEncoding":        "UTF-8",
	"i18n.logOutputEncoding":     "UTF-8",
	"color.ui":                   "false",
	"advice.graftFileDeprecated": "false",
	"advice.detachedHead":        "false",
	"core.useBuiltinFSMonitor":   "false",
}

// textMerge replaces a repository's merge driver with git's own three-way merge,
// as on a server without the driver.
const textMerge = "git merge-file -q --marker-size=%L %A %O %B || exit 1"

// hardened returns the whole environment of a call.
func (r *Repo) hardened(p place, d drivers) []string {
	set := maps.Clone(pinned)
	maps.Copy(set, syncSettings(p.theirs))
	maps.Copy(set, d.content)
	for _, n := range d.diff {
		set["diff."+n+".command"], set["diff."+n+".textconv"] = "", ""
	}
	for _, n := range d.merge {
		set["merge."+n+".driver"] = textMerge
	}
	for _, n := range d.hook {
		set["hook."+n+".enabled"] = "false"
	}
	r.filters.into(set, d.filter)
	if p.whole {
		set["core.sparseCheckout"] = "false"
	}
	if p.wary {
		set["core.commitGraph"], set["core.multiPackIndex"] = "false", "false"
	}
	return slices.Concat(r.env, fixedEnv, p.env(r.CommonDir), asEnv(set))
}

var fixedEnv = []string{
	"LC_ALL=C", "TZ=UTC",
	"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1",
	"GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=", "SSH_ASKPASS=",
	"GIT_EDITOR=false", "GIT_SEQUENCE_EDITOR=false", "GIT_PAGER=cat",
	"GIT_SSH_COMMAND=false", "GIT_ALLOW_PROTOCOL=none", "GIT_NO_LAZY_FETCH=1",
	// A commit id must mean its own content: no replacements or grafts.
	"GIT_NO_REPLACE_OBJECTS=1", "GIT_GRAFT_FILE=/dev/null",
	"GIT_LITERAL_PATHSPECS=1", "GIT_MERGE_AUTOEDIT=no",
}

func (p place) env(common string) []string {
	env := []string{"GIT_DIR=" + p.gitDir, "GIT_COMMON_DIR=" + common}
	if p.tree != "" {
		env = append(env, "GIT_WORK_TREE="+p.tree)
	}
	if p.index != "" {
		env = append(env, "GIT_INDEX_FILE="+p.index)
	}
	if p.reads {
		env = append(env, "GIT_OPTIONAL_LOCKS=0")
	}
	if p.objects != "" {
		env = append(env, "GIT_OBJECT_DIRECTORY="+p.objects, "GIT_ALTERNATE_OBJECT_DIRECTORIES="+alternates(filepath.Join(common, "objects"), p.beside))
	}
	return env
}

// alternates lists folders of objects as git reads them: quoted as in C, since a
// path may contain the separator.
func alternates(dirs ...string) string {
	var out []string
	for _, dir := range dirs {
		if dir != "" {
			out = append(out, `"`+strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(dir)+`"`)
		}
	}
	return strings.Join(out, string(filepath.ListSeparator))
}

// asEnv passes settings like -c, but outside of the process list.
func asEnv(set map[string]string) []string {
	env := []string{"GIT_CONFIG_COUNT=" + strconv.Itoa(len(set))}
	for i, k := range slices.Sorted(maps.Keys(set)) {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, k), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, set[k]))
	}
	return env
}

// inherited keeps what git and filters need, and no GIT_*: a caller inside a hook
// has GIT_DIR and GIT_INDEX_FILE set to its own.
func inherited(environ []string) []string {
	keep := map[string]bool{
		"PATH": true, "HOME": true, "XDG_CONFIG_HOME": true, "TMPDIR": true, "USER": true, "LOGNAME": true,
		"GNUPGHOME": true, "SYSTEMROOT": true, "SYSTEMDRIVE": true, "WINDIR": true, "COMSPEC": true, "PATHEXT": true,
		"TEMP": true, "TMP": true, "USERPROFILE": true, "HOMEDRIVE": true, "HOMEPATH": true, "APPDATA": true,
		"LOCALAPPDATA": true, "PROGRAMDATA": true, "PROGRAMFILES": true,
	}
	var env []string
	for _, kv := range environ {
		name, _, _ := strings.Cut(kv, "=")
		if keep[strings.ToUpper(name)] {
			env = append(env, kv)
		}
	}
	return env
}
