package team

import "strings"

// Run is the loop or plan that files belong to.
type Run struct {
	ID   string
	Plan bool
}

func (r Run) String() string {
	if r.Plan {
		return "plan " + r.ID
	}
	return "loop " + r.ID
}

func (r Run) folder() string {
	if r.Plan {
		return "plans/" + r.ID
	}
	return r.ID
}

// published reports whether other machines need a file of the run's directory. The records of
// processes belong to this machine.
func (r Run) published(path string) bool {
	parts := strings.Split(path, "/")
	if !r.Plan {
		return path == "memory.json" || parts[0] == "attempts" && len(parts) > 2 && parts[2] != "runs"
	}
	switch parts[0] {
	case "agreed", "evidence":
		return len(parts) == 2
	case "reviews": // <task's loop or plan-COMMIT>/review.json, and a folder for each reviewer and try
		return len(parts) == 3 || len(parts) == 4
	}
	return false
}
