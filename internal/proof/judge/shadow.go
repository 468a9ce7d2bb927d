package judge

import (
	"path"
	"slices"
	"strings"
	"sync"

	"ralph/internal/proof"
	"ralph/internal/proof/manifest"
)

// shadows reports whether an added file would be loaded in place of an interpreter's
// library or a runner, or would satisfy a target of make.
func (r *reach) shadows(p string) bool {
	return r.tasks[p] || r.shadowsTask(p) || r.shadowsPython(p) || r.shadowsModule(p)
}

// shadowsTask: a folder that is named like a target hides the target as a file does.
func (r *reach) shadowsTask(p string) bool {
	for dir := proof.DirOf(p); dir != "."; dir = proof.DirOf(dir) {
		if r.tasks[dir] {
			return true
		}
	}
	return false
}

// shadowsPython: Python looks for modules in the folder of the script, in the root
// of the tests and in the current folder before its library. Modules within a package
// are imported by the name of the package and hide nothing.
func (d *Diff) shadowsPython(p string) bool {
	name, rest, nested := strings.Cut(p, "/")
	for dir := "."; ; {
		if d.shadowsIn(dir, name, nested || isLinkedFolder(d.After[p])) {
			return true
		}
		if !nested {
			return false
		}
		dir = path.Join(dir, name)
		if _, pkg := d.After[path.Join(dir, "__init__.py")]; pkg && dir != "src" && dir != "lib" {
			return false
		}
		name, rest, nested = strings.Cut(rest, "/")
	}
}

// shadowsIn reports whether a file or folder of a folder on Python's path has the name
// of a module. Deeper folders are no roots by convention, unless the gate runs there.
func (d *Diff) shadowsIn(dir, name string, folder bool) bool {
	module, ext, _ := strings.Cut(name, ".")
	if folder {
		module = name
	} else if !slices.Contains([]string{"py", "pyc", "so", "pyd"}, ext) && !strings.HasSuffix(ext, ".so") {
		return false
	}
	if slices.Contains(manifest.PythonTools(), module) {
		return d.hasPython(dir, name, folder)
	}
	roots := []string{".", "src", "lib", "tests", d.gateDir()}
	switch {
	case !slices.Contains(roots, dir):
		return false
	case slices.Contains(pytestImports(), module):
		return !folder || d.becomesPackage(path.Join(dir, name))
	}
	return slices.Contains(pythonLibrary(), module) && d.hasPython(dir, name, folder)
}

// becomesPackage reports whether the work made a folder, or a link, a package: Python prefers an
// installed package to a folder without __init__.
func (d *Diff) becomesPackage(folder string) bool {
	if isLinkedFolder(d.After[folder]) {
		return true
	}
	for p := range d.After {
		if _, had := d.Before[p]; !had && strings.HasPrefix(p, folder+"/__init__.") {
			return true
		}
	}
	return false
}

// hasPython: a folder shadows a module only if it holds Python files.
func (d *Diff) hasPython(dir, name string, folder bool) bool {
	if !folder || isLinkedFolder(d.After[path.Join(dir, name)]) {
		return true
	}
	prefix := path.Join(dir, name) + "/"
	for p := range d.After {
		if strings.HasPrefix(p, prefix) && proof.LanguageOf(p) == "python" {
			return true
		}
	}
	return false
}

// shadowsModule: a Go module inside another one takes its folder out of ./..., which
// matters where the base has files in it.
func (d *Diff) shadowsModule(p string) bool {
	if path.Base(p) != "go.mod" || !d.baseHas(proof.DirOf(p)) {
		return false
	}
	for dir := proof.DirOf(p); dir != "."; {
		dir = proof.DirOf(dir)
		if _, outer := d.Before[path.Join(dir, "go.mod")]; outer {
			return true
		}
	}
	return false
}

// pytestImports are the packages that pytest and pluggy import, besides manifest.PythonTools.
var pytestImports = sync.OnceValue(func() []string {
	return strings.Fields(`attr attrs packaging exceptiongroup tomli colorama pygments typing_extensions importlib_metadata zipp`)
})

// pythonLibrary is the standard library of Python 3.8 to 3.14.
var pythonLibrary = sync.OnceValue(func() []string {
	return strings.Fields(`abc aifc antigravity annotationlib argparse array ast asynchat asyncio asyncore atexit audioop base64 bdb binascii bisect builtins bz2
		cProfile calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall compression concurrent configparser contextlib
		contextvars copy copyreg crypt csv ctypes curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ensurepip
		enum errno faulthandler fcntl filecmp fileinput fnmatch formatter fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp
		gzip hashlib heapq hmac html http idlelib imaplib imghdr imp importlib inspect io ipaddress itertools json keyword lib2to3 linecache locale
		logging lzma mailbox mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib nt ntpath nturl2path
		numbers opcode operator optparse os ossaudiodev parser pathlib pdb pickle pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint
		profile pstats pty pwd py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource rlcompleter runpy
		sched secrets select selectors shelve shlex shutil signal site smtpd smtplib sndhdr socket socketserver spwd sqlite3 sre_compile
		sre_constants sre_parse ssl stat statistics string stringprep struct subprocess sunau symbol symtable sys sysconfig syslog tabnanny tarfile
		telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib trace traceback tracemalloc tty turtle
		turtledemo types typing unicodedata unittest urllib uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib xml
		xmlrpc zipapp zipfile zipimport zlib zoneinfo`)
})
