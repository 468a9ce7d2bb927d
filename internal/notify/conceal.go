package notify

import (
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"

	"ralph/internal/notice"
	"ralph/internal/secret"
	"ralph/internal/text"
)

// concealed keeps the keys of a target's address out of its errors.
type concealed struct {
	Target
	hide hider
}

func (c concealed) Send(ctx context.Context, n notice.Notice) error {
	return c.hide.error(c.Target.Send(ctx, n))
}

// hider masks the parts of an address that may be keys, and well-known forms of keys.
type hider struct {
	parts []string
	mask  *secret.Masker
}

// leastPart is how long a part of an address is that may be a key: masking shorter words
// would only garble a message.
const leastPart = 6

func concealer(to, signing string) hider {
	parts := []string{to, signing}
	if _, rest, found := strings.Cut(to, "://"); found {
		host := ""
		if at, err := url.Parse(to); err == nil {
			host = at.Hostname()
		}
		for _, p := range strings.FieldsFunc(rest, func(r rune) bool { return strings.ContainsRune("/:@?&=,;", r) }) {
			if plain, err := url.QueryUnescape(p); err == nil && p != host {
				parts = append(parts, p, plain)
			}
		}
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return len(s) < leastPart })
	slices.SortFunc(parts, func(a, b string) int { return len(b) - len(a) })
	return hider{slices.Compact(parts), secret.New()}
}

// mostError bounds a message about a failure, in columns.
const mostError = 200

func (h hider) error(err error) error {
	if err == nil || errors.Is(err, ErrNoTerminal) {
		return err
	}
	s := err.Error()
	for _, p := range h.parts {
		s = strings.ReplaceAll(s, p, secret.Masked)
	}
	return errors.New(text.Clip(h.mask.Mask(s), mostError))
}

// mostQuoted bounds the line of a reply that an error quotes, in columns.
const mostQuoted = 120
