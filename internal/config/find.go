package config

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// FileName is the project file's name, at the repository's root.
const FileName = "ralph.yaml"

// Found are the files of one project and one user.
type Found struct {
	Project *Source
	User    *Source
	// Notes are sentences about files of other programs with similar names.
	Notes []string
}

// Find reads the project file in root and the user's file. explicit, where not
// empty, is the project file to read instead (--config) and must exist. A
// ralph.yml belongs to another runner, unless it has our version: then it is an
// error, because ignoring its gates would be worse.
func Find(root, explicit string, env []string) (Found, error) {
	var found Found
	var err error
	if found.User, err = readFile(UserFile(env), ""); err != nil {
		return Found{}, err
	}
	if explicit != "" {
		if err = Named(explicit); err == nil {
			found.Project, err = readFile(explicit, explicit)
		}
		return found, err
	}
	if found.Project, err = readFile(filepath.Join(root, FileName), FileName); err != nil || found.Project != nil {
		return found, err
	}
	found.Notes, err = misnamed(root)
	return found, err
}

// Named returns why the file that --config names cannot be read: it is not there. An empty
// path names none.
func Named(explicit string) error {
	if explicit == "" {
		return nil
	}
	if _, err := os.Stat(explicit); errors.Is(err, fs.ErrNotExist) {
		return Errors{{File: explicit, Message: "there is no such file", Hint: "name an existing one with --config"}}
	}
	return nil
}

// misnamed looks for the name with the other extension.
func misnamed(root string) ([]string, error) {
	const name = "ralph.yml"
	src, err := readFile(filepath.Join(root, name), name)
	if err != nil || src == nil {
		return nil, err
	}
	if top, errs := document(*src); len(errs) == 0 && top != nil {
		for i := 0; i+1 < len(top.Content); i += 2 {
			if deref(top.Content[i]).Value == "version" {
				return nil, Errors{{File: name, Message: "the project file is called " + FileName, Hint: "rename this one"}}
			}
		}
	}
	return []string{name + " looks like a file of another runner and is not read; ralph reads " + FileName}, nil
}

// readFile returns nil for a missing file or an empty path. It bounds what it
// reads, so that a disk image in its place does not fill the memory.
func readFile(path, name string) (*Source, error) {
	if path == "" {
		return nil, nil
	}
	if name == "" {
		name = path
	}
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, Errors{{File: name, Message: err.Error(), Hint: "make it readable"}}
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return nil, Errors{{File: name, Message: "not a regular file", Hint: "replace it by a file"}}
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, Errors{{File: name, Message: err.Error(), Hint: "make it readable"}}
	}
	return &Source{Name: name, Data: data}, nil
}

// UserFile returns the path of the user's file, empty without a home directory.
func UserFile(env []string) string {
	get := func(name string) string {
		for _, e := range slices.Backward(env) {
			if v, ok := strings.CutPrefix(e, name+"="); ok {
				return v
			}
		}
		return ""
	}
	if dir := get("XDG_CONFIG_HOME"); filepath.IsAbs(dir) {
		return filepath.Join(dir, "ralph", "config.yaml")
	}
	if dir := get("AppData"); runtime.GOOS == "windows" && dir != "" {
		return filepath.Join(dir, "ralph", "config.yaml")
	}
	if home := get("HOME"); home != "" {
		return filepath.Join(home, ".config", "ralph", "config.yaml")
	}
	return ""
}

// Bus returns the setting bus, for callers that need no other. Nothing is parsed
// where no source mentions it; a configuration that cannot be read has none, and
// the mistake is reported where the other settings are needed.
func Bus(root, explicit string, env []string) string {
	found, err := Find(root, explicit, env)
	if err != nil {
		return ""
	}
	mentioned := slices.ContainsFunc(env, func(v string) bool { return strings.HasPrefix(v, envName("bus")+"=") })
	for _, s := range []*Source{found.Project, found.User} {
		mentioned = mentioned || s != nil && bytes.Contains(s.Data, []byte("bus"))
	}
	if !mentioned {
		return ""
	}
	r, err := Resolve(Sources{Env: env, Project: found.Project, User: found.User})
	if err != nil {
		return ""
	}
	return string(r.Settings.Bus)
}
