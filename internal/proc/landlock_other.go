//go:build !linux

package proc

// LandlockABI is 0: there is no Landlock here.
func LandlockABI() int { return 0 }
