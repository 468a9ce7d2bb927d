package cli_test

import (
	"context"
	"strconv"

	"github.com/rogpeppe/go-internal/testscript"

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
