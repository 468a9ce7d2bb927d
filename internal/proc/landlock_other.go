//go:build !linux

package proc

// LandlockABI returns 0: there is no Landlock here.
func LandlockABI() int { return 0 }
