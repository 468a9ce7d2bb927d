package loop

import "ralph/internal/lazyregexp"

// ProofPolicy is what a verdict needs besides green gates. Only people set it.
type ProofPolicy string

// Required: something must fail without the work. Review: the approval of a spec
// review may stand for that. None, and empty, as in loops of older versions:
// green gates are enough, and the verdict says that it is unproved.
const (
	ProofRequired ProofPolicy = "required"
	ProofReview   ProofPolicy = "review"
	ProofNone     ProofPolicy = "none"
)

// ProofPolicies are those that can be chosen.
func ProofPolicies() []ProofPolicy { return []ProofPolicy{ProofRequired, ProofReview, ProofNone} }

// TaskKind is what a task is for; empty is treated as a feature.
type TaskKind string

// The kinds of task.
const (
	KindFeature  TaskKind = "feature"
	KindFix      TaskKind = "fix"
	KindDocs     TaskKind = "docs"
	KindRefactor TaskKind = "refactor"
	KindChore    TaskKind = "chore"
)

// TaskKinds are those that can be chosen.
func TaskKinds() []TaskKind {
	return []TaskKind{KindFeature, KindFix, KindDocs, KindRefactor, KindChore}
}

// Exempt reports whether work of this kind changes nothing that a test could see,
// so that no proof is asked of it.
func (k TaskKind) Exempt() bool { return k == KindDocs || k == KindRefactor || k == KindChore }

// likely matches how tasks begin whose work changes nothing that a test could see; its groups are
// for refactor, docs and chore.
var likely = lazyregexp.New(`(?i)^\W*(?:(refactor|rename|restructure|reorgani[sz]e|extract|inline|simplify|clean ?up|tidy|deduplicate|split up|move)\b|` +
	`((?:document|describe|(?:write|update|improve|extend|translate|correct) (?:the |all )?(?:docs?|documentation|readme|changelog|comments?)|fix (?:all |the )?typos?)\b)|` +
	`((?:bump|upgrade|reformat|format|(?:write|add) (?:more |missing |unit )*tests?)\b|(?:add|set up|update|configure)\b.{0,40}(?:\bci\b|workflow|pre-?commit|gitignore|editorconfig|dockerfile)))`)

// LikelyKind returns the exempt kind of which a task without a kind seems to be, by the words with
// which it begins; empty where it seems to be of none. It decides nothing.
func LikelyKind(task string) TaskKind {
	m := likely.FindStringSubmatch(task)
	switch {
	case m == nil:
		return ""
	case m[1] != "":
		return KindRefactor
	case m[2] != "":
		return KindDocs
	}
	return KindChore
}
