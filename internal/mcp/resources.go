package mcp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"ralph/internal/engine"
)

// listed is how many loops are listed as resources; others can be read by id.
const listed = 50

// part is one readable part of a loop.
type part struct {
	name, about, mime string
	read              func(ctx context.Context, id string) (string, error)
}

func (s *Server) parts() []part {
	return []part{
		{"state", "the loop as a ralph.loop/v1 object", "application/json", func(ctx context.Context, id string) (string, error) {
			data, err := s.tools.State(ctx, id)
			return string(data), err
		}},
		{"evidence", "what every gate left: command, exit code, value, output", "text/plain", s.tools.Evidence},
	}
}

func (s *Server) addResources() {
	for _, p := range s.parts() {
		s.sdk.AddResourceTemplate(&mcp.ResourceTemplate{
			Name: p.name, Description: p.about, MIMEType: p.mime, URITemplate: "ralph://loops/{id}/" + p.name,
		}, s.reader(p))
	}
	s.sdk.AddReceivingMiddleware(s.listing)
}

// reader reads one part of the loop in the address.
func (s *Server) reader(p part) mcp.ResourceHandler {
	return func(ctx context.Context, req *mcp.ReadResourceRequest) (_ *mcp.ReadResourceResult, err error) {
		defer func() {
			if v := recover(); v != nil {
				err = fmt.Errorf("read %s: internal error: %v", req.Params.URI, v)
			}
		}()
		ctx, end := s.during(ctx)
		defer end()
		text, err := p.read(ctx, loopOf(req.Params.URI))
		if errors.Is(err, engine.ErrNotFound) {
			return nil, mcp.ResourceNotFoundError(req.Params.URI)
		}
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", req.Params.URI, err)
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: p.mime, Text: text}}}, nil
	}
}

// loopOf returns the id in ralph://loops/ID/part.
func loopOf(uri string) string {
	id, _, _ := strings.Cut(strings.TrimPrefix(uri, "ralph://loops/"), "/")
	if plain, err := url.PathUnescape(id); err == nil {
		return plain
	}
	return id
}

// listing answers resources/list with the current loops; none is registered.
func (s *Server) listing(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
		if method != "resources/list" {
			return next(ctx, method, req)
		}
		result, err := next(ctx, method, req)
		list, ok := result.(*mcp.ListResourcesResult)
		if err != nil || !ok {
			return result, err
		}
		loops, err := s.tools.Loops(ctx, listed)
		if err != nil {
			return nil, fmt.Errorf("list loops: %w", err)
		}
		for _, l := range loops {
			for _, p := range s.parts() {
				list.Resources = append(list.Resources, &mcp.Resource{
					Name: l.ID + "/" + p.name, URI: "ralph://loops/" + url.PathEscape(l.ID) + "/" + p.name,
					Description: l.Status + ": " + l.Task, MIMEType: p.mime,
				})
			}
		}
		return list, nil
	}
}
