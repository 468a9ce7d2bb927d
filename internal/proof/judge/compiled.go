package judge

import (
	"path"
	"strings"

	"ralph/internal/proof"
	"ralph/internal/proof/syntax"
)

// shadowsSource reports whether a path is compiled code that Python loads in place of a
// source: byte code, or a library of the name of a module.
func (d *Diff) shadowsSource(p string) bool {
	name := path.Base(p)
	ext := strings.ToLower(path.Ext(p))
	if ext == ".pyc" || ext == ".pyo" || proof.Within(p, func(folder string) bool { return folder == "__pycache__" }) {
		return true
	}
	if ext != ".so" && ext != ".pyd" && ext != ".dylib" {
		return false
	}
	stem := path.Join(proof.DirOf(p), syntax.Before(name, "."))
	for _, source := range []string{stem + ".py", stem + "/__init__.py"} {
		_, had := d.Before[source]
		if _, has := d.After[source]; had || has {
			return true
		}
	}
	return false
}
