package notifier

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"ralph/internal/loop"
	"ralph/internal/notice"
	"ralph/internal/notify"
	"ralph/internal/recovery"
	"ralph/internal/store/outbox"
	"ralph/internal/text"
)

// deliver starts a message to each target for which one is due. A target has one on its
// way at most, and keeps no other one waiting.
func (n *Notifier) deliver(ctx context.Context, flush bool) error {
	all, err := n.allReady(ctx, flush)
	if err != nil || len(all) == 0 {
		return err
	}
	if leads, err := n.lead(ctx); err != nil || !leads {
		return err
	}
	for _, t := range all {
		n.start(ctx, t, flush)
	}
	return nil
}

// allReady returns the targets to which something can be sent at this moment. What waits for a target that is not
// configured here may be for another process: it is dropped when it is old.
func (n *Notifier) allReady(ctx context.Context, flush bool) (out []Target, err error) {
	names, err := n.Box.Targets(ctx)
	for _, name := range names {
		waiting, err := n.Box.Waiting(ctx, name)
		if err != nil {
			return nil, err
		}
		i := slices.IndexFunc(n.Targets, func(t Target) bool { return t.Name == name && t.Broken == nil })
		if i < 0 {
			if err := n.forget(ctx, name, waiting); err != nil {
				return nil, err
			}
		} else if len(n.ready(n.Targets[i], waiting, flush)) > 0 {
			out = append(out, n.Targets[i])
		}
	}
	return out, err
}

// forget drops what is too old for a target that is not configured.
func (n *Notifier) forget(ctx context.Context, name string, waiting []outbox.Delivery) error {
	var old []int64
	for _, d := range waiting {
		if n.Now().Sub(d.Since) > oldest {
			old = append(old, d.Num)
		}
	}
	if len(old) == 0 {
		return nil
	}
	return n.Box.Drop(ctx, name, old, "the target is not configured")
}

// ready returns what the next message to a target holds: nothing in its quiet hours, and
// nothing before the debounce is over.
func (n *Notifier) ready(t Target, waiting []outbox.Delivery, flush bool) []outbox.Delivery {
	now := n.Now()
	if t.Quiet.Contains(now.Local()) {
		return nil
	}
	var due []outbox.Delivery
	for _, d := range waiting {
		if !now.Before(d.Next) {
			due = append(due, d)
		}
	}
	if len(due) == 0 || !flush && now.Sub(due[0].Since) < n.Debounce && due[0].Tries == 0 {
		return nil
	}
	return due
}

// start sends in a goroutine of its own. Its context outlives that of the caller: a
// command that ends waits a moment, and no longer.
func (n *Notifier) start(ctx context.Context, t Target, flush bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.busy[t.Name] {
		return
	}
	n.busy[t.Name] = true
	n.sends.Go(func() {
		defer func() {
			n.mu.Lock()
			defer n.mu.Unlock()
			delete(n.busy, t.Name)
		}()
		// Read anew: what was seen before may have been sent since.
		if waiting, err := n.Box.Waiting(ctx, t.Name); err == nil {
			n.send(ctx, t, n.ready(t, waiting, flush))
		}
	})
}

// send drops what is not true any more, and sends the rest: up to mostAlone questions
// alone, since they have buttons, and everything else together.
func (n *Notifier) send(ctx context.Context, t Target, due []outbox.Delivery) {
	due = n.stillTrue(ctx, t, due)
	for _, batch := range batches(t, due) {
		if ctx.Err() != nil {
			return // at the end of a command: sent by the next process
		}
		n.message(ctx, t, batch)
	}
}

// mostAlone is how many questions come in messages of their own.
const mostAlone = 3

func batches(t Target, due []outbox.Delivery) (out [][]outbox.Delivery) {
	var alone, rest []outbox.Delivery
	for _, d := range due {
		if t.Buttons() && d.Notice.Question != "" {
			alone = append(alone, d)
		} else {
			rest = append(rest, d)
		}
	}
	if len(alone) > mostAlone {
		return [][]outbox.Delivery{due}
	}
	for _, d := range alone {
		out = append(out, []outbox.Delivery{d})
	}
	if len(rest) > 0 {
		out = append(out, rest)
	}
	return out
}

// stillTrue leaves out conditions that have ended, such as questions that were answered.
func (n *Notifier) stillTrue(ctx context.Context, t Target, due []outbox.Delivery) []outbox.Delivery {
	var over []int64
	known := map[string][]notice.Notice{}
	due = slices.DeleteFunc(slices.Clone(due), func(d outbox.Delivery) bool {
		if !d.Notice.Event.Condition() {
			return false
		}
		now, ok := known[d.Notice.Run]
		if !ok {
			var err error
			if now, err = n.current(ctx, recovery.Kind(d.Notice.RunKind), d.Notice.Run); err != nil {
				return false
			}
			known[d.Notice.Run] = now
		}
		if holds(now, d.Notice.Condition()) {
			return false
		}
		over = append(over, d.Num)
		return true
	})
	if len(over) > 0 {
		_ = n.Box.Drop(ctx, t.Name, over, "over before it was sent")
	}
	return due
}

// message sends one message and records the result.
func (n *Notifier) message(ctx context.Context, t Target, batch []outbox.Delivery) {
	nums := make([]int64, len(batch))
	all := make([]notice.Notice, len(batch))
	tries := 0
	for i, d := range batch {
		nums[i], all[i], tries = d.Num, d.Notice, max(tries, d.Tries)
	}
	m := notice.Join(all)
	if len(batch) == 1 {
		m.Answers = n.buttons(ctx, t, m)
	}
	sending, cancel := context.WithTimeoutCause(ctx, n.Timeout, errNoAnswer)
	err := t.Send(sending, m)
	cancel()
	if ctx.Err() != nil && err != nil {
		return // our own end, and no failure of the target
	}
	recording := context.WithoutCancel(ctx)
	switch {
	case err == nil:
		_ = n.Box.Sent(recording, t.Name, nums)
	case errors.Is(err, notify.ErrNoTerminal):
		_ = n.Box.Drop(recording, t.Name, nums, err.Error())
	default:
		_ = n.Box.Failed(recording, t.Name, nums, err.Error(), n.again(batch[0].Since, tries))
	}
}

var errNoAnswer = errors.New("timed out")

// waits are the times between two tries; the last one repeats.
var waits = []time.Duration{5 * time.Second, 15 * time.Second, time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour}

// again returns when to try again after so many tries in vain before this one; zero is
// never.
func (n *Notifier) again(since time.Time, tries int) time.Time {
	next := n.Now().Add(waits[min(tries, len(waits)-1)])
	if next.Sub(since) > oldest {
		return time.Time{}
	}
	return next
}

// buttons are the answers that a message can offer: the options of its question, or what
// stands for them. They are made anew for each try, since tokens are kept nowhere.
func (n *Notifier) buttons(ctx context.Context, t Target, m notice.Notice) (out []notice.Button) {
	if n.AnswerURL == "" || !t.Buttons() || m.Question == "" || alike(m.Options) {
		return nil
	}
	for _, option := range m.Options[:min(len(m.Options), mostButtons)] {
		if strings.TrimSpace(option) == "" || loop.ValidID(m.Run) != nil {
			return nil
		}
		token, err := n.Box.Offer(ctx, outbox.Button{
			Kind: recovery.Kind(m.RunKind), Run: m.Run, Question: loop.QuestionInstance(m.Question, m.At), Answer: option, Target: t.Name, Until: n.Now().Add(buttonLife),
		})
		if err != nil {
			return nil // the message has the command all the same
		}
		out = append(out, notice.Button{Label: label(option), Method: "POST", URL: strings.TrimSuffix(n.AnswerURL, "/") + AnswerPath + token})
	}
	return out
}

// alike reports whether two options have one label: a person could not tell which button
// gives which answer.
func alike(options []string) bool {
	seen := map[string]bool{}
	for _, o := range options {
		l := text.Line(label(o))
		if seen[l] {
			return true
		}
		seen[l] = true
	}
	return false
}

// AnswerPath is the path below which serve takes answers, followed by a token.
const AnswerPath = "/answer/"

// mostButtons bounds the answers of one message.
const mostButtons = 5

// label is an option as a button shows it.
func label(option string) string { return text.Clip(option, 40) }
