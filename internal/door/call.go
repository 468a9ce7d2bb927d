package door

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

// ErrGone says that nobody answers at a socket.
var ErrGone = errors.New("the run that this session belongs to has ended, or its socket cannot be reached")

// Ask puts a call and waits for its answer.
func Ask(ctx context.Context, address string, c Call) (Answer, error) {
	conn, in, err := put(ctx, address, c)
	if err != nil {
		return Answer{}, err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	return answer(in)
}

// Join puts a call that asks for a stream, and passes bytes both ways until
// the answering side ends. Without a stream the answer says why.
func Join(ctx context.Context, address string, c Call, from io.Reader, to io.Writer) (Answer, error) {
	c.Stream = true
	conn, in, err := put(ctx, address, c)
	if err != nil {
		return Answer{}, err
	}
	defer conn.Close()
	stop := context.AfterFunc(ctx, func() { _ = conn.Close() })
	defer stop()
	a, err := answer(in)
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

func put(ctx context.Context, address string, c Call) (*net.UnixConn, *bufio.Reader, error) {
	path, key := address, ""
	if i := strings.LastIndexByte(address, '#'); i >= 0 {
		path, key = address[:i], address[i+1:]
	}
	c.Key = key
	var d net.Dialer
	any, err := d.DialContext(ctx, "unix", path)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrGone, err)
	}
	conn := any.(*net.UnixConn)
	c.Schema = callSchema
	data, err := json.Marshal(c)
	if err == nil {
		_, err = conn.Write(append(data, '\n'))
	}
	if err != nil {
		_ = conn.Close()
		return nil, nil, fmt.Errorf("%w: %w", ErrGone, err)
	}
	return conn, bufio.NewReader(conn), nil
}

func answer(in *bufio.Reader) (Answer, error) {
	var a Answer
	line, err := in.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, &a)
	}
	if err != nil || a.Schema != answerSchema {
		return a, fmt.Errorf("%w (it answered nothing that can be read)", ErrGone)
	}
	return a, nil
}
