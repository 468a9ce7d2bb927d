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

// engine: a repository must not send work elsewhere, nor choose how it is encrypted.
func (c *checker) engine() {
	for _, k := range [][2]string{{"engine", "an engine"}, {"codec_key", "a key of encryption"}} {
		if c.r.origins[k[0]].Layer == ProjectLayer {
			c.fail(k[0], "only your own settings have "+k[1], "move the key to your own file (ralph config show --origin names it)")
		}
	}
}

// UsersEngine returns the setting engine of the user's file; "" where there is none.
func UsersEngine(env []string) (string, error) {
	s, err := users(env, "engine")
	return string(s.Engine), err
}

// UsersCodecKey returns the setting codec_key of the user's file; "" where there is none.
func UsersCodecKey(env []string) (string, error) {
	s, err := users(env, "codec_key")
	return string(s.CodecKey), err
}

// users are the settings of the user's file alone. Nothing is parsed where the file does
// not mention the key.
func users(env []string, key string) (Settings, error) {
	user, err := readFile(UserFile(env), "")
	if err != nil || user == nil || !bytes.Contains(user.Data, []byte(key)) {
		return Settings{}, err
	}
	r, err := Resolve(Sources{User: user})
	if err != nil {
		return Settings{}, err
	}
	return r.Settings, nil
}

// FromHome returns a path with the home directory in place of its leading "~/".
func FromHome(path string, env []string) string { return absolute(path, home(env)) }
