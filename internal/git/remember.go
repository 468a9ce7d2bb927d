package git

import "slices"

// made is a commit whose tree is known; parents only where we made it. An
// object's name is its content, so what was read once stays true.
type made struct {
	tree    string
	parents []string
}

func (r *Repo) remember(commit string, m made) {
	r.known.mu.Lock()
	defer r.known.mu.Unlock()
	r.known.commits[commit] = m
}

func (r *Repo) recall(commit string) (made, bool) {
	r.known.mu.Lock()
	defer r.known.mu.Unlock()
	m, ok := r.known.commits[commit]
	return m, ok
}

// contains answers, without asking git, what follows from names alone: a
// commit contains itself and the parents it was made on.
func (r *Repo) contains(head, base string) bool {
	m, ok := r.recall(head)
	return ok && base != "" && (head == base || slices.Contains(m.parents, base))
}

// isID holds for a whole object name, which means the same for ever.
func isID(rev string) bool {
	if len(rev) != 40 && len(rev) != 64 {
		return false
	}
	for _, c := range rev {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return true
}
