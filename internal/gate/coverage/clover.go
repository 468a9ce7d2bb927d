package coverage

import "encoding/xml"

// clover takes the metrics of the project; where PHPUnit leaves them out, the
// sum of the files' own.
func clover(data []byte) (float64, error) {
	var project, files cloverCount
	err := elements(data, func(path []string, e xml.StartElement) error {
		if e.Name.Local != "metrics" || len(path) == 0 {
			return nil
		}
		switch path[len(path)-1] {
		case "project":
			return project.add(e)
		case "file":
			return files.add(e)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	if project.total > 0 {
		return ratio(project.covered, project.total)
	}
	return ratio(files.covered, files.total)
}

// cloverFiles takes the metrics of each file, by its path where it has one.
func cloverFiles(data []byte) ([]File, error) {
	var name string
	var out []File
	err := elements(data, func(path []string, e xml.StartElement) error {
		switch {
		case e.Name.Local == "file":
			name = ""
			for _, key := range []string{"path", "name"} {
				if v := attr(e, key); v != nil && name == "" {
					name = *v
				}
			}
		case e.Name.Local == "metrics" && len(path) > 0 && path[len(path)-1] == "file":
			var c cloverCount
			if err := c.add(e); err != nil {
				return err
			}
			out = append(out, File{name, c.covered, c.total})
		}
		return nil
	})
	return out, err
}

type cloverCount struct{ covered, total int64 }

func (c *cloverCount) add(e xml.StartElement) error {
	covered, err := whole(e, "coveredstatements")
	if err != nil {
		return err
	}
	total, err := whole(e, "statements")
	if err != nil {
		return err
	}
	c.covered, c.total = c.covered+covered, c.total+total
	return nil
}
