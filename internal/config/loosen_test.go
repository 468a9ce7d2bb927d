package config

import (
	"slices"
	"strings"
	"testing"
)

// looser has for every key a value of the user's and one of the project's that is looser, or
// that has no order with it. A third value is what both make together.
var looser = map[string][]string{
	"learn": {"off", "on"}, "bus": {"a.jsonl", "b.jsonl"}, "disputes": {"wait", "dismiss"}, "keep_awake": {"off", "on"},
	"engine": {"local", "temporal://h:1/n"}, "codec_key": {"~/a", "~/b"}, "prompt.dir": {"a", "b"},

	"agents.<name>.use": {"claude", "command"}, "agents.<name>.run": {"claude", "evil"}, "agents.<name>.args": {"[a]", "[b]"},
	"agents.<name>.env": {"{A: b}", "{A: c}"}, "agents.<name>.model": {"cheap", "dear"}, "agents.<name>.permissions": {"default", "skip"},
	"agents.<name>.account": {"me", "you"}, "agents.<name>.on_usage_limit": {"pause", "wait"}, "agents.<name>.max_turns": {"5", "5000"},
	"agents.<name>.max_same_calls": {"3", "300"}, "agents.<name>.stall": {"1m", "100m"}, "agents.<name>.provider": {"openai", "anthropic"},
	"agents.<name>.base_url": {"https://a.example", "https://b.example"}, "agents.<name>.key_env": {"MINE", "OTHER"}, "agents.<name>.max_tokens": {"100", "100000"},

	"limits.max_iterations": {"2", "50"}, "limits.confirm_passes": {"2", "1"}, "limits.max_loops": {"1", "50"}, "limits.loop_timeout": {"5m", "5h"},
	"limits.implement_timeout": {"{soft: 1m, hard: 2m}", "{soft: 1m, hard: 20m}"}, "limits.session_timeout": {"1h", "100h"}, "limits.stall": {"3m", "off"},
	"limits.transient_errors": {"1", "100"}, "limits.back_off": {"60s", "1s"}, "limits.wait": {"1m", "100h"}, "limits.keep": {"30%", "0%"},
	"limits.quiet_hours": {"03:00-04:00", "05:00-05:01"}, "limits.interruptions": {"1", "100"}, "limits.questions": {"1", "100"},
	"limits.on_usage_limit": {"pause", "wait"}, "limits.fallback": {"[a]", "[b]"},

	"budget.session.money": {"1 USD", "9 USD"}, "budget.session.tokens": {"1M", "9M"}, "budget.session.attempts": {"1", "9"}, "budget.session.wall": {"1h", "9h"},
	"budget.plan.money": {"1 USD", "9 USD"}, "budget.plan.tokens": {"1M", "9M"}, "budget.plan.attempts": {"1", "9"}, "budget.plan.wall": {"1h", "9h"},
	"budget.task.money": {"1 USD", "9 USD"}, "budget.task.tokens": {"1M", "9M"}, "budget.task.attempts": {"1", "9"}, "budget.task.wall": {"1h", "9h"},
	"budget.on_spent": {"stop", "pause"}, "prices.<name>.input": {"5", "0"}, "prices.<name>.output": {"5", "0"}, "prices.<name>.cache_read": {"5", "0"}, "prices.<name>.cache_write": {"5", "0"},

	"test_fix.max": {"1", "100"}, "agent_loops.max_iterations": {"2", "200"}, "agent_loops.timeout": {"2m", "20h"}, "agent_loops.regression": {"1", "0"}, "agent_loops.per_parent": {"1", "10"},
	"escalation.same_error": {"2", "20"}, "escalation.strategy_shifts": {"0", "9"}, "escalation.regression": {"1", "10"}, "escalation.no_change": {"1", "10"}, "escalation.plateau": {"2", "20"},

	"gates.<name>.run": {"make", "evil"}, "gates.<name>.kind": {"tests", "command"}, "gates.<name>.level": {"hard", "soft"}, "gates.<name>.dir": {"a", "b"},
	"gates.<name>.timeout": {"{soft: 10s, hard: 20s}", "{soft: 10h, hard: 20h}"}, "gates.<name>.parse": {"gotest", "exit"}, "gates.<name>.min_tests": {"5", "1"},
	"gates.<name>.flaky.retries": {"1", "9"}, "gates.<name>.flaky.quarantine_until": {"2030-01-01", "2031-01-01"}, "gates.<name>.flaky.owner": {"me", "you"},
	"gates.<name>.report": {"a", "b"}, "gates.<name>.threshold": {"90", "1"}, "gates.<name>.mutants": {"50", "1"}, "gates.<name>.scope": {"off", "on"}, "gates.<name>.images": {"a", "b"},
	"gates.<name>.min": {"5", "1"}, "gates.<name>.ask": {"a", "b"}, "gates.<name>.env": {"{A: b}", "{A: c}"}, "gates.<name>.network": {"off", "on"}, "gates.<name>.optional": {"off", "on"},
	"gates.<name>.hidden": {"on", "off"}, "gates.<name>.files": {"~/a", "~/b"}, "gates.<name>.files_ref": {"a", "b"}, "gates.<name>.in": {"[~/a]", "[~/b]"},

	"proof": {"required", "none"}, "secrets": {"block", "off"}, "if_green": {"work", "stop"}, "judges": {"base", "reviewed"}, "gates_in": {"gate", "agent"},
	"may_change": {"[a]", "[b]"}, "protect": {"[a]", "[b]", "[a, b]"}, "refuse": {"[weak, suspect]", "[weak]", "[weak, suspect]"},

	"review.reviewers": {"[a]", "[b]"}, "review.spec": {"on", "off"}, "review.quality": {"on", "off"}, "review.council.voters": {"[a]", "[b]"}, "review.council.rule": {"unanimous", "majority"},
	"review.council.need": {"2", "1"}, "review.council.quorum": {"2", "1"}, "review.council.when.labels": {"[a]", "[b]"}, "review.council.when.phases": {"[a]", "[b]"}, "review.council.when.paths": {"[a]", "[b]"},
	"review.magi.reviewers": {"[a]", "[b]"}, "review.fallback": {"ask", "self"}, "review.require": {"on", "off"}, "review.timeout": {"1m", "100h"},

	"plans.parallel": {"1", "99"}, "plans.agents": {"{A: b}", "{A: c}"}, "plans.on_failure": {"stop", "skip"}, "plans.unattended": {"wait", "default"}, "plans.answer_after": {"1h", "off"},
	"plans.approve": {"person", "off"}, "plans.trust": {"off", "on"}, "plans.review": {"council", "magi"}, "plans.archive": {"keep", "move"}, "gaps.rounds": {"1", "9"},

	"notify.answer_url": {"https://a.example", "https://b.example"}, "notify.debounce": {"1m", "2m"}, "notify.remind": {"1h", "2h"}, "notify.targets.<name>.to": {"'desktop:'", "'ntfy://b.example/c'"},
	"notify.targets.<name>.secret": {"$A", "$B"}, "notify.targets.<name>.events": {"[question]", "[given_up]"}, "notify.targets.<name>.quiet_hours": {"03:00-04:00", "05:00-05:01"},

	"accept.strategy": {"squash", "rebase"}, "serve.checkpoint_every": {"5m", "off"}, "serve.max_rescues": {"1", "100"}, "serve.back_off": {"10m", "1s"},
	"isolation.setup": {"[a]", "[b]"}, "isolation.teardown": {"[a]", "[b]"}, "isolation.copy": {"[a]", "[b]"}, "isolation.dir": {"/a", "/b"},
	"sandbox": {"require", "off"}, "sandbox_write": {"[~/a]", "[~/b]"}, "sandbox_hide": {"[~/a]", `["!~/a"]`, "[~/a]"},
}

// TestEveryKeyOfTheUsersStays: of no key does the project's file loosen the user's value.
func TestEveryKeyOfTheUsersStays(t *testing.T) {
	t.Parallel()
	for _, k := range Keys() {
		row, free := looser[k.Path], policies()[k.Path].free
		if (len(row) > 0) == (free != "") {
			t.Errorf("%s: needs two values here, or a reason to be free in policy.go, and not both", k.Path)
		}
		if len(row) == 0 {
			continue
		}
		path := strings.ReplaceAll(k.Path, "<name>", "x")
		want := settled(t, path, row[len(row)-1], "").text
		if len(row) == 2 {
			want = settled(t, path, row[0], "").text
		}
		got := settled(t, path, row[0], row[1])
		if got.text != want {
			t.Errorf("%s: %s of the user's and %s of the project's make %s", path, row[0], row[1], got.text)
		}
		if !got.kept && k.Path != "refuse" {
			t.Errorf("%s: it is not noted that the user's value stays", path)
		}
	}
}

// TestUnsetStays: what the user's own gate, agent or price leaves out has a built-in value,
// and the project cannot loosen that.
func TestUnsetStays(t *testing.T) {
	t.Parallel()
	sections := map[string]string{"agents": "agents.x.use: claude", "gates": "gates.x.run: make", "prices": "prices.x.input: 5"}
	for _, row := range [][3]string{
		{"gates.x.timeout", "20h", ""},
		{"gates.x.timeout", "1m", "1m"},
		{"gates.x.flaky.retries", "9", ""},
		{"gates.x.flaky.owner", "you", ""},
		{"gates.x.threshold", "1", ""},
		{"gates.x.threshold", "baseline", ""},
		{"gates.x.threshold", "95", "95"},
		{"gates.x.mutants", "1", ""},
		{"gates.x.mutants", "50", "50"},
		{"gates.x.min_tests", "3", "3"},
		{"agents.x.model", "dear", ""},
		{"agents.x.max_turns", "5000", ""},
		{"agents.x.max_turns", "50", "50"},
		{"agents.x.max_same_calls", "300", ""},
		{"agents.x.stall", "10h", ""},
		{"agents.x.max_tokens", "100000", ""},
		{"prices.x.cache_read", "0", ""},
	} {
		table, _, _ := strings.Cut(row[0], ".")
		key, value, _ := strings.Cut(sections[table], ": ")
		if got := settledFiles(t, row[0], yamlOf(map[string]string{key: value}), yamlOf(map[string]string{row[0]: row[1]})); got.text != row[2] {
			t.Errorf("%s: %s of the project's makes %q, want %q", row[0], row[1], got.text, row[2])
		}
	}
	if got := settled(t, "gates.x.threshold", "baseline", "1"); got.text != "baseline" {
		t.Errorf("the value at the start became %s", got.text)
	}
}

type settledKey struct {
	text string
	kept bool
}

// settled is what becomes of a key; "" is a file without it.
func settled(t *testing.T, path, user, project string) settledKey {
	t.Helper()
	file := func(value string) []byte {
		if value == "" {
			return []byte("version: 1\n")
		}
		return yamlOf(map[string]string{path: value})
	}
	return settledFiles(t, path, file(user), file(project))
}

func settledFiles(t *testing.T, path string, user, project []byte) settledKey {
	t.Helper()
	r := &Resolved{Settings: *defaults(), origins: map[string]Origin{}}
	src := &Source{Name: "config.yaml", Data: user}
	if errs := append(r.file(UserLayer, src), r.file(ProjectLayer, &Source{Name: FileName, Data: project})...); len(errs) > 0 {
		t.Fatalf("%s: %v", path, errs)
	}
	r.tighten(src)
	_, all := leaves(&r.Settings)
	return settledKey{all[path].String(), slices.ContainsFunc(r.Kept(), func(k Kept) bool { return k.Key == path })}
}
