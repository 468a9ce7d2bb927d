package worker

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestNamesOfSecrets(t *testing.T) {
	t.Parallel()
	for _, name := range []string{
		"MYSQL_PWD", "SSHPASS", "KEY_PASSPHRASE", "S3_ACCESS_KEY", "AWS_SECRET_ACCESS_KEY", "SIGNING_KEY", "ENCRYPTION_KEY_V2",
		"JWT", "ADMIN_JWT", "SESSION_COOKIE", "DB_PASS", "github_token", "npm_config__authToken",
	} {
		if !secret(name) {
			t.Errorf("%s is none", name)
		}
	}
	for _, name := range []string{"PWD", "OLDPWD", "GIT_ASKPASS", "COMPASS", "JWT_ISSUER", "SESSION_COOKIE_NAME", "KEYBOARD", "PATH"} {
		if secret(name) {
			t.Errorf("%s is one", name)
		}
	}
	for _, name := range []string{"NODE_SIGNING_KEY", "GO_JWT", "UV_PASSPHRASE"} {
		if allowed(name) {
			t.Errorf("a gate sees %s", name)
		}
	}
}

func TestPasswordsOfAddresses(t *testing.T) {
	t.Parallel()
	for value, want := range map[string][]string{
		"postgres://user:Wq9zRt4pLk@host/db":              {"Wq9zRt4pLk"},
		"redis://:Wq9zRt4p%2FLk@host":                     {"Wq9zRt4p%2FLk", "Wq9zRt4p/Lk"},
		"a=mysql+x://u:first-one@h,http://v:second-1@h:1": {"first-one", "second-1"},
		"postgres://postgres:postgres@localhost:5432/app": nil,
		"postgres://app:password@localhost/test":          nil,
		"amqp://guest99:guest99@localhost":                nil,
		"http://host:8080/some/@scope/x":                  nil,
		"https://host/path":                               nil,
		"git@host:path":                                   nil,
	} {
		if d := cmp.Diff(want, urlPasswords(value)); d != "" {
			t.Errorf("%s: %s", value, d)
		}
	}
	m := Masker([]string{"DATABASE_URL=postgres://user:Wq9zRt4pLk@host/db"})
	if got := m.Mask("cannot reach postgres://user:Wq9zRt4pLk@host/db"); got != "cannot reach postgres://user:(key)@host/db" {
		t.Error(got)
	}
}
