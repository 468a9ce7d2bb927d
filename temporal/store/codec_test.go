package store

import (
	"bytes"
	"errors"
	"testing"

	common "go.temporal.io/api/common/v1"

	"ralph/internal/engine"
	"ralph/temporal/entity"
)

// TestKey: what a key encrypts it decrypts, in another process too. Content that another
// key made, that nobody encrypted, or that was changed is refused.
func TestKey(t *testing.T) {
	t.Parallel()
	key := func(fill byte) *Key {
		k, err := NewKey(bytes.Repeat([]byte{fill}, KeySize))
		if err != nil {
			t.Fatal(err)
		}
		return k
	}
	one, again, other := key(1), key(1), key(2)
	if one.queue() != again.queue() || one.queue() == other.queue() || one.queue() == entity.Queue {
		t.Errorf("queues: %s, %s, %s", one.queue(), again.queue(), other.queue())
	}
	data, _ := one.converters()
	sent, err := data.ToPayloads(entity.Message{Text: "the answer"})
	if err != nil || bytes.Contains(sent.GetPayloads()[0].GetData(), []byte("answer")) {
		t.Fatalf("%v, %v", sent, err)
	}
	var got entity.Message
	data, _ = again.converters()
	if err := data.FromPayloads(sent, &got); err != nil || got.Text != "the answer" {
		t.Errorf("%+v, %v", got, err)
	}
	data, _ = other.converters()
	if err := data.FromPayloads(sent, &got); !errors.Is(err, engine.ErrKey) {
		t.Errorf("another key: %v", err)
	}
	var none *Key
	data, _ = none.converters()
	plain, err := data.ToPayloads("x")
	if err != nil {
		t.Fatal(err)
	}
	changed := bytes.Clone(sent.GetPayloads()[0].GetData())
	changed[len(changed)-1] ^= 1
	for what, bad := range map[string]*common.Payload{
		"not encrypted": plain.GetPayloads()[0],
		"changed":       {Metadata: sent.GetPayloads()[0].GetMetadata(), Data: changed},
		"cut":           {Metadata: sent.GetPayloads()[0].GetMetadata(), Data: changed[:5]},
		"nothing":       {},
	} {
		if out, err := one.Decode([]*common.Payload{bad}); !errors.Is(err, engine.ErrKey) {
			t.Errorf("%s: %v, %v", what, out, err)
		}
	}
	for _, size := range []int{0, 16, KeySize + 1} {
		if _, err := NewKey(make([]byte, size)); !errors.Is(err, engine.ErrKey) {
			t.Errorf("a key of %d bytes: %v", size, err)
		}
	}
}
