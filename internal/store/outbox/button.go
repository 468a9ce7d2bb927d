package outbox

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"database/sql"
	"encoding/base64"
	"errors"
	"time"

	"ralph/internal/recovery"
	"ralph/internal/store/sqlrow"
)

// Button is an answer that a message offers.
type Button struct {
	Kind recovery.Kind
	// Question is the instance of a question of Run, Answer one of its options.
	Run, Question, Answer string
	// Target is that of the message; Until when the button expires.
	Target string
	Until  time.Time
	// Used is when it was pressed; zero is never.
	Used time.Time
}

// ErrNoButton is returned for a token that was never given out.
var ErrNoButton = errors.New("no such button")

// Offer makes a button and returns its token: 256 random bits that are kept nowhere.
func (b *Box) Offer(ctx context.Context, of Button) (token string, err error) {
	secret := make([]byte, 32)
	_, _ = rand.Read(secret)
	token = base64.RawURLEncoding.EncodeToString(secret)
	hash := sha256.Sum256([]byte(token))
	err = b.write(ctx, "offer an answer", func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `INSERT INTO buttons (hash, kind, run, question, answer, target, until) VALUES (?, ?, ?, ?, ?, ?, ?)`,
			hash[:], of.Kind, of.Run, of.Question, of.Answer, of.Target, of.Until.UnixNano())
		return err
	})
	return token, err
}

// Button returns the one of a token. ErrNoButton: there is none.
func (b *Box) Button(ctx context.Context, token string) (of Button, err error) {
	hash := sha256.Sum256([]byte(token))
	found := false
	err = b.read(ctx, "look for a button", func(tx *sql.Tx) error {
		var have []byte
		var until, used int64
		err := tx.QueryRowContext(ctx, `SELECT hash, kind, run, question, answer, target, until, used FROM buttons WHERE hash = ?`, hash[:]).
			Scan(&have, &of.Kind, &of.Run, &of.Question, &of.Answer, &of.Target, &until, &used)
		if errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		// What was looked up is a digest, so its timing tells nothing of the token.
		found = err == nil && subtle.ConstantTimeCompare(have, hash[:]) == 1
		of.Until, of.Used = sqlrow.Time(until), sqlrow.Time(used)
		return err
	})
	if err == nil && !found {
		err = ErrNoButton
	}
	return of, err
}

// Press uses a button up. It reports false where it was pressed before.
func (b *Box) Press(ctx context.Context, token string) (first bool, err error) {
	hash := sha256.Sum256([]byte(token))
	err = b.write(ctx, "press a button", func(tx *sql.Tx) error {
		done, err := tx.ExecContext(ctx, `UPDATE buttons SET used = ? WHERE hash = ? AND used = 0`, b.now().UnixNano(), hash[:])
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		first = n > 0
		return err
	})
	return first, err
}
