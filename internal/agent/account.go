package agent

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/loop"
)

// Account describes the account that pays for a program's runs, as far as
// its files and its environment show.
// No process is started; of a secret only its existence is kept.
type Account struct {
	Login Login `json:"login"`
	// Billing is the kind of account, empty where unknown.
	Billing Billing `json:"billing,omitempty"`
	// The description of the account; From is the variable or the file that
	// shows it.
	What string `json:"what,omitempty"`
	From string `json:"from,omitempty"`
	// Beside are further logins that this one overrides.
	Beside []string `json:"beside,omitempty"`
	// Fix is how to log in.
	Fix string `json:"fix,omitempty"`
}

// LoginFix returns how to log in to the program of a; empty where its driver does
// not know.
func LoginFix(d Driver, a loop.Agent) string {
	n, ok := d.(Native)
	if !ok {
		return ""
	}
	return n.Account(a, nil).Fix // what it says where there is no login at all
}

// Login is whether a program can reach its provider.
type Login string

// Unknown is where a program hides its login, in the system's keyring for
// instance, or where it needs none.
const (
	LoggedIn     Login = "yes"
	LoggedOut    Login = "no"
	LoginUnknown Login = "unknown"
)

// Billing is a kind of account.
type Billing string

// The kinds: per token, within a subscription's quota, a cloud's own account, or
// another provider.
const (
	BilledKey          Billing = "api_key"
	BilledSubscription Billing = "subscription"
	BilledCloud        Billing = "cloud"
	BilledOther        Billing = "other"
)

// Logins collects the logins found, in the order in which a program uses them.
type Logins struct {
	found []Account
}

// Add records a login.
func (l *Logins) Add(b Billing, what, from string) {
	l.found = append(l.found, Account{Login: LoggedIn, Billing: b, What: what, From: from})
}

// First returns the login that the program uses, or otherwise if there is none.
func (l *Logins) First(otherwise Account) Account {
	if len(l.found) == 0 {
		return otherwise
	}
	first := l.found[0]
	for _, other := range l.found[1:] {
		first.Beside = append(first.Beside, other.What+" ("+other.From+")")
	}
	return first
}

// Variable returns the last value of a name in env.
func Variable(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// Folder returns the folder of a program's files: the value of a variable, or a
// folder in the HOME of env. Where neither is known it returns a folder that
// cannot exist.
func Folder(env []string, variable string, inHome ...string) string {
	if dir := Variable(env, variable); variable != "" && filepath.IsAbs(dir) {
		return dir
	}
	home := Variable(env, "HOME")
	if !filepath.IsAbs(home) {
		return os.DevNull
	}
	return filepath.Join(append([]string{home}, inHome...)...)
}

// maxAccountFile bounds what is read of a program's files.
const maxAccountFile = 8 << 20

// ReadObject reads a JSON object into v and reports whether it could.
func ReadObject(path string, v any) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxAccountFile {
		return false
	}
	text, err := os.ReadFile(path)
	return err == nil && json.Unmarshal(text, v) == nil
}
