package config

import (
	"fmt"
	"maps"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"ralph/internal/notice"
	"ralph/internal/quiet"
)

// Notify configures who is told what happens to runs.
type Notify struct {
	Targets   Table[NotifyTarget] `yaml:"targets" doc:"Where messages go, by name (docs/notifications.md). Only in your own file or the environment: a repository's file must not have it."`
	Debounce  Pause               `yaml:"debounce" doc:"How long the first event waits for others, so that several become one message; off: none."`
	Remind    Pause               `yaml:"remind" doc:"A question, a dispute or a refused login that still waits after this time is told once more; off: never."`
	AnswerURL URL                 `yaml:"answer_url" doc:"Address at which your phone reaches ralph serve --listen. With it, questions have a button for each answer."`
}

// NotifyTarget is one address.
type NotifyTarget struct {
	To         Concealed `yaml:"to" doc:"Address: desktop:, bell:, osc9:, osc777:, exec:COMMAND, webhook+https://HOST/PATH, ntfy://HOST/TOPIC, or another service of shoutrrr; $NAME takes it from a variable of the environment."`
	Secret     Concealed `yaml:"secret" doc:"Of a webhook: the key that signs, whsec_ and base64; $NAME takes it from a variable."`
	Events     Notices   `yaml:"events" doc:"What it gets. Default: all but limit_hit and limit_over."`
	QuietHours Text      `yaml:"quiet_hours" doc:"Hours in which it gets nothing, by the local clock: 22:00-07:00, or mon-fri 09:00-18:00, sat 10:00-12:00. What happens meanwhile comes after them."`
}

// Concealed is text that is never printed: an address may hold a key.
type Concealed string

// Notices are kinds of notices.
type Notices []string

// noticeKinds are the events that a target may select; all stands for each of them.
func noticeKinds() []string {
	out := []string{allNotices}
	for _, k := range notice.Kinds() {
		out = append(out, string(k))
	}
	return out
}

const allNotices = "all"

// Target is a configured address.
type Target struct {
	Name, To, Secret string
	Events           []notice.Kind
	Quiet            quiet.Hours
}

// NotifyTargets returns the addresses, in the order of the file.
func (r *Resolved) NotifyTargets() []Target {
	var out []Target
	for _, e := range r.Settings.Notify.Targets {
		t := Target{Name: e.Name, To: string(e.Value.To), Secret: string(e.Value.Secret)}
		for _, k := range e.Value.Events {
			if k == allNotices {
				t.Events = notice.Kinds()
				break
			}
			t.Events = append(t.Events, notice.Kind(k))
		}
		if e.Value.QuietHours != "" {
			t.Quiet, _ = quiet.Parse(string(e.Value.QuietHours)) // checked by Resolve
		}
		out = append(out, t)
	}
	return out
}

// NotifyVariables returns the variables of the environment that hold addresses and keys
// of targets.
func (r *Resolved) NotifyVariables() []string {
	var out []string
	for _, t := range r.NotifyTargets() {
		for _, value := range []string{t.To, t.Secret} {
			if name, ok := strings.CutPrefix(value, "$"); ok {
				out = append(out, name)
			}
		}
	}
	return out
}

// NotifyRemind is the age at which an open question is told once more; 0 is never.
func (r *Resolved) NotifyRemind() time.Duration {
	if r.Settings.Notify.Remind.Off {
		return 0
	}
	return r.Settings.Notify.Remind.After
}

// NotifyDebounce is how long the first event waits for others.
func (r *Resolved) NotifyDebounce() time.Duration {
	if r.Settings.Notify.Debounce.Off {
		return 0
	}
	return r.Settings.Notify.Debounce.After
}

// notify checks the addresses. A repository must not send anything anywhere, nor start a
// program.
func (c *checker) notify() {
	for _, key := range slices.Sorted(maps.Keys(c.r.origins)) {
		if strings.HasPrefix(key, "notify.") && c.r.origins[key].Layer == ProjectLayer {
			c.fail(key, "only your own settings have notifications", "move the section to your own file (ralph config show --origin names it)")
			return
		}
	}
	for _, e := range c.r.Settings.Notify.Targets {
		path, t := "notify.targets."+e.Name, e.Value
		switch {
		case t.To == "":
			c.fail(path, "the address is missing", "add `to: desktop:` or another one of docs/notifications.md")
		case !strings.HasPrefix(string(t.To), "$") && !strings.Contains(string(t.To), ":"):
			c.fail(path+".to", "this is no address", "write one such as ntfy://ntfy.sh/TOPIC, or $NAME for a variable's value")
		case t.Secret != "" && !strings.HasPrefix(string(t.To), "webhook+") && !strings.HasPrefix(string(t.To), "$"):
			c.fail(path+".secret", "only a webhook is signed", "delete the key")
		}
		if t.QuietHours != "" {
			if _, err := quiet.Parse(string(t.QuietHours)); err != nil {
				c.fail(path+".quiet_hours", err.Error(), "such as "+quiet.Example)
			}
		}
	}
	c.answerURL(string(c.r.Settings.Notify.AnswerURL))
}

// answerURL: a token that gives an answer travels encrypted, but for a loopback address.
func (c *checker) answerURL(at string) {
	u, err := url.Parse(at)
	if at == "" || err != nil || u.Scheme == "https" {
		return
	}
	host := u.Hostname()
	if ip := net.ParseIP(host); host == "localhost" || ip != nil && (ip.IsLoopback() || ip.IsPrivate()) || strings.HasSuffix(host, ".ts.net") {
		return
	}
	c.fail("notify.answer_url", fmt.Sprintf("http to %s would send answers in the clear", clip(host)), "use https, or an address of your own network")
}
