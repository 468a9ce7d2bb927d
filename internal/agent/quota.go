package agent

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/loop"
)

// Quota is the account that a provider counts usage against. Agents with the
// same key share its limits.
type Quota struct {
	// Key is a digest: of the key in the environment, of the account's id in the
	// program's own files, or of their path. It reveals nothing.
	Key string
	// Label is its name for people: the agent's name and the kind of login.
	Label string
	// Named: a person named the account, so that its key is the same on every machine.
	Named bool
}

// QuotaOf finds the account that a run of the agent with this environment counts
// against. Two indistinguishable ones count as one only where they would use the
// same program, settings folder and provider.
func QuotaOf(d Driver, a loop.Agent, env []string) Quota {
	for name, value := range a.Env {
		env = append(slices.Clip(env), name+"="+value)
	}
	c := Credential{Kind: a.Use, Parts: append([]string{"command", a.Use, a.Model}, a.Argv...)}
	if n, ok := d.(Native); ok {
		c = n.Credential(a, env)
	}
	if a.Account != "" {
		c = Credential{Kind: "account " + a.Account, Parts: []string{"named", a.Account}}
	}
	sum := sha256.Sum256([]byte(strings.Join(c.Parts, "\x00")))
	return Quota{Key: hex.EncodeToString(sum[:16]), Label: a.Name + ", " + c.Kind, Named: a.Account != ""}
}

// Credential is the login that a run uses.
type Credential struct {
	// Kind is for people: "API key", "login" or "cloud".
	Kind string
	// Parts distinguish it from other credentials. They may be secret.
	Parts []string
}

// CredentialPlaces are where a program looks for its credential.
type CredentialPlaces struct {
	Provider string
	// Address is the variable that replaces the provider's address.
	Address string
	// Keys are variables that hold a key; Last those that the program reads only
	// if there is no login.
	Keys, Last []string
	// File is the program's own JSON file, ID the path to the account's id in it.
	File string
	ID   []string
}

// In returns the first credential found: a key in the environment, the id of the
// account, a key of the last resort, or the path of the file.
func (p CredentialPlaces) In(env []string) Credential {
	at := []string{p.Provider, Setting(env, p.Address)}
	if key := firstSetting(env, p.Keys); key != "" {
		return Credential{"API key", append(at, "key", key)}
	}
	if name := idIn(p.File, p.ID); name != "" {
		return Credential{"login", append(at, "account", name)}
	}
	if key := firstSetting(env, p.Last); key != "" {
		return Credential{"API key", append(at, "key", key)}
	}
	return Credential{"login", append(at, "file", p.File)}
}

func firstSetting(env, names []string) string {
	for _, n := range names {
		if v := Setting(env, n); v != "" {
			return v
		}
	}
	return ""
}

// Setting returns the last value of a name in env that is not empty.
func Setting(env []string, name string) string {
	for _, entry := range slices.Backward(env) {
		if k, v, _ := strings.Cut(entry, "="); k == name && v != "" {
			return v
		}
	}
	return ""
}

// Home returns a path below the home of env.
func Home(env []string, parts ...string) string {
	home := Setting(env, "HOME")
	if home == "" {
		home = Setting(env, "USERPROFILE")
	}
	return filepath.Join(append([]string{home}, parts...)...)
}

// idIn reads the id of an account from a program's own JSON file; empty where it
// cannot be read.
func idIn(file string, path []string) string {
	const most = 32 << 20
	f, err := os.Open(file)
	if err != nil || len(path) == 0 {
		return ""
	}
	defer f.Close()
	var at any
	if json.NewDecoder(io.LimitReader(f, most)).Decode(&at) != nil {
		return ""
	}
	for _, name := range path {
		object, _ := at.(map[string]any)
		at = object[name]
	}
	id, _ := at.(string)
	return id
}
