package agent

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/loop"
)

// Account is who pays for a program's runs, as far as its files and its
// environment tell. Nothing is started for it and nothing is asked of anybody;
// of a secret nothing is kept but that it is there.
type Account struct {
	Login Login `json:"login"`
	// Billing is the kind of account, empty where nothing is known.
	Billing Billing `json:"billing,omitempty"`
	// What it is, in words; From is the variable or the file that tells.
	What string `json:"what,omitempty"`
	From string `json:"from,omitempty"`
	// Beside are logins that are there too and that this one goes before.
	Beside []string `json:"beside,omitempty"`
	// Fix is how to log in.
	Fix string `json:"fix,omitempty"`
}

// Login says whether a program can reach its provider.
type Login string

// The answers. Unknown is where a program keeps its login out of sight, in the
// system's keyring for instance, or where it can do without one.
const (
	LoggedIn     Login = "yes"
	LoggedOut    Login = "no"
	LoginUnknown Login = "unknown"
)

// Billing is a kind of account.
type Billing string

// The kinds: by the token, within a subscription's quota, by a cloud's own
// account, or whatever another provider does.
const (
	BilledKey          Billing = "api_key"
	BilledSubscription Billing = "subscription"
	BilledCloud        Billing = "cloud"
	BilledOther        Billing = "other"
)

// Accounted is a driver that can tell who would pay for a run of a in env.
type Accounted interface {
	Account(a loop.Agent, env []string) Account
}

// Logins collects what is found, in the order in which a program itself goes.
type Logins struct {
	found []Account
}

// Add notes a login.
func (l *Logins) Add(b Billing, what, from string) {
	l.found = append(l.found, Account{Login: LoggedIn, Billing: b, What: what, From: from})
}

// First is the one that the program takes, or, where there is none, otherwise.
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

// Variable is the last value that env has for a name.
func Variable(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			return value
		}
	}
	return ""
}

// Folder is where a program keeps its files: what a variable says, or a folder
// in the home of env. Where neither is known it is one in which nothing can be.
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

// ReadObject reads a JSON object into v. False says that there is none that
// could be read.
func ReadObject(path string, v any) bool {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxAccountFile {
		return false
	}
	text, err := os.ReadFile(path)
	return err == nil && json.Unmarshal(text, v) == nil
}
