package config

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// silent are the keys whose values ask nothing: they have no say in verdicts, and open
// nothing. Those that bound time, attempts and money, and the choices beside them.
var silent = []string{
	"version", "project", "bus", "engine", "codec_key", "keep_awake", "budget.", "escalation.", "test_fix.", "gaps.", "serve.", "notify.", "accept.",
	"agents.<name>.model", "agents.<name>.account", "agents.<name>.on_usage_limit", "agents.<name>.max_turns", "agents.<name>.max_same_calls", "agents.<name>.stall", "agents.<name>.max_tokens",
	"limits.max_iterations", "limits.max_loops", "limits.loop_timeout", "limits.implement_timeout", "limits.session_timeout", "limits.transient_errors", "limits.back_off", "limits.wait",
	"limits.keep", "limits.quiet_hours", "limits.interruptions", "limits.questions", "limits.on_usage_limit", "limits.fallback",
	"gates.<name>.timeout", "gates.<name>.flaky.owner", "review.timeout",
	"plans.parallel", "plans.agents", "plans.on_failure", "plans.answer_after", "plans.archive",
	"gates.<name>.hidden", "gates.<name>.files", "gates.<name>.files_ref", "gates.<name>.in", // a project file has none of these
}

func isSilent(key string) bool {
	for _, s := range silent {
		if key == s || strings.HasSuffix(s, ".") && strings.HasPrefix(key, s) {
			return true
		}
	}
	return false
}

// asksOf is what a project file with one value of one key asks for, beside another key of
// its section.
func asksOf(t *testing.T, path, value string) []Ask {
	t.Helper()
	values := map[string]string{"keep_awake": "on"}
	if section := sectionOf(path); section != "" {
		other := map[string]string{"gates": ".run", "agents": ".args", "prices": ".input", "notify.targets": ".to"}[tableOf(path)]
		values[section+other] = map[string]string{"gates": "x", "agents": "[x]", "prices": "1", "notify.targets": "'desktop:'"}[tableOf(path)]
	}
	if value != "" {
		values[path] = value
	}
	asks, err := Asks(&Source{Name: FileName, Data: yamlOf(values)})
	if err != nil {
		t.Fatal(path, value, err)
	}
	return asks
}

// needs reports whether a state asks anew where another one was allowed: something is
// weaker, or what runs or is sent is not the same.
func needs(before, now []Ask) bool {
	started := func(all []Ask) (out []Ask) {
		for _, a := range all {
			if a.Effect == Runs || a.Effect == Sends {
				out = append(out, a)
			}
		}
		return out
	}
	return !cmp.Equal(started(before), started(now)) || len(Weakened(before, now)) > 0
}

// TestEveryWeakerValueAsks: of every key that has a say in verdicts, or opens something, a
// looser value than the allowed one asks, and so does one that has no order with it. A
// stricter one asks nothing. All other keys never ask.
func TestEveryWeakerValueAsks(t *testing.T) {
	t.Parallel()
	for _, k := range Keys() {
		row := looser[k.Path]
		if len(row) == 0 {
			continue
		}
		path := strings.ReplaceAll(k.Path, "<name>", "x")
		strict, loose := asksOf(t, path, row[0]), asksOf(t, path, row[1])
		if got, want := needs(strict, loose), !isSilent(k.Path); got != want {
			t.Errorf("%s: from %s to %s asks: %v", path, row[0], row[1], got)
		}
		if stricter := policyOf(path).order(userValue(t, path, row[1]), userValue(t, path, row[0])); needs(loose, strict) && stricter {
			t.Errorf("%s: from %s to the stricter %s asks", path, row[1], row[0])
		}
		if needs(strict, strict) || needs(loose, loose) {
			t.Errorf("%s: no change asks", path)
		}
	}
}

func userValue(t *testing.T, path, value string) leaf {
	t.Helper()
	r := &Resolved{Settings: *defaults(), origins: map[string]Origin{}}
	if errs := r.file(UserLayer, &Source{Name: "x", Data: yamlOf(map[string]string{path: value})}); len(errs) > 0 {
		t.Fatal(errs)
	}
	_, all := leaves(&r.Settings)
	return all[path]
}

// TestWeakenedFollowsTheOrders: whatever two states of a file say, what is called weaker is
// looser by the order of its key, and nothing that is looser is missed.
func TestWeakenedFollowsTheOrders(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		draw := func(who string) (map[string]string, []Ask) {
			values := file(t, who)
			asks, err := Asks(&Source{Name: FileName, Data: yamlOf(values)})
			if err != nil {
				t.Skip(err)
			}
			return values, asks
		}
		before, then := draw("before")
		now, today := draw("now")
		weaker := map[string]bool{}
		for _, w := range Weakened(then, today) {
			weaker[w.Key] = true
		}
		for key := range choices {
			if before[key] == "" || now[key] == "" || isSilent(templateOf(key)) || key == "limits.stall" || key == "agents.claude.permissions" {
				continue
			}
			if loose := position(t, key, valueOf(t, key, now[key])) < position(t, key, valueOf(t, key, before[key])); loose != weaker[key] {
				t.Errorf("%s from %s to %s: weaker %v", key, before[key], now[key], weaker[key])
			}
		}
	})
}

// TestWeakened: what a file leaves out has its built-in value, a gate that is gone is
// weaker, and one that is new is not.
func TestWeakened(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ name, before, now, want string }{
		{"soft", "gates: {t: {run: x}}", "gates: {t: {run: x, level: soft}}", "gates.t.level ->soft"},
		{"hard is the built-in level", "gates: {t: {run: x}}", "gates: {t: {run: x, level: hard}}", ""},
		{"a lower threshold", "gates: {c: {run: x, threshold: 90}}", "gates: {c: {run: x, threshold: 85}}", "gates.c.threshold 90->85"},
		{"no threshold", "gates: {c: {run: x, threshold: 90}}", "gates: {c: {run: x}}", "gates.c.threshold 90->"},
		{"a higher threshold", "gates: {c: {run: x}}", "gates: {c: {run: x, threshold: 85}}", ""},
		{"no report", "gates: {c: {run: x, report: a.out, parse: gotest}}", "gates: {c: {run: x}}", "gates.c.parse gotest->; gates.c.report a.out->"},
		{"another kind", "gates: {t: {run: x, kind: tests}}", "gates: {t: {run: x, kind: command}}", "gates.t.kind tests->command"},
		{"fewer tests", "gates: {t: {run: x, min_tests: 9}}", "gates: {t: {run: x}}", "gates.t.min_tests 9->"},
		{"a person's gate is gone", "gates: {h: {kind: human, ask: ok?}}", "keep_awake: on", "gates.h.kind human->; gates.h.ask ok?->"},
		{"a person's gate is new", "keep_awake: on", "gates: {h: {kind: human, ask: ok?}}", ""},
		{"learning", "keep_awake: on", "learn: on", "learn ->on"},
		{"the former learning", "learn: on", "learn: reviewed", ""},
		{"nothing to learn from", "learn: off", "keep_awake: on", "learn off->"},
		{"green is enough", "keep_awake: on", "if_green: stop", "if_green ->stop"},
		{"review for a proof", "proof: required", "proof: review", "proof required->review"},
		{"no proof", "keep_awake: on", "proof: none", "proof ->none"},
		{"proof again", "proof: none", "keep_awake: on", ""},
		{"fewer refusals", "refuse: [suspect]", "refuse: [weak]", "refuse [suspect]->[weak]"},
		{"the built-in refusals", "keep_awake: on", "refuse: [weak]", ""},
		{"the sandbox", "sandbox: require", "sandbox: auto", "sandbox require->auto"},
		{"fewer globs to change", "may_change: [a, b]", "may_change: [a]", ""},
		{"more globs to change", "may_change: [a]", "may_change: [a, b]", "may_change [a]->[a, b]"},
		{"nothing protected", "protect: [a]", "keep_awake: on", "protect [a]->"},
		{"one confirmation", "limits: {confirm_passes: 2}", "limits: {max_iterations: 9}", "limits.confirm_passes 2->"},
		{"a longer quarantine", "gates: {t: {run: x, flaky: {retries: 1, owner: me, quarantine_until: 2027-01-15}}}", "gates: {t: {run: x, flaky: {retries: 1, owner: me, quarantine_until: 2027-02-15}}}", "gates.t.flaky.quarantine_until 2027-01-15->2027-02-15"},
		{"a shorter quarantine", "gates: {t: {run: x, flaky: {retries: 1, owner: me, quarantine_until: 2027-01-15}}}", "gates: {t: {run: x, flaky: {retries: 1, owner: me, quarantine_until: 2026-01-15}}}", ""},
		{"a limit", "limits: {max_iterations: 2}", "limits: {max_iterations: 9}", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			var both [2][]Ask
			for i, file := range []string{row.before, row.now} {
				asks, err := Asks(&Source{Name: FileName, Data: []byte("version: 1\n" + file + "\n")})
				if err != nil {
					t.Fatal(err)
				}
				both[i] = asks
			}
			var got []string
			for _, w := range Weakened(both[0], both[1]) {
				got = append(got, w.Key+" "+w.Before+"->"+w.Now)
			}
			if d := cmp.Diff(row.want, strings.Join(got, "; ")); d != "" {
				t.Error(d)
			}
		})
	}
}
