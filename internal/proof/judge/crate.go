package judge

import (
	"path"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
	"ralph/internal/text/shell"
)

// crate is a package of cargo on the base.
type crate struct {
	dir, name string
	// targets are the sources of programs by their kind ("bin", "example") and name, as
	// Cargo.toml lists them.
	targets map[[2]string]string
	// uses are the folders of the crates that it depends on, tests those of its tests.
	uses, tests []string
}

// crateList are the crates of the base by their folders, read once.
func (d *Diff) crateList() ([]crate, error) { return d.crates.try(d.findCrates) }

func (d *Diff) findCrates() (crates []crate, err error) {
	files, _, err := d.reading(func(f proof.File) bool { return path.Base(f.Path) == "Cargo.toml" })
	if err != nil {
		return nil, err
	}
	manifests := make([]manifest.Table, len(files))
	shared, patched := manifest.Table{}, manifest.Table{}
	for i, f := range files {
		data, err := d.Content(f.ID)
		if err != nil {
			return nil, err
		}
		if toml.Unmarshal(data, &manifests[i]) != nil {
			continue
		}
		for _, keys := range [][]string{{"workspace", "dependencies"}, {"patch", "*"}} {
			for _, v := range manifest.At(manifests[i], keys) {
				t, is := v.(manifest.Table)
				if !is {
					continue
				}
				placed(proof.DirOf(f.Path), t, nil, nil, func(name, dir string) {
					if keys[0] == "patch" {
						patched[name] = dir
					} else {
						shared[name] = dir
					}
				})
			}
		}
	}
	for i, f := range files {
		c := crate{dir: proof.DirOf(f.Path), targets: map[[2]string]string{}}
		for _, v := range manifest.At(manifests[i], []string{"package", "name"}) {
			c.name, _ = v.(string)
		}
		for _, kind := range []string{"bin", "example"} {
			list, _ := manifests[i][kind].([]any)
			for _, v := range list {
				t, _ := v.(manifest.Table)
				name, _ := t["name"].(string)
				if p, is := t["path"].(string); is {
					c.targets[[2]string{kind, name}] = path.Join(c.dir, p)
				}
			}
		}
		for _, keys := range manifest.CargoDependencies {
			for _, v := range manifest.At(manifests[i], keys) {
				t, is := v.(manifest.Table)
				if !is || keys[0] == "workspace" {
					continue
				}
				placed(c.dir, t, shared, patched, func(_, dir string) {
					if keys[len(keys)-1] == "dev-dependencies" {
						c.tests = append(c.tests, dir)
					} else {
						c.uses = append(c.uses, dir)
					}
				})
			}
		}
		crates = append(crates, c)
	}
	return crates, nil
}

// placed tells the dependencies of a table that lie in the tree, by name and folder; shared
// are those of the workspace, patched those that it takes in place of others.
func placed(dir string, dependencies, shared, patched manifest.Table, tell func(name, dir string)) {
	for name, v := range dependencies {
		t, _ := v.(manifest.Table)
		if p, is := t["path"].(string); is {
			tell(name, path.Join(dir, p))
		} else if in, is := patched[name].(string); is {
			tell(name, in)
		} else if in, is := shared[name].(string); is && t["workspace"] == true {
			tell(name, in)
		}
	}
}

// cargoPrograms are the programs that "cargo run" runs in a folder, by its arguments. An
// alias of the project is followed.
func (r *running) cargoPrograms(dir string, words []string) ([]program, error) {
	for _, folder := range []string{dir, "."} {
		alias, err := r.cargoAlias(folder, words)
		if err != nil {
			return nil, err
		}
		if alias != nil {
			words = alias
			break
		}
	}
	at := slices.IndexFunc(words, func(w string) bool { return w == "run" || w == "r" })
	if at < 0 {
		return nil, nil
	}
	kind, target, name, in := "", "", "", ""
	args := words[at+1:]
	if end := slices.Index(args, "--"); end >= 0 {
		args = args[:end]
	}
	for i := range args {
		option, value, glued := strings.Cut(args[i], "=")
		if !glued && i+1 < len(args) {
			value = args[i+1]
		}
		switch option {
		case "--bin", "--example":
			kind, target = option[2:], value
		case "-p", "--package":
			name = value
		case "--manifest-path":
			in = path.Join(dir, path.Dir(value))
		}
	}
	crates, err := r.crateList()
	here := nearestCrate(dir, crates)
	if in == "" && name == "" {
		in = here
	}
	var p program
	for _, c := range crates {
		if name != "" && c.name == name || name == "" && (c.dir == in || kind != "") {
			r.addTarget(&p, c, kind, target, name != "" || in != here)
		}
	}
	return []program{p}, err
}

// addTarget adds the sources of a program of a crate. apart: the command names the crate. It
// is all of the program where it depends on another one of the tree and has no library.
func (r *running) addTarget(p *program, c crate, kind, target string, apart bool) {
	file, whole := path.Join(c.dir, "src/main.rs"), apart && len(c.uses) > 0 && r.Before[path.Join(c.dir, "src/lib.rs")].Path == ""
	if listed := c.targets[[2]string{kind, target}]; listed != "" {
		file, whole = listed, path.Base(listed) == "main.rs" && listed != file
	} else if kind == "example" || kind == "bin" && target != c.name {
		stem := path.Join(c.dir, map[string]string{"bin": "src/bin", "example": "examples"}[kind], target)
		if file, whole = stem+".rs", false; r.Before[file].Path == "" {
			file, whole = stem+"/main.rs", true
		}
	}
	if r.Before[file].Path == "" {
		return
	}
	p.sources = append(p.sources, file)
	for _, f := range r.Base {
		if whole && proof.LanguageOf(f.Path) == "rust" && strings.HasPrefix(f.Path, proof.DirOf(file)+"/") {
			p.all = append(p.all, f.Path)
		}
	}
}

// nearestCrate is the folder of the crate that holds a folder.
func nearestCrate(dir string, crates []crate) string {
	for ; ; dir = proof.DirOf(dir) {
		if dir == "." || slices.ContainsFunc(crates, func(c crate) bool { return c.dir == dir }) {
			return dir
		}
	}
}

// cargoAlias returns the arguments of cargo that an alias in a folder stands for.
func (d *Diff) cargoAlias(dir string, words []string) ([]string, error) {
	for _, name := range []string{".cargo/config.toml", ".cargo/config"} {
		f, here := d.Before[path.Join(dir, name)]
		if !here {
			continue
		}
		data, err := d.Content(f.ID)
		if err != nil {
			return nil, err
		}
		var t manifest.Table
		if toml.Unmarshal(data, &t) != nil {
			continue
		}
		for i, w := range words {
			for _, v := range manifest.At(t, []string{"alias", w}) {
				switch v := v.(type) {
				case string:
					for _, c := range shell.Split(v) {
						return slices.Concat(words[:i], c.Words, words[i+1:]), nil
					}
				case []any:
					out := slices.Clone(words[:i])
					for _, one := range v {
						s, _ := one.(string)
						out = append(out, s)
					}
					return append(out, words[i+1:]...), nil
				}
			}
		}
	}
	return nil, nil
}

// helpsTests reports whether a source of Rust belongs to a crate that only tests use: no
// crate of the tree depends on it but for its tests, it has neither a program nor tests of
// its own, and those that use it have sources which they test.
func (d *Diff) helpsTests(f proof.File) (bool, error) {
	if proof.LanguageOf(f.Path) != "rust" || !proof.IsFile(f) {
		return false, nil
	}
	crates, err := d.crateList()
	if err != nil || len(crates) < 2 {
		return false, err
	}
	dir, used := nearestCrate(proof.DirOf(f.Path), crates), false
	for _, c := range crates {
		switch {
		case c.dir == dir && len(c.targets) > 0, c.dir != dir && slices.Contains(c.uses, dir):
			return false, nil
		case c.dir != dir && slices.Contains(c.tests, dir):
			used = used || d.hasSources(c)
		}
	}
	if !used || d.Before[path.Join(dir, "src/main.rs")].Path != "" {
		return false, nil
	}
	files, more, err := d.reading(func(q proof.File) bool {
		return proof.LanguageOf(q.Path) == "rust" && nearestCrate(proof.DirOf(q.Path), crates) == dir
	})
	for _, q := range files {
		data, bad := d.Content(q.ID)
		if _, test := proof.IsTest(strings.TrimPrefix(q.Path, dir+"/")); bad != nil || test || definesTests["rust"].MatchString(string(data)) || strings.Contains(string(data), "#[cfg(test)]") {
			return false, bad
		}
	}
	return !more, err
}

// hasSources reports whether a crate has sources of its own beside its tests.
func (d *Diff) hasSources(c crate) bool {
	for p := range d.Before {
		if proof.LanguageOf(p) == "rust" && strings.HasPrefix(p, path.Join(c.dir, "src")+"/") {
			return true
		}
	}
	return false
}
