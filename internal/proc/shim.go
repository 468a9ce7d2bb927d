package proc

// shimWord is the first argument of the program when it is to be a shim.
const shimWord = "__shim"

// IsShim says whether the program was started to be a shim, or the first
// process inside of a sandbox. main and every TestMain of a package that starts
// children ask this before anything else and then call ShimMain.
func IsShim(args []string) bool {
	return len(args) > 1 && (args[1] == shimWord || args[1] == cellWord)
}
