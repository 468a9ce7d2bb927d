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

// Accounted is a driver that can find the account which pays for a run of a
// in env.
type Accounted interface {
	Account(a loop.Agent, env []string) Account
}

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

// Quota is the account that a provider counts usage against. Agents with the
// same key share its limits.
type Quota struct {
	// Key is a digest: of the key in the environment, of the account's id in the
	// program's own files, or of their path. It reveals nothing.
	Key string
	// Label is its name for people: the agent's name and the kind of login.
	Label string
}

// QuotaOf finds the account that a run of the agent with this environment counts
// against. Two indistinguishable ones count as one only where they would use the
// same program, settings folder and provider.
func QuotaOf(a loop.Agent, env []string) Quota {
	for name, value := range a.Env {
		env = append(slices.Clip(env), name+"="+value)
	}
	l := credentials{a: a, env: env}
	kind, parts := l.find()
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return Quota{Key: hex.EncodeToString(sum[:16]), Label: a.Name + ", " + kind}
}

// credentials are how an agent is logged in.
type credentials struct {
	a   loop.Agent
	env []string
}

// find returns the kind of login, and what distinguishes it from others.
func (l credentials) find() (kind string, parts []string) {
	if l.a.Account != "" {
		return "account " + l.a.Account, []string{"named", l.a.Account}
	}
	switch l.a.Use {
	case "claude":
		return l.claude()
	case "codex":
		home := l.get("CODEX_HOME", l.home(".codex"))
		return l.first("openai", "OPENAI_BASE_URL", []string{"CODEX_API_KEY"}, filepath.Join(home, "auth.json"),
			[]string{"tokens", "account_id"}, []string{"OPENAI_API_KEY"})
	case "gemini":
		return l.first("google", "GOOGLE_GEMINI_BASE_URL", []string{"GEMINI_API_KEY", "GOOGLE_API_KEY"},
			l.home(".gemini", "google_accounts.json"), []string{"active"}, nil)
	case "opencode":
		return l.opencode()
	}
	return l.a.Use, append([]string{"command", l.a.Use, l.a.Model}, l.a.Argv...)
}

func (l credentials) claude() (string, []string) {
	for _, cloud := range []string{"CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"} {
		if l.get(cloud, "") != "" {
			return "cloud", []string{cloud, l.get("AWS_PROFILE", ""), l.get("ANTHROPIC_VERTEX_PROJECT_ID", "")}
		}
	}
	dir := l.get("CLAUDE_CONFIG_DIR", l.home())
	return l.first("anthropic", "ANTHROPIC_BASE_URL", []string{"ANTHROPIC_AUTH_TOKEN", "ANTHROPIC_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN"},
		filepath.Join(dir, ".claude.json"), []string{"oauthAccount", "accountUuid"}, nil)
}

// opencode works with many providers; the model names it.
func (l credentials) opencode() (string, []string) {
	provider, _, named := strings.Cut(l.a.Model, "/")
	if !named {
		provider = "opencode"
	}
	keys := map[string][]string{
		"anthropic": {"ANTHROPIC_API_KEY"}, "openai": {"OPENAI_API_KEY"}, "google": {"GEMINI_API_KEY", "GOOGLE_API_KEY"},
	}[provider]
	data := l.get("XDG_DATA_HOME", l.home(".local", "share"))
	return l.first(provider, strings.ToUpper(provider)+"_BASE_URL", keys, filepath.Join(data, "opencode", "auth.json"), nil, nil)
}

// first returns the first login: a key in the environment, the id of an account
// in a file, another key, or the path of that file.
func (l credentials) first(provider, address string, keys []string, file string, id, more []string) (string, []string) {
	at := []string{provider, l.get(address, "")}
	if key := l.key(keys); key != "" {
		return "API key", append(at, "key", key)
	}
	if name := idIn(file, id); name != "" {
		return "login", append(at, "account", name)
	}
	if key := l.key(more); key != "" {
		return "API key", append(at, "key", key)
	}
	return "login", append(at, "file", file)
}

func (l credentials) key(names []string) string {
	for _, n := range names {
		if v := l.get(n, ""); v != "" {
			return v
		}
	}
	return ""
}

func (l credentials) get(name, otherwise string) string {
	for _, pair := range slices.Backward(l.env) {
		if k, v, _ := strings.Cut(pair, "="); k == name && v != "" {
			return v
		}
	}
	return otherwise
}

func (l credentials) home(parts ...string) string {
	return filepath.Join(append([]string{l.get("HOME", l.get("USERPROFILE", ""))}, parts...)...)
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
