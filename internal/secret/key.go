package secret

import "strings"

const (
	keyBegins, keyWord, keyEnds = "-----BEGIN ", "PRIVATE KEY", "-----END "
)

// keys masks the lines between the marks of private keys.
func (p *page) keys(text string) string {
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		shown := visible(line)
		switch {
		case p.inKey && (strings.Contains(shown, keyEnds) || p.keyLines >= mostKey):
			p.inKey = false
		case p.inKey:
			p.keyLines++
			lines[i] = hidden(line)
		case strings.Contains(shown, keyBegins) && strings.Contains(shown, keyWord):
			// One that a program printed with \n in place of line ends is all here.
			before, after, _ := strings.Cut(shown, keyWord)
			if body, end, closed := strings.Cut(after, keyEnds); closed {
				lines[i] = before + keyWord + "-----" + hidden(strings.TrimPrefix(body, "-----")) + keyEnds + end
			} else {
				p.inKey, p.keyLines = true, 0
			}
		}
	}
	return strings.Join(lines, "")
}

// hidden masks a line of a private key; marks of a diff and empty lines stay.
func hidden(line string) string {
	body := strings.TrimRight(line, "\r\n")
	if strings.TrimSpace(strings.TrimLeft(body, "+- ")) == "" {
		return line
	}
	mark := ""
	if body[0] == '+' || body[0] == '-' || body[0] == ' ' {
		mark = body[:1]
	}
	return mark + Masked + line[len(body):]
}
