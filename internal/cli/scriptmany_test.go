package cli_test

import (
	"archive/zip"
	"context"
	"os"
	"path/filepath"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"

	"ralph/internal/kept"
	"ralph/internal/testing/manyloops"
)

// copies records many copies of a loop that has ended: copies STORE ID N.
func copies(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: copies STORE ID N")
	}
	n, err := strconv.Atoi(args[2])
	ts.Check(err)
	ts.Check(manyloops.Fill(context.Background(), ts.MkAbs(args[0]), args[1], n))
}

// unpack puts the files of an ended loop where they were while it ran: unpack FOLDER.
func unpack(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: unpack FOLDER")
	}
	dir := ts.MkAbs(args[0])
	archive, err := zip.OpenReader(filepath.Join(dir, kept.Name))
	ts.Check(err)
	defer archive.Close()
	ts.Check(os.CopyFS(dir, archive))
}
