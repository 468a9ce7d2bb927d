package notify

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"ralph/internal/notice"
)

// webhook posts a notice as JSON, by the Standard Webhooks specification
// (standardwebhooks.com): the id is the same whenever it is sent again, and the
// signature is over id, time and body.
type webhook struct {
	to  string
	key []byte
	now func() time.Time
}

func newWebhook(to, secret string, now func() time.Time) (Target, error) {
	h := webhook{to: to, now: now}
	if secret == "" {
		return h, nil
	}
	var err error
	h.key, err = base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
	if err != nil || len(h.key) < 16 {
		return nil, errors.New("the secret is not at least 16 bytes in base64, such as whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw")
	}
	return h, nil
}

func (webhook) Buttons() bool { return true }

func (h webhook) Send(ctx context.Context, n notice.Notice) error {
	body, err := json.Marshal(n)
	if err != nil {
		return err
	}
	at := strconv.FormatInt(h.now().Unix(), 10)
	header := http.Header{"Content-Type": {"application/json"}, "Webhook-Id": {n.ID}, "Webhook-Timestamp": {at}}
	if h.key != nil {
		mac := hmac.New(sha256.New, h.key)
		mac.Write([]byte(n.ID + "." + at + "."))
		mac.Write(body)
		header.Set("Webhook-Signature", "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
	}
	return post(ctx, h.to, body, header)
}
