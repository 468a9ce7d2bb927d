package git

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// drivers holds the programs that a repository's configuration would run by
// name, and the settings that decide a file's content. Reading it runs nothing.
type drivers struct {
	filter, diff, merge, hook []string
	process                   []string // filters with a process
	defs                      map[string]Filter
	content                   map[string]string
	runs                      []string // what git is told to run, or to read as configuration
	name, email               string
	sparse                    bool
}

// drivers reads the configuration of a git dir. The result for the same bytes of
// the shared and the worktree's own file is remembered, for all worktrees.
// Included files can change unseen: then nothing is remembered.
func (r *Repo) drivers(ctx context.Context, gitDir string) (drivers, error) {
	r.known.mu.Lock()
	ahead := r.known.ahead
	r.known.mu.Unlock()
	if ahead != nil {
		<-ahead
	}
	key := string(r.configBytes(gitDir))
	r.known.mu.Lock()
	have, ok := r.known.config[key]
	r.known.mu.Unlock()
	if ok {
		return have, nil
	}
	return r.readDrivers(ctx, gitDir, key)
}

// ReadAhead reads the configuration concurrently with the caller. Calls that need the
// configuration wait for it. The read ends with ctx.
func (r *Repo) ReadAhead(ctx context.Context) {
	done := make(chan struct{})
	r.known.mu.Lock()
	r.known.ahead = done
	r.known.mu.Unlock()
	go func() {
		defer close(done)
		_, _ = r.readDrivers(ctx, r.gitDir, string(r.configBytes(r.gitDir))) // the call that needs it returns the error
	}()
}

// readDrivers asks git. key are the bytes of the configuration before.
func (r *Repo) readDrivers(ctx context.Context, gitDir, key string) (drivers, error) {
	raw, err := r.start(ctx, call{
		place: place{gitDir: gitDir},
		args:  []string{"config", "--list", "-z", "--show-scope", "--includes"},
	}, r.plainEnv(gitDir))
	if err != nil {
		return drivers{}, fmt.Errorf("read git configuration: %w", err)
	}
	d, includes := parseConfig(raw.Stdout)
	r.known.mu.Lock()
	defer r.known.mu.Unlock()
	if r.known.content == nil {
		r.known.content = d.content
	}
	d.content = r.known.content
	if !includes && key == string(r.configBytes(gitDir)) { // the very bytes that were read
		r.known.config[key] = d
	}
	return d, nil
}

// plainEnv reads configuration like the user's own git: identity, global ignore
// file and LFS are usually configured globally.
func (r *Repo) plainEnv(gitDir string) []string {
	return append(slices.Clone(r.env), "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_DIR="+gitDir, "GIT_COMMON_DIR="+r.CommonDir)
}

func (r *Repo) configBytes(gitDir string) []byte {
	shared, _ := os.ReadFile(filepath.Join(r.CommonDir, "config"))
	own, _ := os.ReadFile(filepath.Join(gitDir, "config.worktree"))
	return slices.Concat(shared, []byte{0}, own)
}

// contentKeys decide what bytes a checkout writes and a commit stores, or which
// files are ignored. They are pinned as first read.
var contentKeys = []string{
	"core.autocrlf", "core.eol", "core.filemode", "core.symlinks", "core.ignorecase", "core.precomposeunicode",
	"core.excludesfile", "core.attributesfile", "core.longpaths", "core.protecthfs", "core.protectntfs",
}

// contentDefaults are git's own defaults, pinned too: an agent must not set
// later a setting that was unset when the loop started.
func contentDefaults() map[string]string {
	return map[string]string{
		"core.autocrlf": "false", "core.eol": "native", "core.filemode": "true", "core.symlinks": "true", "core.ignorecase": "false",
	}
}

// parseConfig reads "scope NUL key LF value NUL …", in order of precedence.
func parseConfig(raw []byte) (d drivers, includes bool) {
	d.defs, d.content = map[string]Filter{}, contentDefaults()
	all := fields(raw)
	for i := 0; i+1 < len(all); i += 2 {
		key, value, isSet := strings.Cut(all[i+1], "\n")
		if !isSet {
			value = "true"
		}
		ours := all[i] == "local" || all[i] == "worktree"
		if ours && (strings.HasPrefix(key, "include.") || strings.HasPrefix(key, "includeif.")) {
			includes = true
		}
		if runsProgram(key) {
			d.runs = append(d.runs, value)
			if strings.HasSuffix(key, "path") { // a name without a slash, too
				d.runs = append(d.runs, "./"+value)
			}
		}
		switch {
		case key == "user.name":
			d.name = value
		case key == "user.email":
			d.email = value
		case key == "core.sparsecheckout":
			d.sparse = value != "false"
		case slices.Contains(contentKeys, key):
			d.content[key] = value
		default:
			d.driver(key, value, ours)
		}
	}
	return d, includes
}

// driver records section.name.variable.
func (d *drivers) driver(key, value string, ours bool) {
	section, rest, _ := strings.Cut(key, ".")
	dot := strings.LastIndexByte(rest, '.')
	if dot < 0 {
		return
	}
	name, variable := rest[:dot], rest[dot+1:]
	if section == "filter" {
		d.defs[name] = d.defs[name].with(variable, value)
	}
	if !ours {
		return // ralph's calls do not read that file
	}
	if section == "filter" && variable == "process" {
		d.process = append(d.process, name)
	}
	list := map[string]*[]string{"filter": &d.filter, "diff": &d.diff, "merge": &d.merge, "hook": &d.hook}[section]
	if list != nil && !slices.Contains(*list, name) {
		*list = append(*list, name)
	}
}
