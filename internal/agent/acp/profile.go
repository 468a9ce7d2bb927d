package acp

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	sdk "github.com/coder/acp-go-sdk"

	"ralph/internal/agent/codex"
	"ralph/internal/agent/qwen"
	"ralph/internal/agent/stream"
	"ralph/internal/lazyregexp"
	"ralph/internal/loop"
)

// The names by which programs that need something of their own introduce
// themselves.
const (
	copilotName = "Copilot"
	qwenName    = "qwen-code"
	codexName   = "codex-acp" // ends the name of either adapter
)

// confession is a message of the program, in the model's place.
type confession struct {
	// text is the newest error, which counts unless something follows it.
	text string
	// fallen: the program said that its turn failed; what it says next is why.
	fallen bool
}

// copilotRetry is what Copilot says for the model before it tries again, and
// copilotError its errors: the status is in one of three places.
const copilotRetry = "Info: Request failed due to a transient API error. Retrying..."

var copilotError = lazyregexp.New(`^Error: (?:.*\(HTTP (\d{3})\)|(\d{3}) |Failed to get response from the AI model;.* Last error: (\d{3}) )`)

// confesses reports whether a piece of a message is not the model's: some programs
// put the errors of their provider into its mouth, and end the turn well.
func (d *dialect) confesses(t *stream.Tally, u update) bool {
	var said block
	stream.Decode(u.Content, &said)
	switch {
	case d.name == copilotName && said.Text == copilotRetry:
		t.Trouble(stream.Down("the provider does not answer"))
	case d.name == copilotName && copilotError.MatchString(said.Text), d.fell.fallen && u.Message == "":
		d.fell.text = said.Text
	default:
		if strings.TrimSpace(said.Text) != "" {
			d.fell.text = ""
		}
		return false
	}
	return true
}

// codex takes what Codex's adapter tells beside the protocol.
func (d *dialect) codex(t *stream.Tally, m beside) {
	if e := m.Codex.Error; e != nil && bool(e.Again) {
		t.Trouble(d.tried(t, cmp.Or(e.Details, e.Message)))
		return
	}
	t.Waiting()
	if kind := m.Codex.Status.Type; kind != "" {
		d.fell = confession{fallen: kind == "systemError"}
	}
}

// tried is the verdict on a try of Codex's adapter that it repeats by itself.
func (*dialect) tried(t *stream.Tally, said string) stream.Verdict {
	v := codex.VerdictOf(said, t.Job().Time())
	if v.Provider == "" {
		v = stream.Down(said)
	}
	v.End = loop.EndTransient
	return v
}

// verdict on the error that the program put into the model's mouth, where the turn
// ended with one.
func (f confession) verdict(t *stream.Tally) (stream.Verdict, bool) {
	switch {
	case f.fallen:
		v := codex.VerdictOf(f.text, t.Job().Time())
		if strings.Contains(f.text, `"context_length_exceeded"`) {
			v = stream.Overflow(f.text)
		}
		v.Message = cmp.Or(v.Message, "the turn failed")
		return v, true
	case f.text != "":
		found := copilotError.FindStringSubmatch(f.text)
		status, _ := strconv.Atoi(cmp.Or(found[1], found[2], found[3]))
		return stream.Refused(status, strings.TrimPrefix(f.text, "Error: ")), true
	}
	return stream.Verdict{}, false
}

// spent adds the usage of one request, which Qwen Code tells. Cached input is part
// of it.
func (d *dialect) spent(t *stream.Tally, m beside) {
	if u := m.Usage; u != nil && d.name == qwenName {
		t.Used(loop.Usage{InputTokens: max(u.Input-u.CacheRead, 0).Int(), OutputTokens: u.Output.Int(), CacheReadTokens: u.CacheRead.Int()})
	}
}

// qwenStatus begins the details of an error of Qwen Code's.
var qwenStatus = lazyregexp.New(`^(?:(\d{3}) )?(.*)`)

// detailed is the verdict on an error whose details name the provider's refusal.
func detailed(details string) stream.Verdict {
	found := qwenStatus.FindStringSubmatch(details)
	status, _ := strconv.Atoi(found[1])
	return qwen.Refusal(status, found[2])
}

// choose puts the session into a mode that fits the agent's permissions. Some
// programs only read by default; one asks a model about each call.
func (d *dialect) choose(ctx context.Context, id sdk.SessionId, name string, s begun) error {
	var offered []string
	for _, m := range s.Modes.Available {
		offered = append(offered, m.ID)
	}
	mode, err := fitting(name, d.policy, s.Modes.Current, offered)
	if err != nil || mode == "" || mode == s.Modes.Current {
		return err
	}
	_, err = ask[struct{}](ctx, d, sdk.AgentMethodSessionSetMode, sdk.SetSessionModeRequest{SessionId: id, ModeId: sdk.SessionModeId(mode)})
	d.unboxed.Store(err == nil && d.policy.alone && strings.HasSuffix(name, codexName) && d.policy.level != loop.PermissionsSkip)
	return err
}

// modeError is a program none of whose modes fits.
type modeError struct{ mode string }

func (e *modeError) Error() string {
	return "its mode " + strconv.Quote(e.mode) + " only reads, and it offers none that writes"
}

// fitting returns the mode to choose, empty where the current one fits.
func fitting(name string, p policy, current string, offered []string) (string, error) {
	first := func(wanted ...string) string {
		for _, w := range wanted {
			if slices.Contains(offered, w) {
				return w
			}
		}
		return ""
	}
	reads := current == "read-only" || current == "plan"
	switch {
	case p.level == loop.PermissionsRead:
		return cmp.Or(first("read-only"), qwenAsks(name, offered)), nil
	case p.level == loop.PermissionsSkip:
		return first("full-access", "agent-full-access", "bypassPermissions", "yolo"), nil
	case strings.HasSuffix(name, codexName) && p.alone:
		// Its own sandbox cannot start inside of ralph's.
		return first("full-access", "agent-full-access"), nil
	case reads:
		if mode := first("auto", "agent", "default", "auto-edit", "acceptEdits", "build"); mode != "" {
			return mode, nil
		}
		return "", &modeError{current}
	}
	return qwenAsks(name, offered), nil
}

// qwenAsks is the mode in which Qwen Code asks ralph: in its default it asks a
// model, which is paid.
func qwenAsks(name string, offered []string) string {
	if name == qwenName && slices.Contains(offered, "default") {
		return "default"
	}
	return ""
}
