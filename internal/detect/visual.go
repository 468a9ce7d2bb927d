package detect

import (
	"path"
	"slices"
	"strings"

	"ralph/internal/loop"
)

// visual proposes the check of pictures where there are some. It blocks only in
// projects that already mark them; elsewhere the folder may serve a manual.
func (s *scanner) visual() {
	const dir = "screenshots"
	images, marked := 0, 0
	for _, name := range s.list(dir) {
		if !slices.Contains([]string{".png", ".jpg", ".jpeg", ".gif", ".webp"}, strings.ToLower(path.Ext(name))) {
			continue
		}
		images++
		if strings.HasPrefix(name, "verified-") {
			marked++
		}
	}
	if images == 0 {
		return
	}
	g := loop.Gate{Kind: loop.KindVisual, Images: dir, Level: loop.Soft}
	if marked > 0 {
		g.Level = loop.Hard
	}
	s.propose(g, "images", "", dir, "a folder of pictures")
}

// submodules are empty in a fresh worktree.
func (s *scanner) submodules() {
	if s.dir == "" && s.first(".gitmodules") != "" {
		s.setup("git submodule update --init --recursive", "", ".gitmodules")
	}
}
