package proc

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Recover has nothing to end: the job did that. How the child ended is not
// recorded on this system.
func Recover(_ context.Context, runDir string) (Left, error) {
	_, err := os.Stat(filepath.Join(runDir, runFile))
	if errors.Is(err, fs.ErrNotExist) {
		return Left{How: LeftNone}, nil
	}
	return Left{How: LeftLost, Reason: "its supervisor was gone"}, nil
}
