package plugin

import (
	"bytes"
	"encoding/json"
	"strings"
)

// unit is what one level of the file is indented by.
func (d document) unit() string {
	c := d.top()
	if len(c.items) > 0 {
		line := c.text[bytes.LastIndexByte(c.text[:c.items[0].from], '\n')+1 : c.items[0].from]
		if len(line) > 0 && len(bytes.TrimLeft(line, " \t")) == 0 {
			return string(line)
		}
	}
	return "  "
}

func compact(v any) (string, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSpace(b.String()), err
}

// pretty writes a member or a value over several lines, or on one where the
// file has it so (no indent to go by is an indent of the top).
func pretty(item, indent, unit, nl string) string {
	name, value := "", item
	if strings.HasPrefix(item, `"`) && !json.Valid([]byte(item)) {
		end := strings.Index(item, `":`) + 1
		name, value = item[:end]+": ", item[end+1:]
	}
	if indent == "" {
		return name + value
	}
	var b bytes.Buffer
	if err := json.Indent(&b, []byte(value), indent, unit); err != nil {
		return item
	}
	return name + strings.ReplaceAll(b.String(), "\n", nl)
}
