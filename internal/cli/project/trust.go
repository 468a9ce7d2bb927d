package project

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"ralph/internal/cli/exit"
	"ralph/internal/config"
	"ralph/internal/next"
	"ralph/internal/text"
	"ralph/internal/trust"
)

// trustVariable allows without a question: 1 allows everything, its store
// included, and sha256:HEX one content. --trust sets it to 1.
const trustVariable = "RALPH_TRUST"

// TrustAll lets this call, and what it starts, run what the repository asks for.
func (a *Opener) TrustAll() { a.Env = append(slices.Clip(a.Env), trustVariable+"=1") }

// trusts reports whether the environment allows everything, or this content.
func (a *Opener) trusts(digest string) (bool, error) {
	switch given := a.Getenv(trustVariable); {
	case given == "":
		return false, nil
	case given == "1":
		return true, nil
	case !isDigest(given):
		return false, exit.UsageError(trustVariable+"=1, or "+trustVariable+"=sha256: and the digest that "+next.Trust()+" prints", "%s=%s: not 1 and not a digest", trustVariable, text.Line(given))
	default:
		return digest != "" && given == "sha256:"+digest, nil
	}
}

// isDigest reports whether a text is sha256: and 64 hex digits.
func isDigest(s string) bool {
	hexed, found := strings.CutPrefix(s, "sha256:")
	_, err := hex.DecodeString(hexed)
	return found && err == nil && len(hexed) == 2*sha256.Size
}

// TrustBook is the record of what the user allowed on this machine.
func (a *Opener) TrustBook() trust.Book {
	return trust.Book{Dir: filepath.Join(a.StateHome(), "ralph", "trust"), Now: a.Now}
}

// Asked returns what the repository's configuration asks to run, to send or to
// open, with the content of the programs in the repository that it names. A file
// that the user named with --config and that lies outside is the user's own.
func (a *Opener) Asked(ctx context.Context, p *Project) ([]trust.Line, error) {
	if p.Found.Project == nil || p.Repo == nil || a.ownConfig(p) {
		return nil, nil
	}
	asks, err := config.Asks(p.Found.Project)
	if err != nil {
		return nil, err
	}
	var lines []trust.Line
	var words []string
	for _, k := range asks {
		lines = append(lines, trust.NewLine(string(k.Effect), k.Key, k.Value, k.Exact))
		words = append(words, k.Words...)
	}
	files, err := a.namedFiles(ctx, p, words)
	return append(lines, files...), err
}

// ownConfig reports whether --config names a file outside of the repository.
func (a *Opener) ownConfig(p *Project) bool {
	if a.Config == "" {
		return false
	}
	file, err := filepath.EvalSymlinks(a.ExplicitConfig())
	return err == nil && !slices.ContainsFunc([]string{p.Repo.Root, p.Repo.CommonDir}, func(dir string) bool { return dir != "" && inside(dir, file) })
}

func inside(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// Allow lets a command continue that acts on the repository's configuration: its
// content was allowed before, is allowed for this call, or is allowed now by the
// person at the terminal.
func (a *Opener) Allow(ctx context.Context, p *Project) error {
	lines, err := a.notYetAllowed(ctx, p)
	if err != nil || len(lines) == 0 {
		return err
	}
	if !a.Asks() || a.JSON {
		return a.notAllowed(p, lines)
	}
	yes, err := a.YesOrNo(ctx, a.TrustQuestion(p, lines)+"Allow exactly this? [y/N] ", false)
	if err != nil {
		return err
	}
	if !yes {
		return exit.UsageError(next.Trust()+" shows it again", "nothing was started: %s is not allowed", config.FileName)
	}
	return a.AllowLines(p, lines)
}

// notYetAllowed returns what the repository's configuration asks for where no permission
// covers it, else nothing.
func (a *Opener) notYetAllowed(ctx context.Context, p *Project) ([]trust.Line, error) {
	lines, err := a.Asked(ctx, p)
	if err != nil {
		return nil, err
	}
	digest := trust.Digest(lines)
	given, err := a.trusts(digest)
	if err != nil || given || a.Allowed(p, lines) {
		return nil, err
	}
	return lines, nil
}

// Refusal returns the error with which a run that cannot ask is refused now, for want of a
// permission; nil is none.
func (a *Opener) Refusal(ctx context.Context, p *Project) (refusal, err error) {
	lines, err := a.notYetAllowed(ctx, p)
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	return a.notAllowed(p, lines), nil
}

// AllowAgent returns the error with which a command that cannot ask refuses to start an
// agent by its name: its definition is the repository's, and is not allowed.
func (a *Opener) AllowAgent(ctx context.Context, p *Project, name string) error {
	lines, err := a.notYetAllowed(ctx, p)
	if err != nil || len(lines) == 0 || !p.Settings.ProjectAgent(name) {
		return err
	}
	return exit.UsageError(allowing(), "nothing was started: agent %s comes from %s, which is not allowed on this machine", text.Line(name), config.FileName)
}

// allowing is the hint for a call that cannot ask.
func allowing() string {
	return next.Trust() + " shows and allows it; for one call: --trust, or " + trustVariable + "=1"
}

// AllowLines records that the user allowed the lines.
func (a *Opener) AllowLines(p *Project, lines []trust.Line) error {
	return a.TrustBook().Allow(p.Place.CommonDir, p.Root(), a.Owner(), lines)
}

// AllowWritten allows what this ralph has just written itself.
func (a *Opener) AllowWritten(ctx context.Context, p *Project) error {
	if err := a.Configure(p); err != nil {
		return err
	}
	lines, err := a.Asked(ctx, p)
	if err != nil || len(lines) == 0 {
		return err
	}
	return a.AllowLines(p, lines)
}

// Lines shows what is asked for, one line each: what it does, the key, the value. Two
// that differ are never shown alike.
func Lines(lines []trust.Line) string {
	width := 0
	for _, l := range lines {
		width = max(width, min(len(text.Exact(l.Key)), 28))
	}
	var b strings.Builder
	for _, l := range lines {
		fmt.Fprintf(&b, "  %-5s  %-*s  %s\n", l.Effect, width, text.Exact(l.Key), text.Exact(l.Value))
	}
	return b.String()
}
