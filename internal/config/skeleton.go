package config

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"ralph/internal/loop"
)

// Draft is the proposal of `ralph init` for ralph.yaml.
type Draft struct {
	Project string
	Agents  []AgentDraft
	Gates   []GateDraft
	Setup   []string
	// SetupNote is the source of Setup, such as a lockfile's name.
	SetupNote string
}

// AgentDraft is one agent to write down.
type AgentDraft struct {
	Name string
	Use  Driver
	Argv []string
}

// GateDraft is one gate to write down; only what differs from the defaults is.
type GateDraft struct {
	Gate loop.Gate
	Note string
	// Off comments it out: its tool is missing, or it did not pass.
	Off bool
}

// Skeleton returns a short ralph.yaml that Resolve accepts and that yields the
// same gates, or an error.
func Skeleton(d Draft) ([]byte, error) {
	var w skeleton
	w.line("# How ralph runs loops in this repository. Only version is required;")
	w.line("# `ralph config show --origin` lists the values that apply; `ralph config schema` all keys.")
	w.line("version: 1")
	if d.Project != "" {
		w.line("project: %s", quote(d.Project))
	}
	w.agents(d.Agents)
	w.gates(d.Gates)
	w.setup(d)
	w.line("")
	w.line("# When a loop gives up. These are the built-in values.")
	w.line("# limits:")
	w.line("#   max_iterations: %s", limit("limits.max_iterations"))
	w.line("#   implement_timeout: %s", limit("limits.implement_timeout"))
	w.line("#   loop_timeout: %s", limit("limits.loop_timeout"))
	text := []byte(w.String())
	if _, err := Resolve(Sources{Project: &Source{Name: FileName, Data: text}}); err != nil {
		return nil, fmt.Errorf("propose %s: %w", FileName, err)
	}
	return text, nil
}

func limit(path string) string {
	_, byPath := leaves(defaults())
	return byPath[path].String()
}

type skeleton struct{ strings.Builder }

func (w *skeleton) line(format string, args ...any) {
	fmt.Fprintf(&w.Builder, format+"\n", args...)
}

func (w *skeleton) agents(all []AgentDraft) {
	w.line("")
	w.line("# Who does the work; the first one is the default. The prompt arrives on")
	w.line("# standard input.")
	if len(all) == 0 {
		w.line("# agents:")
		w.line("#   %s: {}  # or %s", natives[0], strings.Join(natives[1:], ", "))
		w.line("#   mine: {use: command, run: [my-agent, --non-interactive]}")
		return
	}
	w.line("agents:")
	for _, a := range all {
		run := ""
		if len(a.Argv) > 0 {
			run = ", run: " + flow(a.Argv)
		}
		w.line("  %s: {use: %s%s}", a.Name, a.Use, run)
	}
}

func (w *skeleton) gates(all []GateDraft) {
	w.line("")
	w.line("# Checks that ralph runs itself on the commit of every attempt. A hard gate")
	w.line("# must pass, a soft one is only reported.")
	on := false
	for _, g := range all {
		on = on || !g.Off
	}
	if on {
		w.line("gates:")
	} else {
		w.line("# gates:")
	}
	for _, g := range all {
		w.gate(g)
	}
	if len(all) == 0 {
		w.line("#   tests: {run: make test}")
	}
}

func (w *skeleton) gate(d GateDraft) {
	g, mark := d.Gate, ""
	if d.Off {
		mark = "# "
	}
	head := fmt.Sprintf("%s  %s:", mark, keyText(g.Name))
	if note := oneLine(d.Note); note != "" {
		head = fmt.Sprintf("%-24s # %s", head, note)
	}
	w.line("%s", head)
	for _, kv := range written(g) {
		w.line("%s    %s: %s", mark, kv[0], kv[1])
	}
}

// written returns the keys of a gate that differ from Resolve's defaults.
func written(g loop.Gate) [][2]string {
	var all [][2]string
	add := func(key, text string, when bool) {
		if when {
			all = append(all, [2]string{key, text})
		}
	}
	add("run", quote(g.Run), g.Run != "")
	add("report", quote(g.Report), g.Report != "")
	add("images", quote(g.Images), g.Images != "")
	add("parse", quote(g.Parse), g.Parse != "")
	add("threshold", "baseline", g.Baseline)
	if g.Threshold != nil {
		add("threshold", strconv.FormatFloat(*g.Threshold, 'f', -1, 64), true)
	}
	add("scope", "on", g.Scoped)
	if g.MinTests != nil {
		add("min_tests", strconv.Itoa(*g.MinTests), true)
	}
	if g.MinImages != nil {
		add("min", strconv.Itoa(*g.MinImages), true)
	}
	inferred := inferKind(g.Name, Gate{
		Report: Path(g.Report), Images: Path(g.Images), Parse: Parser(g.Parse),
		Threshold: Threshold{Percent: g.Threshold, Baseline: g.Baseline},
		MinTests:  Count{set: g.MinTests != nil}, Min: Count{set: g.MinImages != nil},
	})
	add("kind", string(g.Kind), g.Kind != "" && g.Kind != loop.Kind(inferred))
	add("level", string(g.Level), g.Level == loop.Soft)
	add("dir", quote(g.Dir), g.Dir != "")
	timeout := Deadline(g.Timeout)
	add("timeout", timeout.String(), g.Timeout != loop.Deadline{} && g.Timeout != loop.GateTimeout(g.Kind))
	add("env", flowMap(g.Env), len(g.Env) > 0)
	add("optional", "on", g.Optional)
	return all
}

func (w *skeleton) setup(d Draft) {
	if len(d.Setup) == 0 {
		return
	}
	w.line("")
	w.line("# Makes a fresh worktree usable.")
	w.line("isolation:")
	setup := "  setup: " + flow(d.Setup)
	if note := oneLine(d.SetupNote); note != "" {
		setup += " # " + note
	}
	w.line("%s", setup)
}

// keyText quotes a name that YAML does not read as text.
func keyText(s string) string {
	if isWord(s) {
		return strconv.Quote(s)
	}
	return s
}

// oneLine makes any text safe in a comment.
func oneLine(s string) string {
	return strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\ufffd"), func(r rune) bool {
		return r == ' ' || !strconv.IsPrint(r)
	}), " ")
}

// flow prints a list as YAML on one line.
func flow(v []string) string {
	if len(v) == 0 {
		return ""
	}
	all := make([]string, len(v))
	for i, s := range v {
		all[i] = quote(s)
	}
	return "[" + strings.Join(all, ", ") + "]"
}

// flowMap prints texts by name as YAML on one line.
func flowMap(m map[string]string) string {
	if len(m) == 0 {
		return ""
	}
	var all []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		all = append(all, k+": "+quote(m[k]))
	}
	return "{" + strings.Join(all, ", ") + "}"
}

// plainText matches what YAML reads back as the same text without quotes, also in
// a list.
const plainText = `^[A-Za-z_./][A-Za-z0-9_./ @%+=~-]*$`

// quote writes a text as YAML: plain where that is safe, else in double quotes,
// whose escapes are those of Go. Bytes that are no text cannot be written in
// YAML and become U+FFFD.
func quote(s string) string {
	if regexp.MustCompile(plainText).MatchString(s) && !strings.HasSuffix(s, " ") && !isWord(s) {
		return s
	}
	return strconv.Quote(strings.ToValidUTF8(s, "\ufffd"))
}

// isWord reports whether YAML reads a word as something other than text.
func isWord(s string) bool {
	switch strings.ToLower(s) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n", "---", "...":
		return true
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}
