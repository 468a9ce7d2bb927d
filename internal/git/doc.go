// Package git works on repositories through the git command.
//
// # Promises
//
//   - The user's index, stash, HEAD and checked-out branch are read, never
//     written. The one exception is AdvanceBranch (accept), which the user asks
//     for and which fails when it would touch a file with changes.
//   - No call runs a program that a repository configures: no hook, fsmonitor, external
//     diff, text conversion, merge driver, signing program, editor, pager,
//     prompt or credential helper, and no transport. A file that an agent can
//     write (.git/config) must not decide what runs outside its reach. The
//     exceptions are clean, smudge and process filters that attributes
//     name (LFS, git-crypt): without them a checkout has the wrong content.
//     They run as CaptureFilters found them, whatever the later configuration;
//     all others are blanked.
//   - A ref moves only from the value that the caller knew (compare and swap),
//     and only to objects that are on disk. A call that returned a commit has
//     synced it: by default git loses acknowledged commits in a power cut.
//   - Nothing that only a ref or worktree of ralph's reached is deleted: DeleteRef
//     and RetireWorktree refuse when the tip would become unreachable.
//
// # Life of a worktree
//
//	EnsureWorktree ── agent works ── Commit ─┐
//	      ▲                                  │ (again)
//	      │            Switch ◀── Detach ◀───┘
//	      └─ Heal after a crash        └─▶ RetireWorktree ─▶ Sweep
//
// CheckoutDetached (gate worktrees) and Switch trust nothing that a test or an agent may
// have written in a worktree or its index. They restore the seal, the index as ralph left
// it (in memory, and in <common>/ralph/seals from Detach until the machine starts again),
// or build one from the content of every file. git writes what differs between two
// commits; then a look compares every name and the state of every file with the index. A
// file whose time of change, inode and size are those recorded was not written since: no
// program can set that time. What differs is written anew.
//
// Linked worktrees passed to these calls belong to the caller alone, which has
// ended every process in them; stale locks there are removed. Locks of the
// user's own trees are reported (ErrLocked) and stay; AdvanceBranch takes the lock on
// an index itself, in a form in which the next call knows it after a kill.
//
// # Errors
//
// Situations have types (ErrUnborn, ErrRefMoved, ErrBranchBlocks, ErrDirty,
// ErrConflict, …); any other failure of git is a *CommandError with the end
// of its message. Git's own messages are inspected only in open.go and command.go.
//
// # Limits
//
// Objects that a partial clone has not fetched are not fetched, and an LFS filter
// sees no network credentials: both must be present before a loop starts. Content
// inside nested repositories (folders with their own .git) is not committed; Dirty
// names it. Elsewhere than on Linux, in sparse checkouts and with submodules git itself
// compares a tree with its index: a file changed with its old size and its old times,
// within the second in which its index was written, escapes a git built without
// nanosecond times. syncfs is Linux; elsewhere git is told to fsync everything
// and folders are synced one by one. Windows builds; file modes and directory syncs
// are not kept there.
package git
