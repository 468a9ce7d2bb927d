package store

// schema lists the steps from each version to the next: step 0 makes version 1.
// A step that was released is never edited.
func schema() []string { return []string{version1} }

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
