package shell

import (
	"fmt"
	"strings"
	"testing"
)

func TestHereDocuments(t *testing.T) {
	t.Parallel()
	for script, want := range map[string]string{
		"":                         "[]",
		"cat <<EOF":                "[]",
		"cat <<EOF\na":             "[]",
		"cat <<EOF\nEOF":           "[{0 1 1}]",
		"x\ncat <<EOF\na\nb\nEOF":  "[{1 2 4}]",
		"cat <<-'EOF'\n\ta\n\tEOF": "[{0 1 2}]",
		"cat << \"A B\"\nA":        "[{0 1 1}]",
		"<<\\E cat\nE\ncat <<E\nE": "[{0 1 1} {2 3 3}]",
		"cat <<A\nb <<B\nA\nB":     "[{0 1 2}]",
		"cat <<<A\nA":              "[]",
		"echo $((1 << 3))\n3":      "[]",
	} {
		if got := fmt.Sprint(HereDocuments(strings.Split(script, "\n"))); got != want {
			t.Errorf("%q: %s, want %s", script, got, want)
		}
	}
}
