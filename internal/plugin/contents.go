package plugin

// Content is what a file would hold if there were none yet.
type Content struct{ Path, Text string }

// Contents are those of a whole plan.
func Contents(p Plan) ([]Content, error) {
	var out []Content
	for _, part := range p.Parts {
		text, _, err := part.add(nil)
		if err != nil {
			return nil, &FileError{part.path(), err}
		}
		if text != nil {
			out = append(out, Content{part.path(), string(text)})
		}
	}
	return out, nil
}
