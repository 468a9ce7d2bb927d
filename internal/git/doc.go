// Package git is the hand that works on repositories, through the git command.
//
// # What it promises
//
//   - The user's index, stash, HEAD and checked-out branch are read, never
//     written. The one exception is AdvanceBranch, which a person asks for
//     (accept), and which refuses when it would touch a file with changes.
//   - No call runs what a repository configures: no hook, fsmonitor, external
//     diff, text conversion, merge driver, signing program, editor, pager,
//     prompt or credential helper, and no transport. A file that anybody can
//     write (.git/config) must not decide what runs outside the agent's reach.
//     The exception are clean, smudge and process filters that attributes
//     name (LFS, git-crypt): without them a checkout has the wrong content.
//     They run as CaptureFilters found them, whatever the configuration says
//     later; all others are blanked.
//   - A ref moves only from the value the caller knew (compare and swap), and
//     only to objects that are on the disk. A call that returned a commit has
//     synced it: by default git loses acknowledged commits in a power cut.
//   - Nothing that only a ref or worktree of ours reached is deleted: DeleteRef
//     and RetireWorktree refuse when the tip would become unreachable.
//
// # How a worktree lives
//
//	EnsureWorktree ── agent works ── Commit ─┐
//	      ▲                                  │ (again)
//	      │            Switch ◀── Detach ◀───┘
//	      └─ Heal after a crash        └─▶ RetireWorktree ─▶ Sweep
//
// Gate worktrees are entered with CheckoutDetached, which trusts nothing that a
// test may have written there: the index it compares against is the one it left
// itself (kept in memory), or is built again from the content of every file.
//
// Linked worktrees handed to these calls belong to the caller alone, who has
// ended every process in them; stale locks there are removed. Locks of the
// user's own trees are reported (ErrLocked) and stay.
//
// # What fails, and how it is said
//
// Situations have types (ErrUnborn, ErrRefMoved, ErrBranchBlocks, ErrDirty,
// ErrConflict, …); anything else that git refuses is a *CommandError with the
// end of its message. Git's own words are looked at in open.go only.
//
// # Limits
//
// Objects that a partial clone has not fetched are not fetched, and an LFS
// filter sees no network credentials: both must be present before a loop
// starts. Content inside nested repositories (a folder with its own .git) is
// another repository's: it is not committed; Dirty names it. A file changed with its old size and its old
// times set back, within the second in which its index was written, escapes a
// git built without nanosecond times, as it escapes git itself. syncfs is
// Linux; elsewhere git is told to fsync everything and folders are synced one
// by one. Windows builds; file modes and directory syncs are not kept there.
package git
