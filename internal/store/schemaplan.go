package store

// versionPlans remembers runs of plans. A task has a row of its own, so that a
// step of one writes no more in a large plan than in a small one.
const versionPlans = `
CREATE TABLE plans (
  num      INTEGER PRIMARY KEY AUTOINCREMENT,
  id       TEXT    NOT NULL UNIQUE,
  epoch    INTEGER NOT NULL,
  seq      INTEGER NOT NULL,
  archived INTEGER NOT NULL DEFAULT 0,
  updated  INTEGER NOT NULL,
  owner    TEXT    NOT NULL,
  spec     BLOB    NOT NULL, -- what the run was asked for
  data     BLOB    NOT NULL  -- its state without the tasks
);

CREATE TABLE plan_tasks (
  plan INTEGER NOT NULL,
  n    INTEGER NOT NULL, -- place in the file
  data BLOB    NOT NULL,
  PRIMARY KEY (plan, n)
);

CREATE TABLE plan_events (
  plan  INTEGER NOT NULL,
  seq   INTEGER NOT NULL,
  epoch INTEGER NOT NULL,
  at    INTEGER NOT NULL,
  name  TEXT    NOT NULL,
  data  BLOB    NOT NULL,
  PRIMARY KEY (plan, seq)
);

CREATE TABLE plan_inbox (
  num   INTEGER PRIMARY KEY AUTOINCREMENT,
  plan  INTEGER NOT NULL,
  at    INTEGER NOT NULL,
  kind  TEXT    NOT NULL,
  text  TEXT    NOT NULL,
  by    TEXT    NOT NULL,
  taken INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX plan_inbox_open ON plan_inbox (plan) WHERE taken = 0;

-- A person accepted the commands of a plan with this digest. The plan need not
-- have been run yet.
CREATE TABLE plan_approvals (
  plan   TEXT    NOT NULL,
  digest TEXT    NOT NULL,
  at     INTEGER NOT NULL,
  by     TEXT    NOT NULL,
  PRIMARY KEY (plan, digest)
);
`

// versionRecoveries stores the restarts by supervisors of loops and plans whose
// process died.
const versionRecoveries = `
CREATE TABLE recoveries (
  kind  TEXT    NOT NULL, -- loop, plan
  run   INTEGER NOT NULL, -- num of the run among those of its kind
  tries INTEGER NOT NULL,
  last  INTEGER NOT NULL,
  next  INTEGER NOT NULL, -- not before
  note  TEXT    NOT NULL,
  PRIMARY KEY (kind, run)
);
INSERT INTO recoveries SELECT 'loop', loop, tries, last, next, note FROM rescues;
DROP TABLE rescues;
`
