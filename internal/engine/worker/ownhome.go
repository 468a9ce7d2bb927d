package worker

import (
	"os"
	"path/filepath"
	"slices"
	"time"

	"ralph/internal/agent"
	"ralph/internal/durable"
	"ralph/internal/sandbox"
)

// homeDir is the HOME of the loop's gates where agents can write the user's.
func (w *Worker) homeDir() string { return filepath.Join(w.Files.Dir, "home") }

// ownHome makes that HOME: empty but for git's identity and links to what package
// managers have downloaded.
func (w *Worker) ownHome(env []string) (string, error) {
	home, users := w.homeDir(), agent.Home(env)
	if _, err := os.Lstat(home); err == nil {
		return home, nil
	}
	made := home + ".new"
	if err := durable.MkdirAll(made); err != nil {
		return "", err
	}
	if text, err := os.ReadFile(filepath.Join(users, ".gitconfig")); err == nil {
		if err := os.WriteFile(filepath.Join(made, ".gitconfig"), text, 0o600); err != nil {
			return "", err
		}
	}
	for _, name := range downloads {
		from, at := filepath.Join(users, name), filepath.Join(made, name)
		if !isDir(from) {
			continue
		}
		if err := os.MkdirAll(filepath.Dir(at), 0o700); err != nil {
			return "", err
		}
		if err := os.Symlink(from, at); err != nil && !os.IsExist(err) {
			return "", err
		}
	}
	return home, os.Rename(made, home)
}

// downloads are directories below a HOME with what package managers downloaded.
// They hold no settings.
var downloads = []string{
	".cargo/registry", ".cargo/git", ".m2/repository", ".gradle/caches", ".gradle/wrapper", ".nuget/packages",
	".cache/ms-playwright", ".cache/pip", ".cache/uv", ".npm/_cacache",
}

// toolchains are variables, and where programs are found without them below a
// HOME. They hold programs, or sources that a lock file names.
var toolchains = map[string]string{
	"RUSTUP_HOME": ".rustup", "PYENV_ROOT": ".pyenv", "NVM_DIR": ".nvm", "RBENV_ROOT": ".rbenv", "SDKMAN_DIR": ".sdkman",
	"VOLTA_HOME": ".volta", "GOMODCACHE": "go/pkg/mod", "ASDF_DATA_DIR": ".asdf", "MISE_DATA_DIR": ".local/share/mise",
}

// homeEnv is an environment in which home is the HOME: no variable leads to
// settings and caches in the user's, those that lead to programs do.
func homeEnv(env []string, home string) []string {
	users := agent.Home(env)
	get := func(name string) string { return agent.Setting(env, name) }
	var tools []string
	for name, usual := range toolchains {
		dir := get(name)
		if dir == "" && name == "GOMODCACHE" && get("GOPATH") != "" {
			dir = filepath.Join(filepath.SplitList(get("GOPATH"))[0], "pkg", "mod")
		}
		if dir == "" {
			dir = filepath.Join(users, usual)
		}
		if isDir(dir) {
			tools = append(tools, name+"="+dir)
		}
	}
	slices.Sort(tools)
	kept := slices.DeleteFunc(slices.Clone(env), func(kv string) bool {
		return slices.Contains(sandbox.CacheVariables(), key(kv)) || slices.Contains(settingFiles, key(kv))
	})
	return overlay(kept, tools, []string{"HOME=" + home})
}

// settingFiles are variables that name files with settings, in a HOME mostly.
var settingFiles = []string{"GOENV", "NPM_CONFIG_USERCONFIG", "npm_config_userconfig", "PYTHONUSERBASE", "PYTHONSTARTUP", "PIP_CONFIG_FILE", "GIT_CONFIG_GLOBAL"}

// replaceHome gives a gate the HOME of the loop's gates, covered unless it runs
// for the first time.
func (w *Worker) replaceHome(v *view, env []string, first bool) (changed, grants []string, err error) {
	home, err := w.ownHome(env)
	if err != nil {
		return nil, nil, err
	}
	if first {
		v.through(home)
	} else {
		freshen(filepath.Join(home, ".cache", "go-build"))
		v.layer(home, "", home)
	}
	changed = homeEnv(env, home)
	if cache := agent.Setting(changed, "GOMODCACHE"); cache != "" {
		v.layer(cache, "", cache)
	}
	return changed, []string{home}, nil
}

// freshen gives the entries of Go's build cache the present time before they are an
// hour old: go would do that itself to each entry that it uses, and a layer would
// copy all of them (measured: 123 MB for a small module).
func freshen(cache string) {
	const old = 50 * time.Minute
	mark := filepath.Join(cache, ".ralph-fresh")
	now := time.Now()
	if info, err := os.Lstat(mark); err == nil && now.Sub(info.ModTime()) < old || !isDir(cache) {
		return
	}
	files, _ := filepath.Glob(filepath.Join(cache, "[0-9a-f][0-9a-f]", "*"))
	for _, file := range files {
		_ = os.Chtimes(file, now, now)
	}
	_ = os.WriteFile(mark, nil, 0o600)
}
