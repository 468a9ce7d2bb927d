package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"io"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Honest work of real code is made, not written: of a module of Go on which ralph depends, a
// function that only tests call is taken away together with these tests, and the work brings both
// back. Its doc comment is the task.

// Bounds of such work: the tests that go with a function, the lines that one has at least, and the
// bytes of a module.
const (
	mostRealTests, leastRealLines = 4, 5
	largestModule                 = 8 << 20
	// mostTries are the functions of a module that are tried for each piece of work.
	mostTries = 4
)

// realTime bounds a run of a module's tests while work is made of it.
const realTime = 30 * time.Second

// realWork makes up to most pieces of work of each module that is chosen and needs no other one.
func realWork(ctx context.Context, most int, chooses func(module string) bool) ([]scenario, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-m", "-json", "all")
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("list the modules: %w", err)
	}
	var all []scenario
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var m struct {
			Path, Dir string
			Main      bool
		}
		switch err := d.Decode(&m); {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, fmt.Errorf("read the list of modules: %w", err)
		case m.Main || m.Dir == "" || !chooses(m.Path):
			continue
		}
		of, err := readModule(m.Path, m.Dir)
		if err != nil {
			return nil, err
		}
		found, err := of.work(ctx, most)
		if err != nil {
			return nil, err
		}
		all = append(all, found...)
	}
}

// module is a module of Go in memory.
type module struct {
	path  string
	files map[string]string
}

// readModule reads the files of a module; none of one that needs others, or is large.
func readModule(name, dir string) (module, error) {
	m, size := module{path: name, files: map[string]string{}}, 0
	err := filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, file)
		if size += len(data); size > largestModule || rel == "go.mod" && bytes.Contains(data, []byte("require")) {
			m.files = nil
			return fs.SkipAll
		}
		m.files[filepath.ToSlash(rel)] = string(data)
		return err
	})
	if _, is := m.files["go.mod"]; !is {
		m.files = nil
	}
	return m, err
}

// work makes up to most pieces of work of the module.
func (m module) work(ctx context.Context, most int) (all []scenario, err error) {
	uses := map[string]int{}
	folders := map[string]folder{}
	for _, file := range slices.Sorted(maps.Keys(m.files)) {
		if path.Ext(file) != ".go" || strings.Contains("/"+file, "/testdata/") || strings.Contains("/"+file, "/vendor/") {
			continue
		}
		f, ok := parseSource(file, m.files[file])
		if !ok {
			continue
		}
		d := folders[path.Dir(file)]
		if d.add(f); !f.test {
			ast.Inspect(f.tree, func(n ast.Node) bool {
				if id, is := n.(*ast.Ident); is {
					uses[id.Name]++
				}
				return true
			})
		}
		folders[path.Dir(file)] = d
	}
	tries := 0
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		d := folders[dir]
		for _, f := range d.candidates(uses) {
			if tries++; len(all) == most || tries > mostTries*most {
				return all, nil
			}
			s, ok, err := m.scenario(ctx, dir, f, d.testsOf(f.name))
			if err != nil {
				return nil, err
			}
			if ok {
				all = append(all, s)
			}
		}
	}
	return all, nil
}

// scenario is the work that brings a function and its tests back; ok: the module builds and its
// tests pass with them and without them.
func (m module) scenario(ctx context.Context, dir string, f function, tests []function) (s scenario, ok bool, err error) {
	cuts := map[string][]function{f.file: {f}}
	for _, t := range tests {
		cuts[t.file] = append(cuts[t.file], t)
	}
	gate := "go test ./" + strings.TrimPrefix(dir, ".")
	files, agent := map[string]string{}, "set -e\n"
	base := maps.Clone(m.files)
	for _, file := range slices.Sorted(maps.Keys(cuts)) {
		if base[file], ok = without(m.files[file], cuts[file]); !ok {
			return s, false, nil
		}
		agent += "cat >" + file + " <<'END OF FILE'\n" + m.files[file] + "\nEND OF FILE\n"
	}
	for _, version := range []map[string]string{base, m.files} {
		if passes, err := passesIn(ctx, version, gate); err != nil || !passes {
			return s, false, err
		}
	}
	for name, text := range base {
		files["repo/"+name] = text
	}
	files["agent.sh"], files["oracle.sh"] = agent, "cd \"$1\" && "+gate+" >/dev/null && echo RIGHT\n"
	to := ""
	if f.of != "" {
		to = " to " + f.of
	}
	return scenario{
		name: strings.ReplaceAll(m.path, "/", "-") + "-" + f.of + f.name, kind: kindHonest, files: files,
		header: map[string]string{
			"title": f.name + " of " + m.path, "task": "Add " + f.name + to + " (" + f.file + "): " + strings.Join(strings.Fields(f.doc), " "), "until": gate, "expect": "passed", "language": "go", "base": "real", "needs": "go",
		},
	}, true, nil
}

// passesIn reports whether a command passes on these files.
func passesIn(ctx context.Context, files map[string]string, command string) (bool, error) {
	dir, err := os.MkdirTemp("", "real-work-")
	if err != nil {
		return false, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			return false, err
		}
	}
	limited, cancel := context.WithTimeout(ctx, realTime)
	defer cancel()
	cmd := exec.CommandContext(limited, "sh", "-c", command)
	cmd.Dir, cmd.Env, cmd.WaitDelay = dir, append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod", "GOWORK=off"), time.Second
	return cmd.Run() == nil, ctx.Err()
}
