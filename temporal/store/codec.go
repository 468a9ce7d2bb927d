package store

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	common "go.temporal.io/api/common/v1"
	"go.temporal.io/sdk/converter"
	"go.temporal.io/sdk/temporal"
	"google.golang.org/protobuf/proto"

	"ralph/internal/engine"
	"ralph/temporal/entity"
)

// KeySize is the number of bytes of a key.
const KeySize = 32

// encrypted is the encoding of a payload that holds another one: a nonce of 12 bytes, then
// the payload and a tag of 16 bytes, by AES-256-GCM.
const encrypted = "binary/ralph-aes-256-gcm"

// Key encrypts all payloads of a client: inputs and results of workflows, updates, queries
// and activities, and the texts of failures. A nil Key encrypts nothing. Random nonces
// bound the payloads of one key to about 2^32 (NIST SP 800-38D, 8.3).
type Key struct {
	aead cipher.AEAD
	// id tells keys apart, and nothing about them.
	id string
}

var _ converter.PayloadCodec = (*Key)(nil)

// NewKey returns the key of KeySize random bytes.
func NewKey(secret []byte) (*Key, error) {
	if len(secret) != KeySize {
		return nil, fmt.Errorf("%w: it has %d bytes; use %d random ones", engine.ErrKey, len(secret), KeySize)
	}
	block, err := aes.NewCipher(secret)
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		return nil, err
	}
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte("name of the key"))
	return &Key{aead, hex.EncodeToString(mac.Sum(nil)[:6])}, nil
}

// queue is the task queue of the entities: each key has its own, so that no process is
// given an entity that it cannot read.
func (k *Key) queue() string {
	if k == nil {
		return entity.Queue
	}
	return entity.Queue + "-key-" + k.id
}

// converters encode what a client sends, and decode what it gets.
func (k *Key) converters() (converter.DataConverter, converter.FailureConverter) {
	if k == nil {
		return converter.GetDefaultDataConverter(), temporal.GetDefaultFailureConverter()
	}
	data := converter.NewCodecDataConverter(converter.GetDefaultDataConverter(), k)
	return data, temporal.NewDefaultFailureConverter(temporal.DefaultFailureConverterOptions{DataConverter: data, EncodeCommonAttributes: true})
}

// Encode encrypts payloads.
func (k *Key) Encode(in []*common.Payload) ([]*common.Payload, error) {
	out := make([]*common.Payload, len(in))
	for i, p := range in {
		plain, err := proto.Marshal(p)
		if err != nil {
			return nil, err
		}
		nonce := make([]byte, k.aead.NonceSize(), k.aead.NonceSize()+len(plain)+k.aead.Overhead())
		_, _ = rand.Read(nonce)
		out[i] = &common.Payload{
			Metadata: map[string][]byte{converter.MetadataEncoding: []byte(encrypted)},
			Data:     k.aead.Seal(nonce, nonce, plain, []byte(encrypted)),
		}
	}
	return out, nil
}

// Decode decrypts payloads. One that is not encrypted is refused: a client without the key
// made it.
func (k *Key) Decode(in []*common.Payload) ([]*common.Payload, error) {
	out := make([]*common.Payload, len(in))
	for i, p := range in {
		size := k.aead.NonceSize()
		if string(p.GetMetadata()[converter.MetadataEncoding]) != encrypted || len(p.GetData()) < size {
			return nil, fmt.Errorf("%w: a record is not encrypted", engine.ErrKey)
		}
		plain, err := k.aead.Open(nil, p.GetData()[:size], p.GetData()[size:], []byte(encrypted))
		if err != nil {
			return nil, fmt.Errorf("%w: a record cannot be decrypted", engine.ErrKey)
		}
		out[i] = &common.Payload{}
		if err := proto.Unmarshal(plain, out[i]); err != nil {
			return nil, err
		}
	}
	return out, nil
}
