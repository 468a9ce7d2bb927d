package loop

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
