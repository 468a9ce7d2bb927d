package agent

import "path/filepath"

// Footprint is what a program keeps on the machine and sets in environments,
// beside its work. Sandboxes and environments are built from the footprints of
// all drivers and name no program themselves; hooks and plugins, whose formats differ, do.
type Footprint struct {
	// State are the folders of its settings, logins and sessions.
	State []StateDir
	// Settings are the names in these folders that later sessions obey: instructions,
	// hooks, servers, further commands.
	Settings []string
	// Project are globs of files of a repository that its sessions obey, beside the folders
	// of State and the instructions among Settings: work that changes them is asked about.
	Project []string
	// Folders and Files are further names of its own below the HOME.
	Folders, Files []string
	// Versions are folders below the HOME with versions of the program, which a
	// start chooses from.
	Versions []string
	// Variables name folders of its files, beside those of State.
	Variables []string
	// Clouds are variables that choose the login of a cloud, and the folder of that
	// login below the HOME.
	Clouds map[string]string
	// Mark is the variable that a command finds which the program has started, SessionIDs
	// those with the id of the session that the program's hooks get as well.
	Mark       string
	SessionIDs []string
	// Nested are prefixes of the variables that a session sets for its commands:
	// a fresh run does not inherit them, except those that begin with one of Login.
	Nested, Login []string
	// OwnSandbox: the program starts each command in a bubblewrap of its own,
	// which mounts what Landlock rules forbid to mount. Its driver switches that
	// off where such rules of ralph's hold the run.
	OwnSandbox bool
}

// StateDir is a folder whose parent is the value of a variable, or else the
// folder Usual below the HOME. Name is empty where the parent is the folder.
type StateDir struct{ Variable, Usual, Name string }

// In returns the folder in an environment, which get reads.
func (d StateDir) In(home string, get func(string) string) string {
	parent := filepath.Join(home, d.Usual)
	if dir := get(d.Variable); filepath.IsAbs(dir) {
		parent = dir
	}
	return filepath.Join(parent, d.Name)
}

// InHome returns the name of the folder below the HOME.
func (d StateDir) InHome() string { return filepath.Join(d.Usual, d.Name) }

// AllFolders returns the names below the HOME of the folders of its files.
func (f Footprint) AllFolders() []string {
	var out []string
	for _, d := range f.State {
		out = append(out, d.InHome())
	}
	return append(out, f.Folders...)
}

// AllVariables returns the variables that name folders of its files.
func (f Footprint) AllVariables() []string {
	var out []string
	for _, d := range f.State {
		out = append(out, d.Variable)
	}
	return append(out, f.Variables...)
}
