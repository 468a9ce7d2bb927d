package proc

import "os"

// cell does not exist here: package sandbox offers nothing on this system.
func cell([]string) { os.Exit(shimUseless) }
