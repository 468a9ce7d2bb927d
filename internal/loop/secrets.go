package loop

import (
	"fmt"
	"strings"
)

// SecretPolicy is what becomes of work whose commits add secrets.
type SecretPolicy string

// SecretsWarn names them for the person who accepts the work; empty is the same.
// SecretsBlock refuses the attempt; with SecretsOff nothing is searched.
const (
	SecretsOff   SecretPolicy = "off"
	SecretsWarn  SecretPolicy = "warn"
	SecretsBlock SecretPolicy = "block"
)

// failedSecrets is the FailedGate of an attempt whose commits add secrets.
const failedSecrets = "secrets"

// leaks reports whether the commits of an attempt add secrets that are not allowed.
func (s *State) leaks(a *Attempt) bool { return s.Secrets == SecretsBlock && len(a.Secrets) > 0 }

// leakWords are the failure, and how to get rid of it: what a later commit removes
// is still in the history that accept merges.
func (s *State) leakWords(a *Attempt) string {
	return fmt.Sprintf("the commits add what looks like a secret (%s); remove it, and from the history too: git reset --soft %.12s, then leave the changes uncommitted",
		strings.Join(a.Secrets, ", "), s.Base)
}
