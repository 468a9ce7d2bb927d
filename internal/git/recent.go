package git

import "sync"

// recent keeps the newest answers of git about objects: their names are their content,
// so an answer stays true.
type recent[V any] struct {
	mu    sync.Mutex
	order []string
	by    map[string]V
}

// mostRecent bounds the answers that are kept, mostKept the bytes or entries of one.
const (
	mostRecent = 8
	mostKept   = 256 << 10
)

func (k *recent[V]) get(key string) (V, bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	v, ok := k.by[key]
	return v, ok
}

func (k *recent[V]) put(key string, v V) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.by == nil {
		k.by = map[string]V{}
	}
	if _, ok := k.by[key]; !ok {
		if k.order = append(k.order, key); len(k.order) > mostRecent {
			delete(k.by, k.order[0])
			k.order = k.order[1:]
		}
	}
	k.by[key] = v
}
