package store

import (
	"context"
	"database/sql"
)

// addDearest notes with each budget what the dearest run of the agent has used
// of it, and that of anybody; the zero amounts where none has ended yet.
func addDearest(ctx context.Context, tx *sql.Tx, all []kept, agent string) error {
	for i := range all {
		own, any := &all[i].Dearest, &all[i].Anybody
		err := tx.QueryRowContext(ctx,
			`SELECT coalesce(max(CASE agent WHEN ?2 THEN money END), 0), coalesce(max(CASE agent WHEN ?2 THEN tokens END), 0),
			   coalesce(max(money), 0), coalesce(max(tokens), 0) FROM dearest WHERE scope = ?1`, all[i].scope, agent).
			Scan(&own.MoneyMicroUSD, &own.Tokens, &any.MoneyMicroUSD, &any.Tokens)
		if err != nil {
			return err
		}
	}
	return nil
}

// dearer remembers a run that has ended, where it was dearer than all before.
func dearer(ctx context.Context, tx *sql.Tx, r reservation, micro, tokens int64) error {
	_, err := tx.ExecContext(ctx,
		`INSERT INTO dearest (scope, agent, money, tokens) VALUES (?1, ?2, ?3, ?4)
		 ON CONFLICT (scope, agent) DO UPDATE SET money = max(money, ?3), tokens = max(tokens, ?4)`,
		r.scope, r.agent, micro, tokens)
	return err
}
