package finish

import (
	"bytes"
	"strings"
	"testing"

	"ralph/internal/cli/command"
	"ralph/internal/cli/exit"
	"ralph/internal/cli/launch"
	"ralph/internal/cli/project"
	"ralph/internal/cli/runs"
)

// TestAgreeToJudges: work that changes the files that judge it is merged only when
// the user agrees; work that does not asks nothing.
func TestAgreeToJudges(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	c := &runs.Client{Builder: &launch.Builder{Opener: project.Opener{Terminal: command.Terminal{
		Streams: command.Streams{In: strings.NewReader(""), Out: &out, Err: &out}, NoInput: true,
	}}}}
	judged := runs.Work{Judges: []string{"b_test.go", "a_test.go", "a_test.go"}}
	err := New(c).agreeToJudges(t.Context(), &project.Project{}, "fix", judged)
	if err == nil || exit.Classify(err).Code != exit.Usage {
		t.Errorf("without a person: %v", err)
	}
	if !strings.Contains(err.Error()+out.String(), "(a_test.go, b_test.go)") {
		t.Errorf("the files are not named once each: %v %s", err, out.String())
	}
	c.Yes = true
	if err := New(c).agreeToJudges(t.Context(), &project.Project{}, "fix", judged); err != nil {
		t.Errorf("with --yes: %v", err)
	}
	c.Yes = false
	if err := New(c).agreeToJudges(t.Context(), &project.Project{}, "fix", runs.Work{}); err != nil {
		t.Errorf("nothing to agree to: %v", err)
	}
}
