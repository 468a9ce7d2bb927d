package web

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"ralph/internal/web"
)

// writePair writes a certificate for box.example and its key.
func writePair(t *testing.T, dir string, serial int64) (cert, key string) {
	t.Helper()
	secret, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	of := &x509.Certificate{SerialNumber: big.NewInt(serial), DNSNames: []string{"box.example"}, NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour), IsCA: true, BasicConstraintsValid: true}
	der, err := x509.CreateCertificate(rand.Reader, of, of, &secret.PublicKey, secret)
	if err != nil {
		t.Fatal(err)
	}
	raw, err := x509.MarshalPKCS8PrivateKey(secret)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(dir, "box.pem"), filepath.Join(dir, "box.key")
	write(t, cert, string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})))
	write(t, key, string(pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: raw})))
	return cert, key
}

// TestOtherMachines: they are answered by TLS only, under a name that was given, and sign
// in with a cookie that is never sent in the clear; the certificate may be renewed.
func TestOtherMachines(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert, key := writePair(t, dir, 1)
	f := &flags{listen: "127.0.0.1:0", cert: cert, key: key, hosts: []string{"box.example"}}
	l, page, err := f.outside(t.Context())
	if err != nil || !strings.HasPrefix(page, "https://box.example:") {
		t.Fatalf("%q %v", page, err)
	}
	server, err := web.New(web.Options{Source: newSource(commands(t)), Name: "ralph-test.localhost", Hosts: f.hosts, Browsers: kept{filepath.Join(dir, "web")}, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(ctx, l) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	client := func() *http.Client {
		pool := x509.NewCertPool()
		data, _ := os.ReadFile(cert)
		pool.AppendCertsFromPEM(data)
		return &http.Client{
			Transport: &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return new(net.Dialer).DialContext(ctx, "tcp", l.Addr().String())
			}},
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		}
	}
	link, _ := url.Parse(server.Link(page))
	r, _ := http.NewRequestWithContext(t.Context(), http.MethodPost, page+"sign-in", strings.NewReader(link.RawQuery))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.Header.Set("Origin", strings.TrimSuffix(page, "/"))
	answer, err := client().Do(r)
	if err != nil {
		t.Fatal(err)
	}
	_ = answer.Body.Close()
	if c := answer.Cookies(); answer.StatusCode != http.StatusSeeOther || len(c) != 1 || !c[0].Secure || !c[0].HttpOnly {
		t.Errorf("signed in: %d %v", answer.StatusCode, c)
	}
	get := func(page string) (int, error) {
		r, _ := http.NewRequestWithContext(t.Context(), http.MethodGet, page, nil)
		answer, err := client().Do(r)
		if err != nil {
			return 0, err
		}
		return answer.StatusCode, answer.Body.Close()
	}
	if code, err := get(strings.Replace(page, "https", "http", 1)); err == nil && code != http.StatusBadRequest {
		t.Errorf("without TLS: %d", code)
	}
	if code, err := get(page); code != http.StatusUnauthorized {
		t.Errorf("without a session: %d %v", code, err)
	}
	writePair(t, dir, 2)
	later := time.Now().Add(time.Minute)
	if err := os.Chtimes(cert, later, later); err != nil {
		t.Fatal(err)
	}
	if code, err := get(page); code != http.StatusUnauthorized {
		t.Errorf("with a renewed certificate: %d %v", code, err)
	}
}

// TestOutsideIsRefused: other machines are not answered without TLS, without a name, or
// with a key that others can read.
func TestOutsideIsRefused(t *testing.T) {
	t.Parallel()
	cert, key := writePair(t, t.TempDir(), 1)
	for want, f := range map[string]flags{
		"are given together":   {listen: "127.0.0.1:0"},
		"--tls-key are given":  {cert: cert, key: key},
		"name the host":        {listen: ":0", cert: cert, key: key},
		"missing port":         {listen: "box", cert: cert, key: key, hosts: []string{"box"}},
		"no such file":         {listen: ":0", cert: cert, key: key + "x", hosts: []string{"box"}},
		"PEM":                  {listen: ":0", cert: key, key: key, hosts: []string{"box"}},
		"--tls-cert and --tls": {listen: ":0", cert: cert, hosts: []string{"box"}},
	} {
		if _, _, err := f.outside(t.Context()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %q", f, err, want)
		}
	}
	if err := os.Chmod(key, 0o640); err != nil {
		t.Fatal(err)
	}
	f := flags{listen: ":0", cert: cert, key: key, hosts: []string{"box"}}
	if _, _, err := f.outside(t.Context()); err == nil || !strings.Contains(err.Error(), "can read it") {
		t.Error(err)
	}
}
