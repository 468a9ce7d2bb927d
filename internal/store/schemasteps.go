package store

// versionBudgets stores budgets and the reservations of current runs. Amounts are
// millionths of a dollar, tokens, attempts and nanoseconds; a limit of 0 is none.
const versionBudgets = `
CREATE TABLE budgets (
  scope          TEXT    PRIMARY KEY, -- task:<num of a loop>, plan:<id>, session:<id>
  limits         TEXT    NOT NULL,    -- loop.Amounts as JSON
  money          INTEGER NOT NULL DEFAULT 0, -- used
  tokens         INTEGER NOT NULL DEFAULT 0,
  attempts       INTEGER NOT NULL DEFAULT 0,
  wall           INTEGER NOT NULL DEFAULT 0,
  wall_to        INTEGER NOT NULL DEFAULT 0, -- up to when time at work is counted
  assumed_money  INTEGER NOT NULL DEFAULT 0, -- used as reserved, since nobody told
  assumed_tokens INTEGER NOT NULL DEFAULT 0,
  dearest_money  INTEGER NOT NULL DEFAULT 0, -- of one run
  dearest_tokens INTEGER NOT NULL DEFAULT 0
);

-- The run of a loop's agent that is under way holds this much of a budget. It is
-- settled in the transaction that records how the run ended.
CREATE TABLE reservations (
  loop     INTEGER NOT NULL,
  scope    TEXT    NOT NULL,
  money    INTEGER NOT NULL,
  tokens   INTEGER NOT NULL,
  attempts INTEGER NOT NULL,
  at       INTEGER NOT NULL,
  until    INTEGER NOT NULL, -- when the run is over at the latest
  PRIMARY KEY (loop, scope)
);
CREATE INDEX reservations_by_scope ON reservations (scope);
`

// versionPlanReviews let the reviewers of a plan reserve as well. Their holder is
// a number below zero; plan and epoch say whose review it is. Their usage, a list
// of loop.AgentSpent, is stored with the plan.
const versionPlanReviews = `
ALTER TABLE reservations RENAME COLUMN loop TO holder;
ALTER TABLE reservations ADD COLUMN plan INTEGER NOT NULL DEFAULT 0;
ALTER TABLE reservations ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0;
ALTER TABLE plans ADD COLUMN spent TEXT NOT NULL DEFAULT '[]';
`

// versionDearest stores the most expensive run of each agent: the amount to
// reserve for the next. Reviewers, which run together, have no name there.
const versionDearest = `
ALTER TABLE reservations ADD COLUMN agent TEXT NOT NULL DEFAULT '';
CREATE TABLE dearest (
  scope  TEXT    NOT NULL,
  agent  TEXT    NOT NULL,
  money  INTEGER NOT NULL,
  tokens INTEGER NOT NULL,
  PRIMARY KEY (scope, agent)
);
ALTER TABLE budgets DROP COLUMN dearest_money;
ALTER TABLE budgets DROP COLUMN dearest_tokens;
`

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

// versionChains gives each event a hash over its content and the hash of the event
// before it, and each run a seal over its newest event and its state. Events of older
// versions have no hash; the first that has one covers them.
const versionChains = `
ALTER TABLE events ADD COLUMN hash BLOB;
ALTER TABLE plan_events ADD COLUMN hash BLOB;
CREATE TABLE journals (
  kind  TEXT    NOT NULL, -- loop, plan
  run   INTEGER NOT NULL, -- num of the run among those of its kind
  first INTEGER NOT NULL, -- events up to this one are older than the chain
  based INTEGER NOT NULL DEFAULT 0,
  base  BLOB,             -- the state after event number based; NULL: not recorded yet
  seal  BLOB,             -- NULL: nothing was committed since the chain began
  PRIMARY KEY (kind, run)
);
INSERT INTO journals (kind, run, first) SELECT 'loop', num, seq FROM loops;
INSERT INTO journals (kind, run, first) SELECT 'plan', num, seq FROM plans;

-- What doctor replaced, as it was.
CREATE TABLE damaged (
  num  INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT    NOT NULL,
  run  INTEGER NOT NULL,
  at   INTEGER NOT NULL,
  what TEXT    NOT NULL,
  data BLOB
);
`

// versionUnclosed finds the few loops that have ended and wait for a person among
// thousands that do not.
const versionUnclosed = `
CREATE INDEX loops_unsettled ON loops (num) WHERE archived = 0 AND ended = 1 AND coalesce(iif(json_valid(summary), json_extract(summary, '$.settled'), ''), '') <> 1;
`

// versionSessions changes no table. Earlier programs do not list the sessions of loops
// beside the database (see [Unbound]), so they must not record loops any more.
const versionSessions = `SELECT 1;`

// versionCounts counts the loops that have ended without reading their rows, and finds
// those of one plan.
const versionCounts = `
CREATE INDEX loops_ended ON loops (archived) WHERE ended = 1;
CREATE INDEX loops_within ON loops (coalesce(iif(json_valid(summary), json_extract(summary, '$.parent'), ''), '')) WHERE coalesce(iif(json_valid(summary), json_extract(summary, '$.parent'), ''), '') <> '';
`

// versionColumns gives loops and plans the same columns for what a [Filter] asks. Those that
// follow from the JSON of a row are computed, so that they cannot differ from it; where that
// is damaged they are empty. Whether a loop is in a plan is decided once, when it is recorded;
// whether a plan is closed, with each commit: its tasks have a part in that.
const versionColumns = `
DROP INDEX loops_unsettled;
DROP INDEX loops_ended;
DROP INDEX loops_within;
ALTER TABLE loops ADD COLUMN parent TEXT AS (CASE WHEN json_valid(summary) THEN json_extract(summary, '$.parent') END);
ALTER TABLE loops ADD COLUMN settled INTEGER AS (coalesce(CASE WHEN json_valid(summary) THEN json_extract(summary, '$.settled') END, 0));
ALTER TABLE loops ADD COLUMN in_plan INTEGER NOT NULL DEFAULT 0;
UPDATE loops SET in_plan = 1 WHERE parent IN (SELECT id FROM plans) OR CASE WHEN json_valid(summary) THEN json_extract(summary, '$.in_plan') END = 1;
CREATE INDEX loops_unsettled ON loops (num) WHERE archived = 0 AND ended = 1 AND settled = 0;
CREATE INDEX loops_ended ON loops (archived, in_plan) WHERE ended = 1;
CREATE INDEX loops_within ON loops (parent) WHERE parent IS NOT NULL;

ALTER TABLE plans ADD COLUMN mode TEXT AS (''); -- plans have none
ALTER TABLE plans ADD COLUMN status TEXT AS (coalesce(CASE WHEN json_valid(CAST(data AS TEXT)) THEN json_extract(CAST(data AS TEXT), '$.status') END, ''));
ALTER TABLE plans ADD COLUMN reason TEXT AS (coalesce(CASE WHEN json_valid(CAST(data AS TEXT)) THEN json_extract(CAST(data AS TEXT), '$.reason') END, ''));
ALTER TABLE plans ADD COLUMN ended INTEGER AS (archived = 1 OR status IN ('passed', 'failed', 'aborted'));
ALTER TABLE plans ADD COLUMN parent TEXT AS (CASE WHEN json_valid(CAST(spec AS TEXT)) THEN json_extract(CAST(spec AS TEXT), '$.ancestors[#-1]') END);
ALTER TABLE plans ADD COLUMN in_plan INTEGER AS (parent IS NOT NULL);
ALTER TABLE plans ADD COLUMN settled INTEGER NOT NULL DEFAULT 0;
UPDATE plans SET settled = 1 FROM (SELECT num AS n, CASE WHEN json_valid(CAST(data AS TEXT)) THEN CAST(data AS TEXT) END AS d FROM plans)
WHERE num = n AND ended = 1 AND (reason = 'left' OR d ->> 'accepted' <> '' AND coalesce(d ->> 'ended_at' <= d ->> 'accepted_at', 1)
  OR d ->> 'tip' = d ->> 'base' AND (status = 'aborted' AND reason = 'manual' OR status = 'passed' AND d ->> 'findings' IS NULL
    AND NOT EXISTS (SELECT 1 FROM plan_tasks t WHERE t.plan = num AND instr(CAST(t.data AS TEXT), '"status":"failed"') > 0)));
CREATE INDEX plans_active ON plans (num) WHERE ended = 0;
CREATE INDEX plans_unsettled ON plans (num) WHERE archived = 0 AND ended = 1 AND settled = 0;
CREATE INDEX plans_ended ON plans (archived, in_plan) WHERE ended = 1;
CREATE INDEX plans_within ON plans (parent) WHERE parent IS NOT NULL;
`
