package notify

import (
	"context"
	"errors"
	"fmt"
	"mime"
	"slices"
	"strings"

	"github.com/nicholas-fedor/shoutrrr/pkg/router"
	"github.com/nicholas-fedor/shoutrrr/pkg/types"

	"ralph/internal/notice"
)

// service is one of shoutrrr's.
type service struct {
	scheme string
	sender types.Service
}

// withTitle are the services that show a title of its own; to all others it is the
// first line.
var withTitle = []string{
	"bark", "discord", "generic", "gotify", "join", "lark", "matrix", "mattermost", "opsgenie", "pushbullet", "pushover", "slack", "smtp", "teams", "telegram",
}

func newService(scheme, to string) (Target, error) {
	scheme, _, _ = strings.Cut(scheme, "+")
	if scheme == "logger" {
		return nil, errors.New("logger sends nothing anywhere")
	}
	sender, err := (&router.ServiceRouter{}).Locate(to)
	if err != nil {
		return nil, err
	}
	return service{scheme, sender}, nil
}

func (service) Buttons() bool { return false }

func (s service) Send(ctx context.Context, n notice.Notice) error {
	title, body := harmless(n.Title), harmless(n.Body)
	if n.Command != "" && n.Event != notice.Several { // the body of several has theirs
		body = strings.TrimPrefix(body+"\n"+n.Command, "\n")
	}
	params := types.Params{}
	switch {
	case s.scheme == "smtp": // the library writes the subject as it is
		params["title"] = mime.QEncoding.Encode("utf-8", title)
	case slices.Contains(withTitle, s.scheme):
		params["title"] = title
	default:
		body = title + "\n" + body
	}
	return bounded(ctx, func() (err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("the service's library failed: %v", r)
			}
		}()
		return s.sender.Send(body, &params)
	})
}

// harmless breaks the marks with which chats notify people (@everyone, <!channel>,
// <@U123>) and hide addresses behind words ([text](address), <address|text>).
func harmless(s string) string {
	return strings.NewReplacer("@", "@\u200b", "<", "‹", ">", "›", "](", "] (").Replace(s)
}
