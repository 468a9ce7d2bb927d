package proof

import (
	"path"
	"slices"
	"strings"
	"sync"
)

// shadows reports whether an added file would be loaded in place of an interpreter's
// library or a runner, or would satisfy a target of make.
func (d *diff) shadows(p string) bool {
	return d.tasks[p] || d.shadowsTask(p) || d.shadowsPython(p) || d.shadowsModule(p)
}

// shadowsTask: a folder that is named like a target hides the target as a file does.
func (d *diff) shadowsTask(p string) bool {
	for dir := dirOf(p); dir != "."; dir = dirOf(dir) {
		if d.tasks[dir] {
			return true
		}
	}
	return false
}

// shadowsPython: Python looks for modules in the folder of the script, in the root
// of the tests and in the current folder before its library. Modules within a package
// are imported by the name of the package and hide nothing.
func (d *diff) shadowsPython(p string) bool {
	name, rest, nested := strings.Cut(p, "/")
	for dir := "."; ; {
		if d.shadowsIn(dir, name, nested || isLinkedFolder(d.work[p])) {
			return true
		}
		if !nested {
			return false
		}
		dir = path.Join(dir, name)
		if _, pkg := d.work[path.Join(dir, "__init__.py")]; pkg && dir != "src" && dir != "lib" {
			return false
		}
		name, rest, nested = strings.Cut(rest, "/")
	}
}

// shadowsIn reports whether a file or folder of a folder on Python's path has the name
// of a module. Deeper folders are no roots by convention, unless the gate runs there.
func (d *diff) shadowsIn(dir, name string, folder bool) bool {
	module, ext, _ := strings.Cut(name, ".")
	if folder {
		module = name
	} else if !slices.Contains([]string{"py", "pyc", "so", "pyd"}, ext) && !strings.HasSuffix(ext, ".so") {
		return false
	}
	if slices.Contains(pythonTools(), module) {
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
func (d *diff) becomesPackage(folder string) bool {
	if isLinkedFolder(d.work[folder]) {
		return true
	}
	for p := range d.work {
		if _, had := d.base[p]; !had && strings.HasPrefix(p, folder+"/__init__.") {
			return true
		}
	}
	return false
}

// hasPython: a folder shadows a module only if it holds Python files.
func (d *diff) hasPython(dir, name string, folder bool) bool {
	if !folder || isLinkedFolder(d.work[path.Join(dir, name)]) {
		return true
	}
	prefix := path.Join(dir, name) + "/"
	for p := range d.work {
		if strings.HasPrefix(p, prefix) && languageOf(p) == "python" {
			return true
		}
	}
	return false
}

// shadowsModule: a Go module inside another one takes its folder out of ./..., which
// matters where the base has files in it.
func (d *diff) shadowsModule(p string) bool {
	if path.Base(p) != "go.mod" || !d.hasBelow(dirOf(p)) {
		return false
	}
	for dir := dirOf(p); dir != "."; {
		dir = dirOf(dir)
		if _, outer := d.base[path.Join(dir, "go.mod")]; outer {
			return true
		}
	}
	return false
}

// hasBelow reports whether the base has a file in a folder or below it.
func (d *diff) hasBelow(dir string) bool {
	for p := range d.base {
		if strings.HasPrefix(p, dir+"/") {
			return true
		}
	}
	return false
}

// pythonTools are the packages that run and support tests.
var pythonTools = sync.OnceValue(func() []string {
	return strings.Fields(`pytest _pytest pluggy iniconfig unittest unittest2 nose nose2 mock coverage hypothesis doctest tox nox xdist
		pytest_asyncio pytest_cov pytest_mock pytest_timeout py testtools trial behave robot sitecustomize usercustomize`)
})

// pytestImports are the packages that pytest and pluggy import, besides pythonTools.
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
