package store

import "io/fs"

// foreign is unknown here: the file modes that Windows reports say nothing.
func foreign(fs.FileInfo) string { return "" }

// syncDir does nothing: directories cannot be synced.
func syncDir(string) error { return nil }
