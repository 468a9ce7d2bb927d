package bucket

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
)

// key encrypts the content of objects by AES-256-GCM, bound to the object's key, and hides the
// digests in their names: a digest tells those who can guess a content that it is there. A nil
// key does neither.
type key struct {
	aead  cipher.AEAD
	names []byte
}

// newKey derives keys of its own, so that no content is encrypted with the key of the
// payloads on the server.
func newKey(secret []byte) (*key, error) {
	derived := func(what string) []byte {
		mac := hmac.New(sha256.New, secret)
		mac.Write([]byte(what))
		return mac.Sum(nil)
	}
	block, err := aes.NewCipher(derived("content of files"))
	if err != nil {
		return nil, err
	}
	aead, err := cipher.NewGCM(block)
	return &key{aead, derived("names of files")}, err
}

// name is the key under which an object is stored.
func (k *key) name(object string) string {
	folder, rest, _ := strings.Cut(object, "/")
	if k == nil || folder != "blobs" {
		return object
	}
	mac := hmac.New(sha256.New, k.names)
	mac.Write([]byte(rest))
	sum := hex.EncodeToString(mac.Sum(nil))
	return folder + "/" + sum[:2] + "/" + sum
}

// seal returns a nonce of 12 bytes, then the content and a tag of 16 bytes.
func (k *key) seal(object string, content io.Reader) (io.Reader, error) {
	if k == nil {
		return content, nil
	}
	plain, err := io.ReadAll(content)
	if err != nil {
		return nil, err
	}
	nonce := make([]byte, k.aead.NonceSize(), k.aead.NonceSize()+len(plain)+k.aead.Overhead())
	_, _ = rand.Read(nonce)
	return bytes.NewReader(k.aead.Seal(nonce, nonce, plain, []byte(object))), nil
}

// open decrypts what seal returned for the object of the same key.
func (k *key) open(object string, content []byte) ([]byte, error) {
	if k == nil {
		return content, nil
	}
	if size := k.aead.NonceSize(); len(content) >= size {
		if plain, err := k.aead.Open(nil, content[:size], content[size:], []byte(object)); err == nil {
			return plain, nil
		}
	}
	return nil, fmt.Errorf("%s cannot be decrypted: it was changed, or written with another key", object)
}
