package config

import (
	"strings"
	"sync"
	"time"
)

// policy says what a project file may do with one key.
type policy struct {
	// order compares the project's value with the user's; nil: the project
	// decides even where the user's own file has the key, and free says why.
	order order
	free  string
	// unset stands for the user's value where the user's own file names the section and
	// leaves the key out; nil: the project may set a number there, since none is looser.
	unset leaf
	// joins: a list that protects something keeps the entries of both.
	joins bool
	// adds: the project can only add to the user's list, or to the built-in one.
	adds bool
	// asks says what the value makes possible; nil: nothing.
	asks func(leaf) Effect
	// rules: the key has a say in verdicts, so that a looser value than the allowed one asks.
	rules bool
}

// ruling adds that the key has a say in verdicts.
func (p policy) ruling() policy {
	p.rules = true
	return p
}

// effect returns what a value of a project file is asked about as, "" for nothing.
func (p policy) effect(l leaf) Effect {
	var e Effect
	if p.asks != nil {
		e = p.asks(l)
	}
	if e == "" && p.rules {
		return Rules
	}
	return e
}

// policyOf returns the policy of a key. A key without one is treated as the
// strictest: the user's value stays, and the project's value is asked about.
func policyOf(path string) policy {
	if p, ok := policies()[templateOf(path)]; ok {
		return p
	}
	return policy{order: same, asks: always(Opens)}
}

// templateOf returns the path with <name> in place of the name of a section:
// names may hold dots, the keys below them do not.
func templateOf(path string) string {
	table := sectionOf(path)
	if table == "" {
		return path
	}
	return tableOf(path) + ".<name>" + path[len(table):]
}

// tables are the paths of all Tables.
var tables = []string{"gates", "agents", "prices", "notify.targets"}

// tableOf returns the table that a path leads into, "" for none.
func tableOf(path string) string {
	for _, t := range tables {
		if strings.HasPrefix(path, t+".") {
			return t
		}
	}
	return ""
}

// sectionOf returns the named section that a key belongs to, "" for none.
func sectionOf(path string) string {
	table := tableOf(path)
	last := strings.LastIndexByte(path, '.')
	if parent, nested := strings.CutSuffix(path[:max(last, 0)], ".flaky"); nested {
		last = len(parent)
	}
	if table == "" || last <= len(table) {
		return ""
	}
	return path[:last]
}

var (
	own     = policy{order: same}
	smaller = policy{order: less}
	larger  = policy{order: more}
	runs    = policy{order: same, asks: always(Runs)}
	sends   = policy{order: same, asks: always(Sends)}
	opens   = policy{order: same, asks: always(Opens)}
)

// words orders the words of a key, the loosest first.
func words(loosest ...string) policy { return policy{order: ranked(loosest...)} }

// asked adds that the given words are asked about.
func (p policy) asked(of ...string) policy {
	p.asks = func(l leaf) Effect {
		for _, word := range of {
			if l.String() == word {
				return Opens
			}
		}
		return ""
	}
	return p
}

// free lets the project decide, for a reason.
func free(why string) policy { return policy{free: why} }

// unless adds the value that counts where the user's section leaves the key out.
func (p policy) unless(unset leaf) policy {
	p.unset = unset
	return p
}

func always(e Effect) func(leaf) Effect { return func(leaf) Effect { return e } }

// policies has a policy for every key (TestEveryKeyHasAPolicy). Numbers that bound
// time, attempts or money are the user's where the user's own file has them.
var policies = sync.OnceValue(func() map[string]policy {
	return map[string]policy{
		"version": free("the version of the file itself: only 1 is valid"),
		"project": free("a name in reports, and the repository's own"),
		"learn":   words("on", "reviewed", "off").ruling(),
		"bus":     own,

		"agents.<name>.use":            runs,
		"agents.<name>.run":            runs,
		"agents.<name>.args":           runs,
		"agents.<name>.env":            runs,
		"agents.<name>.model":          own,
		"agents.<name>.permissions":    {order: ranked("skip", "default", ""), asks: words().asked("skip").asks},
		"agents.<name>.account":        own,
		"agents.<name>.on_usage_limit": own,
		"agents.<name>.max_turns":      smaller.unless(new(whole[one](300))),
		"agents.<name>.max_same_calls": smaller.unless(new(whole[one](25))),
		"agents.<name>.stall":          smaller.unless(new(Span(10 * time.Minute))),
		"agents.<name>.provider":       sends,
		"agents.<name>.base_url":       sends,
		"agents.<name>.key_env":        sends,
		"agents.<name>.max_tokens":     smaller.unless(new(whole[none](0))),

		"limits.max_iterations":    smaller,
		"limits.confirm_passes":    larger.ruling(),
		"limits.max_loops":         smaller,
		"limits.loop_timeout":      smaller,
		"limits.implement_timeout": smaller,
		"limits.session_timeout":   smaller,
		"limits.stall":             {order: less, asks: raised("limits.stall")},
		"limits.transient_errors":  smaller,
		"limits.back_off":          own,
		"limits.wait":              smaller,
		"limits.keep":              larger,
		"limits.quiet_hours":       own,
		"limits.interruptions":     smaller,
		"limits.questions":         smaller,
		"limits.on_usage_limit":    own,
		"limits.fallback":          own,

		"budget.session.money":    smaller,
		"budget.session.tokens":   smaller,
		"budget.session.attempts": smaller,
		"budget.session.wall":     smaller,
		"budget.plan.money":       smaller,
		"budget.plan.tokens":      smaller,
		"budget.plan.attempts":    smaller,
		"budget.plan.wall":        smaller,
		"budget.task.money":       smaller,
		"budget.task.tokens":      smaller,
		"budget.task.attempts":    smaller,
		"budget.task.wall":        smaller,
		"budget.on_spent":         own,

		// A price of 0 lets a budget in money last forever.
		"prices.<name>.input":       opens,
		"prices.<name>.output":      opens,
		"prices.<name>.cache_read":  opens.unless(new(Rate)),
		"prices.<name>.cache_write": opens.unless(new(Rate)),

		"test_fix.max":               smaller,
		"agent_loops.max_iterations": {order: less, asks: raised("agent_loops.max_iterations")},
		"agent_loops.timeout":        {order: less, asks: raised("agent_loops.timeout")},
		"agent_loops.regression":     {order: fewer, asks: raised("agent_loops.regression")},
		"agent_loops.per_parent":     {order: less, asks: raised("agent_loops.per_parent")},
		"escalation.same_error":      smaller,
		"escalation.strategy_shifts": smaller,
		"escalation.regression":      smaller,
		"escalation.no_change":       smaller,
		"escalation.plateau":         smaller,

		"gates.<name>.run":       runs,
		"gates.<name>.kind":      own.ruling(),
		"gates.<name>.level":     policy{order: ranked("soft", "hard", "")}.ruling(),
		"gates.<name>.dir":       own.ruling(),
		"gates.<name>.timeout":   smaller.unless(&Deadline{Soft: 2 * time.Minute, Hard: 3 * time.Minute}), // the shortest of all kinds
		"gates.<name>.parse":     own.ruling(),
		"gates.<name>.min_tests": larger.ruling(),

		// A quarantine lets a failing gate pass.
		"gates.<name>.flaky.retries":          smaller.unless(new(whole[none](0))).ruling(),
		"gates.<name>.flaky.quarantine_until": {order: sooner, asks: always(Opens)},
		"gates.<name>.flaky.owner":            own,

		"gates.<name>.report":    own.ruling(),
		"gates.<name>.threshold": policy{order: floors, unset: &Threshold{Percent: new(80.0)}}.ruling(),
		"gates.<name>.mutants":   larger.unless(new(whole[one](20))).ruling(),
		"gates.<name>.scope":     policy{order: ranked("on", "off", "")}.ruling(),
		"gates.<name>.images":    own.ruling(),
		"gates.<name>.min":       larger.ruling(),
		"gates.<name>.ask":       own.ruling(),
		"gates.<name>.env":       runs,
		"gates.<name>.network":   words("on", "off").ruling(),
		"gates.<name>.optional":  policy{order: ranked("on", "off", "")}.ruling(),
		"gates.<name>.hidden":    own,
		"gates.<name>.files":     own,
		"gates.<name>.files_ref": own,
		"gates.<name>.in":        own,
		"proof":                  words("none", "review", "required").asked("none").ruling(),
		"secrets":                words("off", "warn", "block").asked("off").ruling(),
		"refuse":                 policy{order: refusesAll, adds: true}.ruling(),
		"if_green":               own.ruling(),
		"keep_awake":             own,
		"codec_key":              own, // nor that: see checker.engine
		"engine":                 own, // a project file has none: see checker.engine
		"judges":                 words("reviewed", "base").asked("reviewed").ruling(),
		"disputes":               own.ruling(),
		"may_change":             {order: subset, asks: always(Opens)},
		"gates_in":               words("agent", "gate").asked("agent").ruling(),
		"protect":                policy{order: superset, joins: true}.ruling(),

		"review.reviewers":           runs,
		"review.spec":                words("off", "auto", "on").ruling(),
		"review.quality":             words("off", "on").ruling(),
		"review.council.voters":      runs,
		"review.council.rule":        words("majority", "unanimous").ruling(),
		"review.council.need":        larger.ruling(),
		"review.council.quorum":      larger.ruling(),
		"review.council.when.labels": own.ruling(),
		"review.council.when.phases": own.ruling(),
		"review.council.when.paths":  own.ruling(),
		"review.magi.reviewers":      runs,
		"review.fallback":            words("self", "ask").asked("self").ruling(),
		"review.require":             words("off", "on").ruling(),
		"review.timeout":             smaller,

		"plans.parallel":     smaller,
		"plans.agents":       own,
		"plans.on_failure":   own,
		"plans.unattended":   own.ruling(),
		"plans.answer_after": own,
		"plans.approve":      words("off", "review", "person").ruling(),
		"plans.trust":        words("on", "off").asked("on"),
		"plans.review":       own.ruling(),
		"plans.archive":      own,

		"gaps.rounds": smaller,
		// A project file has none of these: see checker.notify.
		"notify.answer_url":                 own,
		"notify.debounce":                   own,
		"notify.remind":                     own,
		"notify.targets.<name>.to":          own,
		"notify.targets.<name>.secret":      own,
		"notify.targets.<name>.events":      own,
		"notify.targets.<name>.quiet_hours": own,
		"accept.strategy":                   own,

		"serve.checkpoint_every": own,
		"serve.max_rescues":      smaller,
		"serve.back_off":         own,

		"isolation.setup":    runs,
		"isolation.teardown": runs,
		"isolation.copy":     opens,
		"isolation.dir":      opens,
		"sandbox":            policy{order: walls, asks: words().asked("off", "landlock").asks}.ruling(),
		"sandbox_write":      {order: subset, asks: always(Opens)},
		"sandbox_hide":       policy{order: hidesMore, adds: true}.ruling(),
		"prompt.dir":         runs,
	}
})
