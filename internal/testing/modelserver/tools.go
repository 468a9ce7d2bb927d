package modelserver

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// tools are the tools that an agent offers, by name.
type tools map[string]offer

type offer struct {
	// free: the tool takes plain text in place of JSON.
	free bool
	// params are the names of its arguments.
	params []string
}

// writers lists the known tools that write a file, runners those that run a
// shell command, each by its arguments. The first that the agent offers is
// used.
func writers(c Call) []use {
	patch := "*** Begin Patch\n*** Add File: " + c.Write + "\n+" + strings.Join(strings.Split(strings.TrimSuffix(c.Text, "\n"), "\n"), "\n+") + "\n*** End Patch\n"
	return []use{
		{name: "Write", args: map[string]any{"file_path": c.Write, "content": c.Text}},
		{name: "write_file", args: map[string]any{"file_path": c.Write, "content": c.Text}},
		{name: "write", args: map[string]any{"filePath": c.Write, "content": c.Text}},
		{name: "apply_patch", args: map[string]any{"input": patch}, free: patch},
	}
}

func runners(line string) []use {
	return []use{
		{name: "Bash", args: map[string]any{"command": line, "description": "as told"}},
		{name: "run_shell_command", args: map[string]any{"command": line, "description": "as told"}},
		{name: "bash", args: map[string]any{"command": line, "description": "as told"}},
		{name: "exec_command", args: map[string]any{"cmd": line}},
		{name: "shell_command", args: map[string]any{"command": line}},
		{name: "shell", args: map[string]any{"command": []string{"bash", "-lc", line}}},
	}
}

// use returns the call of the agent's tool. Without such a tool the call has
// the request's own name, which the agent will refuse.
func (t tools) use(c Call, id int) use {
	u := t.choose(c)
	u.id = "call_" + strconv.Itoa(id)
	return u
}

func (t tools) choose(c Call) use {
	var all []use
	switch {
	case c.Tool != "":
		return use{name: c.Tool, args: c.Args}
	case c.Write != "":
		all = append(writers(c), runners("cat >'"+c.Write+"' <<'END_OF_FILE'\n"+c.Text+"END_OF_FILE")...)
	default:
		all = runners(c.Run)
	}
	for _, u := range all {
		if o, ok := t[u.name]; ok {
			return o.fit(u)
		}
	}
	return use{name: "no_tool_for_it", args: map[string]any{"offered": slices.Sorted(maps.Keys(t))}}
}

// in makes the path of a file absolute, where the working directory is known.
func (u use) in(dir string) use {
	path, is := u.args["file_path"].(string)
	if is && dir != "" && !filepath.IsAbs(path) {
		u.args = maps.Clone(u.args)
		u.args["file_path"] = filepath.Join(dir, path)
	}
	return u
}

// fit drops the arguments that the tool does not take.
func (o offer) fit(u use) use {
	if !o.free {
		u.free = ""
		if len(o.params) > 0 {
			maps.DeleteFunc(u.args, func(name string, _ any) bool { return !slices.Contains(o.params, name) })
		}
	}
	return u
}
