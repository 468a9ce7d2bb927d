package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"ralph/internal/proc"
)

// insideVariable marks the process in the namespace, and holds the user that
// started it: UID:GID.
const insideVariable = "RALPH_CONFORM_INSIDE"

// enter replaces this process with itself in a new network namespace.
func enter(ctx context.Context) error {
	unshare, err := proc.LookPath("unshare")
	if err != nil {
		return fmt.Errorf("%w: a network namespace is needed, and unshare (util-linux) is not installed", errCannot)
	}
	self, err := proc.Self()
	if err != nil {
		return err
	}
	argv := []string{"unshare", "--net"}
	if os.Geteuid() != 0 {
		argv = append(argv, "--map-root-user")
	}
	if out, err := proc.Run(ctx, proc.Command{Argv: append(slices.Clone(argv), "true"), Env: os.Environ()}); err != nil || out.Code != 0 {
		return fmt.Errorf("%w: no network namespace: %w", errCannot, ended(err, out))
	}
	argv = append(append(argv, "--", self), os.Args[1:]...)
	who := fmt.Sprintf("%s=%d:%d", insideVariable, os.Geteuid(), os.Getegid())
	return fmt.Errorf("enter a network namespace: %w", unix.Exec(unshare, argv, append(os.Environ(), who)))
}

// becomeOneself replaces this process with itself as the original user.
// Bringing the interface up required root in a namespace; agents and sandboxes
// behave differently for root, and the table is about ordinary users.
func becomeOneself() error {
	uid, gid, _ := strings.Cut(os.Getenv(insideVariable), ":")
	if uid == strconv.Itoa(os.Geteuid()) {
		return nil
	}
	unshare, err := proc.LookPath("unshare")
	if err != nil {
		return err
	}
	self, err := proc.Self()
	if err != nil {
		return err
	}
	argv := append([]string{"unshare", "--map-user=" + uid, "--map-group=" + gid, "--", self}, os.Args[1:]...)
	return fmt.Errorf("become user %s again: %w", uid, unix.Exec(unshare, argv, os.Environ()))
}

// seal brings the loopback interface up and makes sure that it is the only one.
func seal(ctx context.Context) error {
	if os.Geteuid() == 0 {
		if err := loopback(); err != nil {
			return fmt.Errorf("bring the loopback interface up: %w", err)
		}
	}
	if err := becomeOneself(); err != nil {
		return err
	}
	all, err := net.Interfaces()
	if err != nil {
		return err
	}
	for _, i := range all {
		if i.Flags&net.FlagLoopback == 0 && i.Flags&net.FlagUp != 0 {
			return fmt.Errorf("there is a way out of the namespace: %s", i.Name)
		}
	}
	// A documentation address (RFC 5737): no host has it.
	d := net.Dialer{Timeout: time.Second}
	if c, err := d.DialContext(ctx, "tcp", "192.0.2.1:80"); err == nil {
		_ = c.Close()
		return errors.New("there is a way out of the namespace")
	}
	return nil
}

func loopback() error {
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(fd) }()
	req, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	req.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	return unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, req)
}

func inside() bool { return os.Getenv(insideVariable) != "" }
