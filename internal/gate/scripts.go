package gate

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"

	"ralph/internal/text/shell"
)

// ReadsPackageScripts reports whether a command line runs something that is
// configured in package.json.
func ReadsPackageScripts(command string) bool {
	for _, c := range shell.Split(command) {
		if slices.Contains([]string{"npm", "yarn", "pnpm", "bun", "jest", "mocha", "ava", "vitest", "nyc", "c8"}, path.Base(c.Words[0])) {
			return true
		}
		if isShell(c.Words[0]) && slices.ContainsFunc(c.Words[1:], ReadsPackageScripts) {
			return true
		}
	}
	return false
}

// judging are the members of package.json that configure the tests. All others,
// dependencies above all, are the agent's to change.
func judging() []string { return []string{"scripts", "jest", "mocha", "ava", "nyc", "c8", "vitest"} }

// PackageScripts puts the base's scripts, and the configuration of test runners,
// into head's package.json and changes no other byte of it. The second result
// reports whether anything differed. A head that is not a JSON object is returned
// unchanged: npm rejects it too.
func PackageScripts(base, head []byte) ([]byte, bool) {
	old, err := members(base)
	if err != nil {
		return head, false
	}
	out := head
	for _, key := range judging() {
		now, err := members(out)
		if err != nil {
			return head, false
		}
		want, _ := last(old, key)
		out = put(out, now, key, want.value(base))
	}
	return out, !bytes.Equal(out, head)
}

// PackageCommands returns the command lines that a command runs from
// package.json, so that the files they name can be found too.
func PackageCommands(command string, packageJSON []byte) []string {
	var p struct {
		Scripts map[string]string `json:"scripts"`
	}
	if !ReadsPackageScripts(command) || json.Unmarshal(packageJSON, &p) != nil {
		return nil
	}
	var out []string
	for _, c := range shell.Split(command) {
		for _, w := range c.Words[1:] {
			if w == "t" || w == "tst" {
				w = "test"
			}
			for _, name := range []string{"pre" + w, w, "post" + w} {
				if body := p.Scripts[name]; body != "" && !slices.Contains(out, body) {
					out = append(out, body)
				}
			}
		}
	}
	return out
}

// RestoreScripts applies PackageScripts to the file of this name below the tree,
// given the base's content. It returns the name if the file was changed.
func RestoreScripts(tree, name string, base []byte) ([]string, error) {
	root, err := os.OpenRoot(tree)
	if err != nil {
		return nil, fmt.Errorf("restore scripts: %w", err)
	}
	defer root.Close()
	info, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("restore scripts: %w", err)
	}
	head := []byte("{}")
	if info.Mode().IsRegular() {
		head, err = root.ReadFile(name)
	} else {
		err = root.RemoveAll(name) // a link or a folder in its place
	}
	if err != nil {
		return nil, fmt.Errorf("restore scripts: %w", err)
	}
	restored, changed := PackageScripts(base, head)
	if !changed {
		return nil, nil
	}
	if err := root.WriteFile(name, restored, info.Mode().Perm()|0o600); err != nil {
		return nil, fmt.Errorf("restore scripts: %w", err)
	}
	return []string{name}, nil
}

// member is one top-level member of a JSON object: the positions of its key and
// its value.
type member struct {
	key             string
	start, from, to int
}

func (m member) value(data []byte) []byte { return data[m.from:m.to] }

// members lists them. Node takes the last of equal keys.
func members(data []byte) ([]member, error) {
	if !json.Valid(data) {
		return nil, errors.New("no JSON")
	}
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, errors.New("no JSON object")
	}
	var out []member
	for d.More() {
		before := int(d.InputOffset())
		t, err := d.Token()
		if err != nil {
			return nil, err
		}
		var raw json.RawMessage
		if err := d.Decode(&raw); err != nil {
			return nil, err
		}
		key, _ := t.(string)
		end := int(d.InputOffset())
		start := before + bytes.IndexByte(data[before:], '"')
		out = append(out, member{key: key, start: start, from: end - len(raw), to: end})
	}
	return out, nil
}

func last(all []member, key string) (m member, ok bool) {
	for _, m := range slices.Backward(all) {
		if m.key == key {
			return m, true
		}
	}
	return member{}, false
}

// put gives a key of an object a value; an empty one removes the key.
func put(data []byte, all []member, key string, value []byte) []byte {
	m, has := last(all, key)
	switch {
	case has && len(value) > 0:
		return slices.Concat(data[:m.from], value, data[m.to:])
	case has:
		return remove(data, all, key)
	case len(value) == 0:
		return data
	}
	open := bytes.IndexByte(data, '{') + 1
	comma := []byte(",")
	if len(all) == 0 {
		comma = nil
	}
	name, _ := json.Marshal(key)
	return slices.Concat(data[:open], name, []byte(":"), value, comma, data[open:])
}

// remove deletes every member of that key with one of the commas around it.
func remove(data []byte, all []member, key string) []byte {
	i := slices.IndexFunc(all, func(m member) bool { return m.key == key })
	if i < 0 {
		return data
	}
	from, to := all[i].start, all[i].to
	switch {
	case i+1 < len(all):
		to = all[i+1].start
	case i > 0:
		from = all[i-1].to
	}
	data = slices.Concat(data[:from], data[to:])
	rest, err := members(data)
	if err != nil {
		return data
	}
	return remove(data, rest, key)
}
