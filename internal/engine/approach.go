package engine

import "path/filepath"

// ApproachFile is the text in which an agent describes how it will do a task of a plan:
// people read, edit and approve it. dir is the plan's folder, loop the one that wrote it.
func ApproachFile(dir, loop string) string { return filepath.Join(dir, "agreed", loop+".md") }
