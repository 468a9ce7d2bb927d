package store

// schema lists the steps from each version to the next: step 0 makes version 1.
// A step that was released is never edited.
func schema() []string {
	return []string{version1, version2, versionPlans, versionBudgets, versionPlanReviews, versionDearest, versionRecoveries, versionAttempts, versionChains, versionUnclosed, versionSessions, versionCounts, versionColumns}
}

// version1. Columns are what queries need; the rest of a row is JSON, so that
// more can be remembered without a migration. All times are Unix nanoseconds.
const version1 = `
CREATE TABLE registry (
  one       INTEGER PRIMARY KEY CHECK (one = 1),
  max       INTEGER NOT NULL,
  completed INTEGER NOT NULL,
  failed    INTEGER NOT NULL,
  aborted   INTEGER NOT NULL
);
INSERT INTO registry VALUES (1, 4, 0, 0, 0);

-- num is never used again, so a forgotten owner cannot meet a new loop that was
-- given its old id.
CREATE TABLE loops (
  num      INTEGER PRIMARY KEY AUTOINCREMENT,
  id       TEXT    NOT NULL UNIQUE,
  mode     TEXT    NOT NULL,
  status   TEXT    NOT NULL,
  reason   TEXT    NOT NULL,
  epoch    INTEGER NOT NULL,
  seq      INTEGER NOT NULL,
  ended    INTEGER NOT NULL,
  archived INTEGER NOT NULL DEFAULT 0,
  deadline INTEGER NOT NULL, -- an agent-driven loop holds its slot until then; 0 is none
  updated  INTEGER NOT NULL,
  owner    TEXT    NOT NULL,
  summary  TEXT    NOT NULL
);
CREATE INDEX loops_active ON loops (num) WHERE ended = 0;
CREATE INDEX loops_kept ON loops (num) WHERE archived = 0;

-- States are large and read one at a time; apart from loops they do not slow
-- down lists.
CREATE TABLE states (
  num  INTEGER PRIMARY KEY,
  data BLOB NOT NULL
);

-- seq numbers the machine's events of one loop. Rows without one are notices for
-- the event bus. pos is the order in which all of them happened.
CREATE TABLE events (
  pos   INTEGER PRIMARY KEY AUTOINCREMENT,
  loop  INTEGER NOT NULL,
  seq   INTEGER,
  epoch INTEGER NOT NULL,
  at    INTEGER NOT NULL,
  name  TEXT    NOT NULL,
  data  BLOB    NOT NULL
);
CREATE INDEX events_by_loop ON events (loop, seq);

CREATE TABLE inbox (
  num   INTEGER PRIMARY KEY AUTOINCREMENT,
  loop  INTEGER NOT NULL,
  at    INTEGER NOT NULL,
  kind  TEXT    NOT NULL,
  text  TEXT    NOT NULL,
  by    TEXT    NOT NULL,
  taken INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX inbox_open ON inbox (loop) WHERE taken = 0;

CREATE TABLE trees (
  path  TEXT PRIMARY KEY,
  kind  TEXT    NOT NULL,
  setup TEXT    NOT NULL,
  root  TEXT    NOT NULL,
  state TEXT    NOT NULL, -- making, busy, free
  loop  INTEGER NOT NULL, -- 0: nobody's
  at    INTEGER NOT NULL
);
`

// version2 stores data that loops share: patterns, artifacts, restarts by
// supervisors, and the sources of imported state.
const version2 = `
-- A pattern is one thing learned; key is what makes two of them the same.
CREATE TABLE patterns (
  num         INTEGER PRIMARY KEY AUTOINCREMENT,
  key         TEXT    NOT NULL UNIQUE,
  kind        TEXT    NOT NULL, -- error_fix, success, anti_pattern, note
  fingerprint TEXT    NOT NULL, -- of the failure it is about; empty is none
  review      TEXT    NOT NULL, -- unreviewed, promoted, dropped
  seen        INTEGER NOT NULL, -- loops that taught it
  updated     INTEGER NOT NULL,
  data        BLOB    NOT NULL
);
CREATE INDEX patterns_by_fingerprint ON patterns (fingerprint) WHERE fingerprint <> '';
CREATE INDEX patterns_by_review ON patterns (review, updated);

-- A loop was shown a pattern; helped is NULL until the loop has ended.
CREATE TABLE pattern_uses (
  pattern INTEGER NOT NULL,
  loop    INTEGER NOT NULL,
  at      INTEGER NOT NULL,
  helped  INTEGER,
  PRIMARY KEY (pattern, loop)
);
CREATE INDEX pattern_uses_by_loop ON pattern_uses (loop);

-- A loop that has ended and that nothing was learned from yet.
CREATE TABLE unlearned (
  loop INTEGER PRIMARY KEY
);

-- A file that a loop offers to others, read-only, as it was when it did.
CREATE TABLE artifacts (
  num    INTEGER PRIMARY KEY AUTOINCREMENT,
  loop   INTEGER NOT NULL,
  path   TEXT    NOT NULL,
  sha256 TEXT    NOT NULL,
  bytes  INTEGER NOT NULL,
  note   TEXT    NOT NULL,
  at     INTEGER NOT NULL
);

-- How often a stop hook has kept a session working without any change of mark.
CREATE TABLE blocks (
  loop    INTEGER PRIMARY KEY,
  mark    TEXT    NOT NULL,
  running INTEGER NOT NULL,
  at      INTEGER NOT NULL
);

-- The state of a loop, and a commit of its tree, at some time.
CREATE TABLE checkpoints (
  loop  INTEGER NOT NULL,
  n     INTEGER NOT NULL,
  at    INTEGER NOT NULL,
  seq   INTEGER NOT NULL,
  tree  TEXT    NOT NULL, -- commit of the tree as it was; empty: unknown
  state BLOB    NOT NULL,
  PRIMARY KEY (loop, n)
);

-- What supervisors did for a loop that its owner left.
CREATE TABLE rescues (
  loop  INTEGER PRIMARY KEY,
  tries INTEGER NOT NULL,
  last  INTEGER NOT NULL,
  next  INTEGER NOT NULL, -- not before
  note  TEXT    NOT NULL
);

-- State of other runners that was brought along, by where it was found.
CREATE TABLE imports (
  source TEXT    PRIMARY KEY,
  sha256 TEXT    NOT NULL,
  loop   INTEGER NOT NULL,
  at     INTEGER NOT NULL
);
`

// versionAttempts gives each attempt a row. A state keeps the newest ones; one of an
// older version keeps all of them until the loop's next transition.
const versionAttempts = `
CREATE TABLE attempts (
  loop INTEGER NOT NULL,
  n    INTEGER NOT NULL,
  data BLOB    NOT NULL,
  PRIMARY KEY (loop, n)
);
INSERT OR IGNORE INTO attempts SELECT s.num, coalesce(json_extract(a.value, '$.n'), a.key + 1), CAST(a.value AS BLOB)
FROM states s, json_each(iif(json_valid(CAST(s.data AS TEXT)), CAST(s.data AS TEXT), '{}'), '$.attempts') a WHERE a.type = 'object';
`
