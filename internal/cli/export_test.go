package cli

import "ralph/internal/schema"

// Formats are all formats that have a schema.
func Formats() []schema.Format { return formats() }
