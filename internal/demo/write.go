package demo

import (
	"embed"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

//go:embed all:assets
var assets embed.FS

// The directories that Write fills.
const (
	ProjectDir = "project"
	ScriptDir  = "scripts"
)

// Write writes the variant's project and scenarios below dir, which exists. A paced
// agent pauses, so that a user can follow.
func (v Variant) Write(dir string, paced bool) error {
	for _, from := range []string{"assets/shared", "assets/" + v.Name + "/project"} {
		if err := copyTree(filepath.Join(dir, ProjectDir), from); err != nil {
			return fmt.Errorf("write the demonstration's project: %w", err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, ScriptDir), 0o755); err != nil {
		return fmt.Errorf("write the demonstration's scripts: %w", err)
	}
	for _, s := range Stories() {
		if err := os.WriteFile(ScriptFile(dir, s), []byte(v.Script(s, paced)), 0o644); err != nil {
			return fmt.Errorf("write the demonstration's scripts: %w", err)
		}
	}
	return v.writePlan(dir, paced)
}

// ScriptFile returns the path of a story's scenario.
func ScriptFile(dir string, s Story) string {
	return filepath.Join(dir, ScriptDir, s.Name+".yaml")
}

// Script returns the scenario of a story, comments included.
func (v Variant) Script(s Story, paced bool) string {
	text, err := assets.ReadFile("assets/" + v.Name + "/" + s.Name + ".yaml")
	if err != nil {
		panic(err) // embedded: a test reads them all
	}
	if paced {
		return string(text)
	}
	return hurried(string(text))
}

// hurried removes the pauses, which have lines of their own and are never the first
// step of an attempt.
func hurried(script string) string {
	var b strings.Builder
	for line := range strings.Lines(script) {
		if !strings.HasPrefix(line, "    - sleep: ") {
			b.WriteString(line)
		}
	}
	return b.String()
}

func copyTree(to, from string) error {
	return fs.WalkDir(assets, from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		at := filepath.Join(to, filepath.FromSlash(strings.TrimPrefix(strings.TrimPrefix(name, from), "/")))
		if d.IsDir() {
			return os.MkdirAll(at, 0o755)
		}
		text, err := assets.ReadFile(name)
		if err != nil {
			return err
		}
		return os.WriteFile(at, text, 0o644)
	})
}
