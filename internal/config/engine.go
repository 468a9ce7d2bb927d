package config

import (
	"bytes"
	"strings"
)

// LocalEngine is the value of the setting engine for runs of this machine.
const LocalEngine = "local"

func engineURL(s string) (string, *problem) {
	if s == LocalEngine || strings.Contains(s, "://") {
		return s, nil
	}
	return "", problemf("such as temporal://HOST:7233/NAMESPACE, or local", "%s is no address of an engine", clip(s))
}

// engine: a repository must not send work elsewhere.
func (c *checker) engine() {
	if c.r.origins["engine"].Layer == ProjectLayer {
		c.fail("engine", "only your own settings have an engine", "move the key to your own file (ralph config show --origin names it)")
	}
}

// UsersEngine returns the setting engine of the user's file; "" where there is none.
// Nothing is parsed where the file does not mention it.
func UsersEngine(env []string) (string, error) {
	user, err := readFile(UserFile(env), "")
	if err != nil || user == nil || !bytes.Contains(user.Data, []byte("engine")) {
		return "", err
	}
	r, err := Resolve(Sources{User: user})
	if err != nil {
		return "", err
	}
	return string(r.Settings.Engine), nil
}
