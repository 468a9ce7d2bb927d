package project

import (
	"cmp"
	"fmt"
	"os"

	"ralph/internal/config"
	"ralph/internal/engine"
)

// codecKey reads the key that encrypts what a team's server stores: from the file of the
// flag, else of the environment, else of the user's settings. Without any of them it is nil.
func (a *Opener) codecKey() ([]byte, error) {
	file := cmp.Or(a.CodecKey, a.Getenv(CodecVariable))
	if file == "" {
		var err error
		if file, err = config.UsersCodecKey(a.Env); err != nil || file == "" {
			return nil, err
		}
	}
	key, err := os.ReadFile(config.FromHome(file, a.Env))
	if err != nil {
		return nil, fmt.Errorf("%w: %w", engine.ErrKey, err)
	}
	if len(key) != codecKeySize {
		return nil, fmt.Errorf("%w: %s has %d bytes; make one with: head -c %[4]d /dev/urandom > %[2]s", engine.ErrKey, file, len(key), codecKeySize)
	}
	return key, nil
}

// codecKeySize is the number of bytes of a key: that of AES-256.
const codecKeySize = 32
