package control

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
)

// ErrClosed is returned when no process answers at a socket.
var ErrClosed = errors.New("the run that this session belongs to has ended, or its socket cannot be reached")

// Do sends a request and waits for its response.
func Do(ctx context.Context, address string, r Request) (Response, error) {
	conn, in, err := send(ctx, address, r)
	if err != nil {
		return Response{}, err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	return readResponse(in)
}

// Stream sends a request for a stream, and copies bytes both ways until the
// server ends. Without a stream the response says why.
func Stream(ctx context.Context, address string, r Request, from io.Reader, to io.Writer) (Response, error) {
	r.Stream = true
	conn, in, err := send(ctx, address, r)
	if err != nil {
		return Response{}, err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	a, err := readResponse(in)
	if err != nil || !a.Stream {
		return a, err
	}
	go func() {
		_, _ = io.Copy(conn, from)
		_ = conn.CloseWrite()
	}()
	_, err = io.Copy(to, in)
	return a, err
}

func send(ctx context.Context, address string, r Request) (*net.UnixConn, *bufio.Reader, error) {
	path, key := address, ""
	if i := strings.LastIndexByte(address, '#'); i >= 0 {
		path, key = address[:i], address[i+1:]
	}
	r.Key = key
	var d net.Dialer
	any, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrClosed, err)
	}
	conn := any.(*net.UnixConn)
	r.Schema = requestSchema
	data, err := json.Marshal(r)
	if err == nil {
		_, err = conn.Write(append(data, '\n'))
	}
	if err != nil {
		_ = conn.Close()
		return nil, nil, fmt.Errorf("%w: %w", ErrClosed, err)
	}
	return conn, bufio.NewReader(conn), nil
}

func readResponse(in *bufio.Reader) (Response, error) {
	var a Response
	line, err := in.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &a)
	}
	if err != nil || a.Schema != responseSchema {
		return a, fmt.Errorf("%w (unreadable response)", ErrClosed)
	}
	return a, nil
}
