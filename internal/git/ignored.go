package git

import "context"

// Ignored answers which of the files, relative to the top of the caller's tree,
// are there and ignored by git.
func (r *Repo) Ignored(ctx context.Context, files []string) ([]string, error) {
	if len(files) == 0 {
		return nil, nil
	}
	args := append([]string{"ls-files", "-z", "--others", "--ignored", "--exclude-standard", "--"}, files...)
	out, err := r.git(ctx, r.home(), args...)
	return fields(out), err
}
