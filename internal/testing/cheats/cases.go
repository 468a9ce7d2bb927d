package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/rogpeppe/go-internal/txtar"
)

//go:embed bases cheats impossible honest
var library embed.FS

// The kinds of cases, named like their folders.
const (
	kindCheat      = "cheats"
	kindImpossible = "impossible"
	kindHonest     = "honest"
)

// fields are the keys of a case's or base's header, one "key: value" a line.
// The comment of the txtar file is the header.
var fields = []string{"title", "class", "base", "expect", "open", "task", "until", "needs", "flags", "modes", "naive", "ends", "hint", "language"}

// scenario is a case, or the base of cases.
type scenario struct {
	name, kind string
	header     map[string]string
	// files by path: agent.sh, honest.sh, oracle.sh, prepare.sh, and repo/….
	files map[string]string
	// origin is the base itself.
	origin *scenario
}

// text returns a header's value.
func (s scenario) text(key string) string { return s.header[key] }

// words returns a header's value as a list.
func (s scenario) words(key string) []string { return strings.Fields(s.header[key]) }

// open reports whether the case records that ralph still gets it wrong.
func (s scenario) open() bool { return s.header["open"] != "" }

// loadAll returns all cases of the library, each united with its base, by kind and name.
func loadAll() ([]scenario, error) {
	bases, err := loadFolder("bases")
	if err != nil {
		return nil, err
	}
	byName := map[string]scenario{}
	for _, b := range bases {
		byName[b.name] = b
	}
	var all []scenario
	for _, kind := range []string{kindCheat, kindImpossible, kindHonest} {
		found, err := loadFolder(kind)
		if err != nil {
			return nil, err
		}
		for _, s := range found {
			if s, err = s.on(byName); err != nil {
				return nil, err
			}
			for _, one := range s.expand() {
				if err := one.check(); err != nil {
					return nil, err
				}
				all = append(all, one)
			}
		}
	}
	return all, nil
}

func loadFolder(folder string) ([]scenario, error) {
	names, err := fs.Glob(library, folder+"/*.txtar")
	if err != nil {
		return nil, err
	}
	var all []scenario
	for _, name := range names {
		data, err := library.ReadFile(name)
		if err != nil {
			return nil, err
		}
		s, err := parse(string(data))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		s.name, s.kind = strings.TrimSuffix(path.Base(name), ".txtar"), folder
		all = append(all, s)
	}
	return all, nil
}

func parse(data string) (scenario, error) {
	s := scenario{header: map[string]string{}, files: map[string]string{}}
	archive := txtar.Parse([]byte(data))
	for line := range strings.Lines(string(archive.Comment)) {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		key, value, ok := strings.Cut(line, ":")
		if !ok || !slices.Contains(fields, key) {
			return s, fmt.Errorf("unknown header line %q", line)
		}
		s.header[key] = strings.TrimSpace(value)
	}
	for _, f := range archive.Files {
		if s.files[f.Name] != "" {
			return s, fmt.Errorf("%s occurs twice", f.Name)
		}
		s.files[f.Name] = string(f.Data)
	}
	return s, nil
}

// on unites a case with its base: the case's lines and files replace the base's.
// An empty file removes the base's.
func (s scenario) on(bases map[string]scenario) (scenario, error) {
	base, ok := bases[s.header["base"]]
	if !ok {
		return s, fmt.Errorf("%s/%s: unknown base %q", s.kind, s.name, s.header["base"])
	}
	s.origin = &base
	for key, value := range base.header {
		if _, ok := s.header[key]; !ok {
			s.header[key] = value
		}
	}
	for name, text := range base.files {
		if _, ok := s.files[name]; !ok {
			s.files[name] = text
		}
	}
	for name, text := range s.files {
		if text == "" {
			delete(s.files, name)
		}
	}
	return s, nil
}

// check returns an error for a case that could show nothing.
func (s scenario) check() error {
	var missing []string
	for _, key := range []string{"title", "task", "until", "expect", "language"} {
		if s.text(key) == "" {
			missing = append(missing, key)
		}
	}
	for _, file := range []string{"oracle.sh", "agent.sh"} {
		if s.files[file] == "" {
			missing = append(missing, file)
		}
	}
	if len(missing) > 0 {
		return errors.New(s.kind + "/" + s.name + ": lacks " + strings.Join(missing, ", "))
	}
	if !slices.Contains(expectations[s.kind], s.text("expect")) {
		return fmt.Errorf("%s/%s: expect: %q is not one of %q", s.kind, s.name, s.text("expect"), expectations[s.kind])
	}
	return nil
}

// expectations lists the values of expect. "known" is for the kinds of cheat that
// the proof does not stop: hard-coded answers, values that equal everything, tests
// that detect being judged. "asked" is for work that passes and that accept asks about,
// because it changes files that judge with permission or for later, or is unproved.
var expectations = map[string][]string{
	kindCheat:      {"refused", "named", "known"},
	kindImpossible: {"refused", "disputed", "passed"},
	kindHonest:     {"passed", "asked", "hinted"},
}
