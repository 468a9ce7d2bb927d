package launch

import (
	"slices"
	"testing"

	"github.com/spf13/cobra"
)

// TestGiven: the flags of a call are typed again as they were meant, without those for one
// call.
func TestGiven(t *testing.T) {
	t.Parallel()
	var f Flags
	var got []string
	cmd := &cobra.Command{Use: "run", RunE: func(cmd *cobra.Command, _ []string) error { got = Given(cmd); return nil }}
	f.Add(cmd)
	cmd.SetArgs([]string{"plan.md", "--until", "go test ./...", "--until=make lint", "--fresh", "--approve-plan=review", "--auto-test-fix", "--trust-plan", "--parallel", "2"})
	if err := cmd.Execute(); err != nil {
		t.Fatal(err)
	}
	want := []string{"--approve-plan=review", "--auto-test-fix", "--parallel", "2", "--trust-plan", "--until", "go test ./...", "--until", "make lint"}
	if !slices.Equal(got, want) {
		t.Errorf("%q\nwant %q", got, want)
	}
}
