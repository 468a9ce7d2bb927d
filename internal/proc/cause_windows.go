package proc

import (
	"os"

	"golang.org/x/sys/windows"
)

var lackErrors = map[error]string{
	windows.ERROR_NOT_ENOUGH_MEMORY: "", windows.ERROR_OUTOFMEMORY: "", windows.ERROR_DISK_FULL: "", windows.ERROR_NO_SYSTEM_RESOURCES: "",
	windows.ERROR_COMMITMENT_LIMIT: "",
}

// endSignal: there are no signals.
func endSignal(*os.ProcessState) string { return "" }
