package proc

import "os/exec"

// Find is the file that a command would start.
func Find(_ []string, name string) (string, error) { return exec.LookPath(name) }
