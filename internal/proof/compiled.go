package proof

import (
	"bytes"
	"path"
	"slices"
	"strings"
)

// compiled are the endings of files that hold code in a form that is not searched:
// machine code, byte code, packages and archives, and objects of Python whose reading runs
// code.
var compiled = []string{
	".pyc", ".pyo", ".pyd", ".so", ".dylib", ".dll", ".node", ".a", ".o", ".lib", ".syso", ".rlib", ".class", ".jar", ".war", ".dex", ".wasm", ".exe",
	".whl", ".egg", ".zip", ".s", ".asm", ".pyz", ".beam", ".phar", ".gem", ".tgz", ".tar", ".gz", ".bz2", ".xz", ".zst", ".crate", ".pkl", ".pickle", ".joblib", ".dill", ".luac",
}

// magics begin files of machine code and byte code, and pickles.
var magics = [][]byte{
	[]byte("\x7fELF"), []byte("\xcf\xfa\xed\xfe"), []byte("\xca\xfe\xba\xbe"), []byte("MZ\x90\x00"), []byte("\x00asm"), []byte("!<arch>\n"),
	[]byte("\x80\x03"), []byte("\x80\x04\x95"), []byte("\x80\x05\x95"),
}

func isCompiled(p string) bool {
	ext := strings.ToLower(path.Ext(p))
	return slices.Contains(compiled, ext) || strings.Contains(path.Base(p), ".so.")
}

func holdsCode(data []byte) bool {
	return slices.ContainsFunc(magics, func(m []byte) bool { return bytes.HasPrefix(data, m) }) || len(data) > 16 && data[2] == '\r' && data[3] == '\n' && data[1] < 16
}

// shadowsSource reports whether a path is compiled code that Python loads in place of a
// source: byte code, or a library of the name of a module.
func (d *diff) shadowsSource(p string) bool {
	name := path.Base(p)
	ext := strings.ToLower(path.Ext(p))
	if ext == ".pyc" || ext == ".pyo" || within(p, func(folder string) bool { return folder == "__pycache__" }) {
		return true
	}
	if ext != ".so" && ext != ".pyd" && ext != ".dylib" {
		return false
	}
	stem := path.Join(dirOf(p), before(name, "."))
	for _, source := range []string{stem + ".py", stem + "/__init__.py"} {
		_, had := d.base[source]
		if _, has := d.work[source]; had || has {
			return true
		}
	}
	return false
}

// opaque are the changed files of the product that hold code which cannot be searched.
// Of the others only those are read that have no ending of a known language, at most
// mostSuspectFiles.
func opaque(base, work map[string]File, content func(id string) ([]byte, error)) (found []Suspect, all bool, err error) {
	read := 0
	all = true
	for _, p := range sortedPaths(work) {
		f := work[p]
		if _, test := isTest(p); test || f.ID == base[p].ID || !isFile(f) {
			continue
		}
		code := isCompiled(p)
		if !code && languageOf(p) == "" && !isDocument(strings.ToLower(p)) && !plainData(p) {
			if read++; read > mostSuspectFiles {
				all = false
				continue
			}
			data, err := content(f.ID)
			if err != nil {
				return nil, false, err
			}
			code = holdsCode(data)
		}
		if code {
			found = append(found, Suspect{Path: p, What: hiddenCode})
		}
	}
	return found, all, nil
}

// plainData are files whose readers run nothing.
func plainData(p string) bool {
	return slices.Contains([]string{".json", ".yaml", ".yml", ".toml", ".csv", ".html", ".css", ".svg", ".png", ".jpg", ".jpeg", ".gif", ".xml", ".sql", ".lock", ".sum", ".mod"}, strings.ToLower(path.Ext(p)))
}
