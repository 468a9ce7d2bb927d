package suspect

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"ralph/internal/proof"
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

// opaque are the changed files of the product that hold code which cannot be searched.
// Of the others only those are read that have no ending of a known language, at most
// mostSuspectFiles.
func opaque(base, work map[string]proof.File, content func(id string) ([]byte, error)) (found []Finding, all bool, err error) {
	read := 0
	all = true
	for _, p := range proof.SortedPaths(work) {
		f := work[p]
		if _, test := proof.IsTest(p); test || f.ID == base[p].ID || !proof.IsFile(f) {
			continue
		}
		code := isCompiled(p)
		if !code && proof.LanguageOf(p) == "" && !proof.IsDocument(strings.ToLower(p)) && !plainData(p) {
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
			found = append(found, Finding{Path: p, What: hiddenCode})
		}
	}
	return found, all, nil
}

// plainData are files whose readers run nothing.
func plainData(p string) bool {
	return slices.Contains([]string{".json", ".yaml", ".yml", ".toml", ".csv", ".html", ".css", ".svg", ".png", ".jpg", ".jpeg", ".gif", ".xml", ".sql", ".lock", ".sum", ".mod"}, strings.ToLower(path.Ext(p)))
}
