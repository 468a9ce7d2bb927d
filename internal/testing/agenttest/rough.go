package agenttest

import (
	"strings"
	"testing"
	"time"

	"ralph/internal/agent"
	"ralph/internal/loop"
)

func circles(t *testing.T, k Subject) {
	st := k.stage(t, Out(k.Begin...), Step{Out: strings.Join(k.Work, "\n") + "\n", Times: 10}, Step{Hang: true})
	st.Job.Agent.MaxSameCalls = 4
	out := k.run(t, st)
	wants(t, out, loop.EndFailed, "same way")
	if out.Usage.ToolCalls == nil || *out.Usage.ToolCalls < 5 {
		t.Errorf("used %+v", out.Usage)
	}
	st = k.stage(t, Out(k.Begin...), Step{Out: strings.Join(k.Work, "\n") + "\n", Times: 4}, Out(k.Done...))
	st.Job.Agent.MaxSameCalls = 4
	wants(t, k.run(t, st), loop.EndDone, "")
}

// noise: lines that are not of the protocol are counted and kept, and change
// nothing.
func noise(t *testing.T, k Subject) {
	const long = 20 << 20
	steps := []Step{
		{Out: "starting up…\n\n\r\n  \x00\xff\xfe not utf-8 \x1b[2J\n", Err: "warning: nothing\n"},
		Out(k.Begin...),
		{Out: `{"type":"of tomorrow","x":{"y":[1,2]}}` + "\n"},
		{Out: `{"no":"type"}` + "\n" + `{"torn":` + "\n" + `{"type":12}` + "\n"},
		{Out: `{"a":"`},
		{Long: long},
		{Out: `\u00e9\"","type":"also of tomorrow"}` + "\n"},
		{Err: strings.Repeat("noise on the other side ", 5000)},
		Out(k.Work...),
		{Out: k.say("\xff\xfe\x00") + "\n"},
		Out(k.Done...),
	}
	st := k.stage(t, steps...)
	out := k.run(t, st)
	wants(t, out, loop.EndDone, "")
	if k.Serves != nil {
		return // what is no answer is not kept
	}
	if out.UnknownLines != 7 || out.OutputBytes < long {
		t.Errorf("%d unknown lines, %d bytes", out.UnknownLines, out.OutputBytes)
	}
	if n := st.Kinds()[agent.Raw]; n != 7 {
		t.Errorf("%d of 7 unknown lines became events", n)
	}
	for _, e := range st.Events {
		if len(e.Text) > 300<<10 {
			t.Errorf("an event of %d bytes", len(e.Text))
		}
	}
}

// prose: text about limits is not a limit.
func prose(t *testing.T, k Subject) {
	var said []string
	for _, words := range []string{
		"You've hit your usage limit. Try again at 4:02 PM.", "429 Too Many Requests", "API Error: 401 authentication_failed",
		"context window overflowed; prompt is too long", `{"type":"result","is_error":true}`, "Not logged in · Please run /login",
	} {
		said = append(said, k.say(words))
	}
	st := k.stage(t, Out(k.Begin...), Out(said...), Out(k.Work...), Out(k.Done...))
	wants(t, k.run(t, st), loop.EndDone, "")
	if n := st.Kinds()[agent.Limited]; n != 0 {
		t.Errorf("%d limits were seen in what the agent said", n)
	}
}

// trouble: a provider that does not answer costs no attempt, whether or not the
// program waits for it.
func trouble(t *testing.T, k Subject) {
	begin := Out(k.Begin...)
	if len(k.Muttered) > 0 {
		begin = Step{} // nothing would tell which of its two outputs came first
	}
	again := Step{Out: lines(k.Trouble), Err: lines(k.Muttered)}
	t.Run("for ever", func(t *testing.T) {
		t.Parallel()
		st := k.stage(t, begin, again, Step{Hang: true})
		st.Job.Patience = agent.Patience{Retry: 150 * time.Millisecond, Stall: time.Hour}
		wants(t, k.run(t, st), loop.EndTransient, k.Provider)
	})
	t.Run("until the deadline", func(t *testing.T) {
		t.Parallel()
		st := k.stage(t, begin, again, Step{Hang: true})
		st.Job.Timeout.Hard = 5 * time.Second
		wants(t, k.run(t, st), loop.EndTransient, k.Provider)
	})
	t.Run("and is back", func(t *testing.T) {
		t.Parallel()
		if len(k.Muttered) > 0 {
			t.Skip("which of its two outputs comes first is left to chance")
		}
		st := k.stage(t, k.in(k.Begin, k.Trouble, k.Work), Step{Hang: true})
		st.Job.Patience = agent.Patience{Retry: 100 * time.Millisecond, Stall: 400 * time.Millisecond}
		wants(t, k.run(t, st), loop.EndTransient, "printed nothing")
	})
}

func lines(all []string) string {
	if len(all) == 0 {
		return ""
	}
	return strings.Join(all, "\n") + "\n"
}
