package worker

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"ralph/internal/agent"
	"ralph/internal/agent/registry"
	"ralph/internal/loop"
)

// mostSettings bounds the files that are looked at in the folders of agents.
const mostSettings = 2000

// settings are the files in the folders of agents that later sessions obey: the loop's
// agent writes these folders for real. The values tell one version of a file from
// another.
func (w *Worker) settings(s loop.State, env []string) map[string]string {
	found, names := map[string]string{}, registry.Collect(func(f agent.Footprint) []string { return f.Settings })
	if n, ok := registry.Find(s.Agent.Use); ok && len(n.Footprint().Settings) > 0 {
		names = n.Footprint().Settings
	}
	for _, dir := range w.stateDirs(s, env) {
		for _, name := range names {
			_ = filepath.WalkDir(filepath.Join(dir, name), func(path string, d fs.DirEntry, err error) error {
				if len(found) == mostSettings {
					return fs.SkipAll
				}
				if err == nil && !d.IsDir() {
					found[path] = version(path)
				}
				return nil
			})
		}
	}
	return found
}

// version reads the content of small files: the agent can set the time of a file.
func version(path string) string {
	const small = 64 << 10
	info, err := os.Lstat(path)
	if err != nil {
		return ""
	}
	content := ""
	switch {
	case info.Mode()&os.ModeSymlink != 0:
		content, _ = os.Readlink(path)
	case info.Mode().IsRegular() && info.Size() <= small:
		data, _ := os.ReadFile(path)
		content = fmt.Sprintf("%x", sha256.Sum256(data))
	}
	return fmt.Sprint(info.Mode(), info.Size(), info.ModTime().UnixNano(), content)
}

// changedSettings names those that a run of the agent changed, added or removed.
func changedSettings(before, after map[string]string) (notes []string) {
	const most = 5
	all := maps.Clone(before)
	maps.Copy(all, after)
	for _, path := range slices.Sorted(maps.Keys(all)) {
		if before[path] != after[path] && len(notes) < most {
			notes = append(notes, "changed "+path+loop.ObeyedNote)
		}
	}
	return notes
}
