package sandbox

import (
	"os"
	"path/filepath"
)

// Settle makes the folders that an agent keeps its state in and that are not there
// yet. Under Landlock nothing new is made in a home, and an agent that has never
// run there could not start. Who may not make them is told by the agent.
func (p Profile) Settle(agent string) {
	home := p.home()
	if home == "" {
		return
	}
	for _, dir := range append(p.houses(home, agent), p.first("XDG_CACHE_HOME", filepath.Join(home, ".cache"))) {
		_ = os.MkdirAll(dir, 0o700)
	}
}

// houses are where an agent that ralph knows keeps its state.
func (p Profile) houses(home, agent string) []string {
	switch agent {
	case "claude":
		return []string{p.first("CLAUDE_CONFIG_DIR", filepath.Join(home, ".claude"))}
	case "codex":
		return []string{p.first("CODEX_HOME", filepath.Join(home, ".codex"))}
	case "gemini":
		return []string{filepath.Join(p.first("GEMINI_CLI_HOME", home), ".gemini")}
	case "opencode":
		return []string{
			filepath.Join(p.first("XDG_CONFIG_HOME", filepath.Join(home, ".config")), agent),
			filepath.Join(p.first("XDG_DATA_HOME", filepath.Join(home, ".local/share")), agent),
			filepath.Join(p.first("XDG_STATE_HOME", filepath.Join(home, ".local/state")), agent),
			filepath.Join(p.first("XDG_CACHE_HOME", filepath.Join(home, ".cache")), agent),
		}
	}
	return nil
}

// first is what a variable says, or else the usual place.
func (p Profile) first(variable, usual string) string {
	if dir := p.get(variable); filepath.IsAbs(dir) {
		return dir
	}
	return usual
}
