package agenttest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

// AccountCase is a home and an environment, and the account that a driver must
// find there.
type AccountCase struct {
	Name string
	// Files are keyed by their path in the home. HOME/ in Env is replaced by
	// it.
	Files map[string]string
	Env   []string
	Model string

	Login   agent.Login
	Billing agent.Billing
	// What and From are compared unless they are empty.
	What, From string
	Beside     int
}

// Accounts checks the account that a driver finds, and that it explains how to
// log in only where there is no login.
func Accounts(t *testing.T, d agent.Native, cases []AccountCase) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.Name, func(t *testing.T) {
			t.Parallel()
			home := t.TempDir()
			for name, text := range tt.Files {
				path := filepath.Join(home, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			env := []string{"HOME=" + home}
			for _, kv := range tt.Env {
				env = append(env, strings.Replace(kv, "HOME/", home+"/", 1))
			}
			tt.check(t, d.Account(loop.Agent{Model: tt.Model}, env))
		})
	}
	t.Run("without a home", func(t *testing.T) {
		t.Parallel()
		if got := d.Account(loop.Agent{}, nil); got.Login == agent.LoggedIn {
			t.Errorf("got %+v", got)
		}
	})
}

func (tt AccountCase) check(t *testing.T, got agent.Account) {
	if got.Login != tt.Login || got.Billing != tt.Billing || len(got.Beside) != tt.Beside {
		t.Errorf("got %+v", got)
	}
	if tt.What != "" && got.What != tt.What || tt.From != "" && got.From != tt.From {
		t.Errorf("got %+v", got)
	}
	if (got.Login == agent.LoggedOut) != (got.Fix != "" && got.Login != agent.LoginUnknown) {
		t.Errorf("what to do about it: %+v", got)
	}
}
