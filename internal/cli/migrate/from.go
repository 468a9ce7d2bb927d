package migrate

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/migrate"
)

// look is one place to look at: all of some kinds below a root, or one file.
type look struct {
	root  string
	file  string // within root; empty: look for kinds
	kinds []migrate.Kind
	// prefix makes the paths in root relative to the main tree, or absolute.
	prefix string
}

// looks are the places that --from names; without it, the main tree.
func (m *migration) looks(from []string) ([]look, error) {
	main := m.p.Place.MainRoot
	if len(from) == 0 {
		return []look{{root: main}}, nil
	}
	var out []look
	whole := look{root: main}
	for _, name := range from {
		if k := migrate.Kind(name); slices.Contains(migrate.Kinds(), k) {
			whole.kinds = append(whole.kinds, k)
			continue
		}
		l, err := m.lookAt(name)
		if err != nil {
			return nil, err
		}
		l.prefix = prefixOf(main, l.root)
		out = append(out, l)
	}
	if len(whole.kinds) > 0 {
		out = append([]look{whole}, out...)
	}
	return out, nil
}

// lookAt finds out what a path means: a file, what a runner keeps, or a project.
func (m *migration) lookAt(name string) (look, error) {
	at := name
	if !filepath.IsAbs(at) {
		at = filepath.Join(m.Dir, at)
	}
	if resolved, err := filepath.EvalSymlinks(filepath.Dir(at)); err == nil {
		at = filepath.Join(resolved, filepath.Base(at))
	}
	info, err := os.Stat(at)
	if err != nil {
		return look{}, exit.UsageError("ralph migrate --help lists the kinds", "--from %s: it is no kind, and no file or folder of that name is there", name)
	}
	if !info.IsDir() {
		root := filepath.Dir(at)
		if top, _, ok := migrate.Place(filepath.ToSlash(at)); ok {
			root = filepath.FromSlash(top)
		}
		file, err := filepath.Rel(root, at)
		return look{root: root, file: filepath.ToSlash(file)}, err
	}
	if root, kinds, ok := migrate.Place(filepath.ToSlash(at)); ok {
		return look{root: filepath.FromSlash(root), kinds: kinds}, nil
	}
	if !slices.ContainsFunc(migrate.Traces(), func(t string) bool {
		_, err := os.Lstat(filepath.Join(at, filepath.FromSlash(t)))
		return err == nil
	}) {
		return look{}, exit.UsageError("name a file, or a folder such as .aiwg/ralph", "--from %s: no state of another runner lies there", name)
	}
	return look{root: at}, nil
}

// prefixOf is what stands before a path in root, so that one file has one name
// wherever the command is called.
func prefixOf(main, root string) string {
	if rel, err := filepath.Rel(main, root); err == nil && filepath.IsLocal(rel) {
		if rel == "." {
			return ""
		}
		return filepath.ToSlash(rel) + "/"
	}
	return strings.TrimSuffix(filepath.ToSlash(root), "/") + "/"
}

// see reads. Through os.Root nothing leads out of the tree.
func (l look) see() (migrate.Seen, error) {
	root, err := os.OpenRoot(l.root)
	if err != nil {
		return migrate.Seen{}, fmt.Errorf("look for other runners: %w", err)
	}
	defer root.Close()
	return l.renamed(l.seeIn(root.FS())), nil
}

func (l look) seeIn(fsys fs.FS) migrate.Seen {
	if l.file != "" {
		return migrate.LookAt(fsys, l.file)
	}
	return migrate.Look(fsys, l.kinds...)
}

func (l look) renamed(s migrate.Seen) migrate.Seen {
	for i := range s.Found {
		s.Found[i].Source = l.prefix + s.Found[i].Source
	}
	for i := range s.Folders {
		s.Folders[i].Path = l.prefix + s.Folders[i].Path
		if r := s.Folders[i].Registry; r != nil {
			r.Source = l.prefix + r.Source
		}
		for j := range s.Folders[i].Lessons {
			s.Folders[i].Lessons[j].Source = l.prefix + s.Folders[i].Lessons[j].Source
		}
	}
	for _, e := range s.Problems {
		e.Path = l.prefix + e.Path
	}
	return s
}
