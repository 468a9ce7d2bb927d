//go:build server

package store_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"io"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"testing"
	"time"

	"ralph/temporal/store"
)

// TestDialTLS: the client speaks TLS, with a certificate of its own where the server asks,
// and refuses a server that it cannot verify.
func TestDialTLS(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	cert := certificate(t, dir)
	pool := x509.NewCertPool()
	pool.AddCert(cert.Leaf)
	address := behindTLS(t, &tls.Config{
		Certificates: []tls.Certificate{cert}, NextProtos: []string{"h2"}, ClientAuth: tls.RequireAndVerifyClientCert, ClientCAs: pool, MinVersion: tls.VersionTLS12,
	})
	own := map[string]string{
		"TEMPORAL_TLS_SERVER_CA_CERT_PATH": filepath.Join(dir, "cert.pem"),
		"TEMPORAL_TLS_CLIENT_CERT_PATH":    filepath.Join(dir, "cert.pem"),
		"TEMPORAL_TLS_CLIENT_KEY_PATH":     filepath.Join(dir, "key.pem"),
	}
	dial := func(env map[string]string) error {
		c, err := store.Dial(t.Context(), address, server.GetDefaultNamespace(), func(name string) string { return env[name] }, nil)
		if err == nil {
			c.Close()
		}
		return err
	}
	ok(t, dial(own))
	for what, env := range map[string]map[string]string{
		"no TLS":               {},
		"an unknown authority": {"TEMPORAL_TLS": "true"},
		"no certificate":       {"TEMPORAL_TLS_SERVER_CA_CERT_PATH": own["TEMPORAL_TLS_SERVER_CA_CERT_PATH"]},
		"another name":         {"TEMPORAL_TLS_SERVER_CA_CERT_PATH": own["TEMPORAL_TLS_SERVER_CA_CERT_PATH"], "TEMPORAL_TLS_SERVER_NAME": "other.example.org"},
		"a missing file":       {"TEMPORAL_TLS_SERVER_CA_CERT_PATH": filepath.Join(dir, "none")},
		"a key without TLS":    {"TEMPORAL_API_KEY": "secret", "TEMPORAL_TLS": "false"},
		"no switch":            {"TEMPORAL_TLS": "perhaps"},
	} {
		if err := dial(env); err == nil {
			t.Errorf("%s: connected", what)
		}
	}
}

// behindTLS is the address of the server behind TLS.
func behindTLS(t *testing.T, config *tls.Config) string {
	t.Helper()
	l, err := tls.Listen("tcp", "127.0.0.1:0", config)
	ok(t, err)
	t.Cleanup(func() { _ = l.Close() })
	go func() {
		for {
			from, err := l.Accept()
			if err != nil {
				return
			}
			go func() {
				defer from.Close()
				to, err := net.Dial("tcp", server.GetFrontendHostPort())
				if err != nil {
					return
				}
				defer to.Close()
				go func() { _, _ = io.Copy(to, from); _ = to.Close() }()
				_, _ = io.Copy(from, to)
			}()
		}
	}()
	return l.Addr().String()
}

// certificate is one for the loopback address and for a client, its own authority.
func certificate(t *testing.T, dir string) tls.Certificate {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	ok(t, err)
	about := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotBefore: time.Now().Add(-time.Hour), NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
		KeyUsage:    x509.KeyUsageDigitalSignature | x509.KeyUsageCertSign,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	}
	der, err := x509.CreateCertificate(rand.Reader, about, about, &key.PublicKey, key)
	ok(t, err)
	secret, err := x509.MarshalECPrivateKey(key)
	ok(t, err)
	files := map[string]*pem.Block{"cert.pem": {Type: "CERTIFICATE", Bytes: der}, "key.pem": {Type: "EC PRIVATE KEY", Bytes: secret}}
	for name, block := range files {
		ok(t, os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600))
	}
	pair, err := tls.LoadX509KeyPair(filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem"))
	ok(t, err)
	pair.Leaf, err = x509.ParseCertificate(der)
	ok(t, err)
	return pair
}
