package worker

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	"ralph/internal/agent"
	"ralph/internal/proc"
)

// Unlisted returns the path of this program where `ralph` on the PATH of an environment is another
// one or none; "" where it is this one.
func (e Environment) Unlisted() string {
	self := selfPath()
	mine, err := os.Stat(self)
	if err != nil {
		return ""
	}
	if found, err := proc.Find(e, "ralph"); err == nil {
		if info, err := os.Stat(found); err == nil && os.SameFile(mine, info) {
			return ""
		}
	}
	return self
}

// withRalph makes `ralph` in the environment of an agent this program: prompts tell agents to call
// it, and a person may have started it by its path. Where PATH does not find it, a folder in the
// agent's own temporary one, with a link to it and nothing else, goes in front. Gates do not get it.
func withRalph(env []string, temp string) ([]string, error) {
	self, path := Environment(env).Unlisted(), agent.Setting(env, "PATH")
	if self == "" || path == "" || temp == "" || runtime.GOOS == "windows" {
		return nil, nil
	}
	dir := filepath.Join(temp, "ralph-bin")
	err := os.Mkdir(dir, 0o700)
	if err == nil {
		err = os.Symlink(self, filepath.Join(dir, "ralph"))
	}
	if err != nil {
		return nil, fmt.Errorf("make ralph callable for the agent: %w", err)
	}
	return []string{"PATH=" + dir + string(filepath.ListSeparator) + path}, nil
}
