package worker

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/agent"
	"ralph/internal/text"
)

// addedPackages moves the packages that set-up installed for the work, and not for the base,
// into a folder of their own. What the base has stays the base's: test runners and linters
// are installed packages, and a script that npm or pip runs for a dependency of the work
// can rewrite any of them. So a package is added only whole, and only under a name by
// which nothing was found before.
type addedPackages struct {
	base, work, to string
	// installed are the names that packages have on the base: see packageName.
	installed map[string]bool
	// path is PATH: scripts of npm find a program of a package before one of the machine.
	path []string
	// others are packages of the base that the work has in another version.
	others []string
	// closed are folders of Python's packages into which none is added.
	closed []string
}

// missing tells which packages of the work a gate may lack; "" is none.
func (a *addedPackages) missing() string {
	var notes []string
	if len(a.others) > 0 {
		notes = append(notes, "packages that the base has already stay at its versions: "+text.Few(a.others, 5)+"; a person can upgrade them on the base")
	}
	if len(a.closed) > 0 {
		notes = append(notes, "the packages that the work adds are not in "+text.Few(a.closed, 2)+", since the base has no such environment, or it sees the packages of the machine; a person can install them on the base")
	}
	return strings.Join(notes, "; ")
}

// packageFolder is the kind of a folder that holds packages; "" for any other.
func packageFolder(name string) string {
	switch name {
	case "node_modules":
		return "node"
	case "site-packages":
		return "python"
	}
	return ""
}

// packageName is the name by which a package is found: without the endings of modules,
// since a module may be found in place of a package.
func packageName(kind, rel string) string {
	name := strings.ToLower(filepath.Base(rel))
	if scope := filepath.Base(filepath.Dir(rel)); strings.HasPrefix(scope, "@") {
		name = strings.ToLower(scope) + "/" + name
	}
	if kind == "node" {
		for _, ending := range []string{".js", ".json", ".node", ".cjs", ".mjs"} {
			name = strings.TrimSuffix(name, ending)
		}
		return "node " + name
	}
	for _, record := range []string{".dist-info", ".egg-info"} {
		if before, is := strings.CutSuffix(name, record); is {
			before, _, _ = strings.Cut(before, "-")
			return "record " + strings.ReplaceAll(before, "_", "-")
		}
	}
	name, _, _ = strings.Cut(name, ".")
	return "python " + name
}

// addPackages moves what work has, and base has not. tracked are the paths of the commit;
// above is the folder in which both stand, whose parents may hold packages too.
func addPackages(base, work, to, above string, tracked, env []string) (*addedPackages, error) {
	a := &addedPackages{base: base, work: work, to: to, installed: map[string]bool{}, path: filepath.SplitList(agent.Setting(env, "PATH"))}
	for _, p := range tracked {
		if _, name, in := strings.Cut("/"+p, "/node_modules/"); in {
			parts := strings.SplitN(name, "/", 3)
			a.installed[packageName("node", parts[0])] = true
			a.installed[packageName("node", filepath.Join(parts[:min(2, len(parts))]...))] = true
		}
	}
	for dir := above; filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		a.note("node", filepath.Join(filepath.Dir(dir), "node_modules"))
	}
	for _, dir := range filepath.SplitList(agent.Setting(env, "NODE_PATH")) {
		a.note("node", dir)
	}
	if err := a.survey(base); err != nil {
		return nil, err
	}
	return a, a.folder(".")
}

// survey notes the names of all packages below a folder.
func (a *addedPackages) survey(root string) error {
	return filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil && d.IsDir() {
			if kind := packageFolder(d.Name()); kind != "" {
				a.note(kind, path)
				return fs.SkipDir // what a package has for itself hides nothing
			}
		}
		return err
	})
}

// note records the names in one folder of packages, if it exists.
func (a *addedPackages) note(kind, dir string) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), "@") {
			a.note(kind, filepath.Join(dir, e.Name()))
			continue
		}
		a.installed[packageName(kind, filepath.Join(dir, e.Name()))] = true
	}
}

// folder looks for folders of packages.
func (a *addedPackages) folder(rel string) error {
	entries, err := os.ReadDir(filepath.Join(a.work, rel))
	if err != nil {
		return err
	}
	for _, e := range entries {
		below := filepath.Join(rel, e.Name())
		switch kind := packageFolder(e.Name()); {
		case !e.IsDir():
			continue
		case kind == "":
			err = a.folder(below)
		default:
			err = a.packages(kind, below)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// packages adds the packages of a folder. Into an environment of Python that the base does
// not have, or that sees the packages of the machine, nothing is added.
func (a *addedPackages) packages(kind, rel string) error {
	if kind == "python" && !a.ownEnvironment(rel) {
		a.closed = append(a.closed, rel)
		return nil
	}
	entries, err := os.ReadDir(filepath.Join(a.work, rel))
	if err != nil {
		return err
	}
	for _, e := range entries {
		if err := a.entry(kind, filepath.Join(rel, e.Name()), e); err != nil {
			return err
		}
	}
	return nil
}

func (a *addedPackages) entry(kind, rel string, e fs.DirEntry) error {
	name := e.Name()
	switch {
	case kind == "node" && name == ".bin":
		return a.programs(rel)
	case kind == "node" && e.IsDir() && (name == ".pnpm" || strings.HasPrefix(name, "@")):
		return a.packages(kind, rel)
	case kind == "node" && e.IsDir() && name == "node_modules": // below .pnpm
		return a.packages(kind, rel)
	case strings.HasPrefix(name, "."), steers(kind, name), kind == "node" && e.Type().IsRegular():
		return nil
	case !e.IsDir() && (strings.HasPrefix(name, "@") || packageFolder(name) != ""): // a link to many packages
		return nil
	case a.installed[packageName(kind, rel)], isThere(filepath.Join(a.base, rel)):
		if a.differs(kind, rel) {
			a.others = append(a.others, name)
		}
		return nil
	}
	if kind == "python" && e.IsDir() { // pytest, flake8 and others load plug-ins by it
		_ = os.Remove(filepath.Join(a.work, rel, "entry_points.txt"))
	}
	return a.move(rel)
}

// differs reports whether a package of the base has another version in the work.
func (a *addedPackages) differs(kind, rel string) bool {
	if kind == "python" {
		return strings.HasPrefix(packageName(kind, rel), "record ") && !isThere(filepath.Join(a.base, rel))
	}
	now := manifestIn(filepath.Join(a.work, rel))
	return now != nil && !bytes.Equal(now, manifestIn(filepath.Join(a.base, rel)))
}

// manifestIn returns the package.json of an installed package; nil where it is none.
func manifestIn(dir string) []byte {
	const most = 1 << 20
	path := filepath.Join(dir, "package.json")
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() || info.Size() > most {
		return nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return data
}

// steers reports whether an interpreter or a tool loads a package, or a file beside the
// packages, unasked.
func steers(kind, name string) bool {
	if kind == "node" {
		return strings.HasPrefix(name, "prettier-plugin-")
	}
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".pth") || strings.HasSuffix(name, ".egg-link") || strings.HasPrefix(name, "sitecustomize") || strings.HasPrefix(name, "usercustomize")
}

// programs adds the programs of new packages that hide none of the machine.
func (a *addedPackages) programs(rel string) error {
	entries, err := os.ReadDir(filepath.Join(a.work, rel))
	if err != nil {
		return err
	}
	for _, e := range entries {
		onPath := slices.ContainsFunc(a.path, func(dir string) bool {
			return isThere(filepath.Join(dir, e.Name()))
		})
		if onPath || isThere(filepath.Join(a.base, rel, e.Name())) {
			continue
		}
		if err := a.move(filepath.Join(rel, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// ownEnvironment reports whether a folder site-packages is on the base, and alone decides
// which packages are found.
func (a *addedPackages) ownEnvironment(rel string) bool {
	config, err := os.ReadFile(filepath.Join(a.base, rel, "..", "..", "..", "pyvenv.cfg"))
	words := strings.Fields(strings.ToLower(string(config)))
	at := slices.Index(words, "include-system-site-packages")
	return err == nil && isDir(filepath.Join(a.base, rel)) && (at < 0 || at+2 < len(words) && words[at+2] == "false")
}

func (a *addedPackages) move(rel string) error {
	to := filepath.Join(a.to, rel)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	return os.Rename(filepath.Join(a.work, rel), to)
}

// isThere reports whether a path has an entry, also a link that leads nowhere.
func isThere(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}
