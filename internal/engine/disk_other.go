//go:build !unix

package engine

func freeSpace(string) (bytes uint64, known bool) { return 0, false }

// syncDir: directories cannot be synced here.
func syncDir(string) error { return nil }
