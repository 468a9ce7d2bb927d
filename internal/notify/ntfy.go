package notify

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"ralph/internal/notice"
)

// ntfy publishes as JSON, so that no text can become a header (docs.ntfy.sh/publish).
type ntfy struct {
	server, topic string
	auth          string
	priority      int
	tags          []string
}

// newNtfy reads ntfy://[USER:PASSWORD@]HOST/TOPIC. A password without a user is a token.
func newNtfy(to string) (Target, error) {
	at, err := url.Parse(to)
	if err != nil {
		return nil, errors.New("the address cannot be read")
	}
	t := ntfy{topic: strings.Trim(at.Path, "/")}
	if at.Host == "" || t.topic == "" || strings.Contains(t.topic, "/") {
		return nil, errors.New("the address needs a host and a topic, such as ntfy://ntfy.sh/TOPIC")
	}
	scheme := "https"
	for name, values := range at.Query() {
		switch v := values[0]; strings.ToLower(name) {
		case "scheme":
			if v != "http" && v != "https" {
				return nil, errors.New("scheme must be http or https")
			}
			scheme = v
		case "priority":
			if t.priority, err = strconv.Atoi(v); err != nil || t.priority < 1 || t.priority > 5 {
				return nil, errors.New("priority must be 1 to 5")
			}
		case "tags":
			t.tags = strings.Split(v, ",")
		default:
			return nil, fmt.Errorf("parameter %q is not one of scheme, priority, tags", name)
		}
	}
	t.server = scheme + "://" + at.Host
	if at.User != nil {
		t.auth = login(at.User)
	}
	return t, nil
}

func login(u *url.Userinfo) string {
	password, _ := u.Password()
	if u.Username() == "" {
		return "Bearer " + password
	}
	req := http.Request{Header: http.Header{}}
	req.SetBasicAuth(u.Username(), password)
	return req.Header.Get("Authorization")
}

func (ntfy) Buttons() bool { return true }

// ntfyMessage is the body of a publication.
type ntfyMessage struct {
	Topic    string       `json:"topic"`
	Title    string       `json:"title"`
	Message  string       `json:"message"`
	Priority int          `json:"priority,omitempty"`
	Tags     []string     `json:"tags,omitempty"`
	Actions  []ntfyAction `json:"actions,omitempty"`
}

// ntfyAction is a button of the kind http.
type ntfyAction struct {
	Action string `json:"action"`
	Label  string `json:"label"`
	URL    string `json:"url"`
	Method string `json:"method"`
	Clear  bool   `json:"clear"`
}

// mostActions is how many buttons ntfy takes.
const mostActions = 3

func (t ntfy) Send(ctx context.Context, n notice.Notice) error {
	m := ntfyMessage{Topic: t.topic, Title: n.Title, Message: n.Text(), Priority: t.priority, Tags: t.tags}
	if m.Priority == 0 && n.Severity == notice.Action {
		m.Priority = 4 // high
	}
	if m.Tags == nil {
		m.Tags = []string{map[notice.Severity]string{notice.Action: "question", notice.Warn: "warning"}[n.Severity]}
	}
	if m.Tags[0] == "" {
		m.Tags = []string{"information_source"}
	}
	for _, b := range n.Answers[:min(len(n.Answers), mostActions)] {
		m.Actions = append(m.Actions, ntfyAction{"http", b.Label, b.URL, b.Method, true})
	}
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	header := http.Header{"Content-Type": {"application/json"}}
	if t.auth != "" {
		header.Set("Authorization", t.auth)
	}
	return post(ctx, t.server, body, header)
}
