package sandbox

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// believed is how long a trial that succeeded is believed without another one: some
// settings, as a profile of AppArmor, cannot be read beforehand.
const believed = time.Hour

// memory keeps the trials that succeeded in files of a directory, for the next
// process: a trial starts several programs. A failure is never remembered. What is
// remembered though it is not so lets the start of a sandbox fail, and is forgotten
// then ([Capabilities.Doubt]); nothing runs with less protection.
type memory struct {
	dir string // empty: nothing is remembered
	now func() time.Time
}

// trial is the file of one trial: what was found, and under which facts.
type trial struct {
	Facts string          `json:"facts"`
	At    time.Time       `json:"at"`
	Found json.RawMessage `json:"found"`
}

// recall reads what a trial found, if the facts are the same and it is not too old.
func (m memory) recall(name string, facts []string, found any) bool {
	if m.dir == "" {
		return false
	}
	data, err := os.ReadFile(m.file(name))
	if err != nil {
		return false
	}
	var t trial
	if json.Unmarshal(data, &t) != nil || t.Facts != digest(facts) {
		return false
	}
	if age := m.now().Sub(t.At); age < 0 || age > believed {
		return false
	}
	return json.Unmarshal(t.Found, found) == nil
}

// remember keeps what a trial found. It is only a saving: an error changes nothing.
func (m memory) remember(name string, facts []string, found any) {
	if m.dir == "" {
		return
	}
	data, err := json.Marshal(found)
	if err == nil {
		data, err = json.Marshal(trial{Facts: digest(facts), At: m.now(), Found: data})
	}
	if err != nil || os.MkdirAll(m.dir, 0o700) != nil {
		return
	}
	f, err := os.CreateTemp(m.dir, "."+name+"-")
	if err != nil {
		return
	}
	_, err = f.Write(data)
	if f.Close() != nil || err != nil || os.Rename(f.Name(), m.file(name)) != nil {
		_ = os.Remove(f.Name())
	}
}

func (m memory) file(name string) string { return filepath.Join(m.dir, name+".json") }

func (m memory) forget() {
	if m.dir != "" {
		_ = os.RemoveAll(m.dir)
	}
}

func digest(facts []string) string {
	sum := sha256.Sum256([]byte(strings.Join(facts, "\x00")))
	return hex.EncodeToString(sum[:])
}

// systemFacts are what decides whether a sandbox works and can be read: the kernel
// and its settings, the user, and the namespaces of this process.
func systemFacts() []string {
	facts := []string{fmt.Sprint(os.Getuid(), " ", os.Geteuid())}
	for _, path := range []string{
		"/proc/sys/kernel/random/boot_id", "/proc/sys/kernel/apparmor_restrict_unprivileged_userns",
		"/proc/sys/kernel/unprivileged_userns_clone", "/proc/sys/user/max_user_namespaces", "/proc/self/attr/current",
	} {
		text, err := os.ReadFile(path)
		facts = append(facts, string(text)+fmt.Sprint(err == nil))
	}
	for _, ns := range []string{"user", "mnt", "pid", "net"} {
		id, _ := os.Readlink("/proc/self/ns/" + ns)
		facts = append(facts, id)
	}
	for line := range strings.Lines(readText("/proc/self/status")) {
		if strings.HasPrefix(line, "Cap") || strings.HasPrefix(line, "Seccomp") || strings.HasPrefix(line, "NoNewPrivs") {
			facts = append(facts, line)
		}
	}
	return facts
}

// fileFacts describe a program file: another file has others.
func fileFacts(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return path
	}
	return fmt.Sprint(path, " ", info.Size(), " ", info.Mode(), " ", info.ModTime().UnixNano())
}

func readText(path string) string {
	text, _ := os.ReadFile(path)
	return string(text)
}
