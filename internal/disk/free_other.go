//go:build !unix

package disk

func writable(string) error { return nil }

func freeSpace(string) (bytes uint64, known bool) { return 0, false }
