package loop

import (
	"strings"
	"testing"
)

// TestSecretsBlock: an attempt whose commits add a secret fails before its gates.
func TestSecretsBlock(t *testing.T) {
	t.Parallel()
	leaking := func(policy SecretPolicy) *world {
		w := newWorld(t, func(s *Spec) { s.Secrets = policy })
		clean := w.commit
		w.commit = func(n int) Committed {
			e := clean(n)
			if n == 1 {
				e.Secrets = []string{"value in conf:1"}
			}
			return e
		}
		return w
	}
	s := leaking(SecretsBlock).ends(StatusPassed, Green, 2)
	a := s.Recent[0]
	if a.FailedGate != failedSecrets || len(a.Results) != 0 || !strings.Contains(a.Error, "value in conf:1") {
		t.Errorf("%+v", a)
	}
	leaking(SecretsWarn).ends(StatusPassed, Green, 1)
	leaking("").ends(StatusPassed, Green, 1)
	w := leaking(SecretsBlock)
	if w.s.Secrets = "some"; w.s.Validate() == nil {
		t.Error("an unknown policy was taken")
	}
}
