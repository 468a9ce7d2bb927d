package store

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"os"
	"strconv"

	"go.temporal.io/sdk/client"
)

// Dial connects to a server ("host:port") without printing to the terminal. TLS and an API
// key are those of the environment, under the names that Temporal's own command line uses:
// TEMPORAL_TLS, TEMPORAL_TLS_SERVER_CA_CERT_PATH, TEMPORAL_TLS_CLIENT_CERT_PATH,
// TEMPORAL_TLS_CLIENT_KEY_PATH, TEMPORAL_TLS_SERVER_NAME, TEMPORAL_API_KEY. An API key, or
// any of the others, turns TLS on; the server is always verified. All payloads are encrypted
// with the key; nil is none.
func Dial(ctx context.Context, address, namespace string, getenv func(string) string, key *Key) (client.Client, error) {
	o := client.Options{HostPort: address, Namespace: namespace, Logger: Quiet()}
	o.DataConverter, o.FailureConverter = key.converters()
	config, err := encryption(getenv)
	if err != nil {
		return nil, err
	}
	o.ConnectionOptions.TLS = config
	if login := getenv("TEMPORAL_API_KEY"); login != "" {
		if config == nil {
			return nil, errors.New("TEMPORAL_API_KEY needs TLS, which TEMPORAL_TLS turns off")
		}
		o.Credentials = client.NewAPIKeyStaticCredentials(login)
	}
	return client.DialContext(ctx, o)
}

// encryption is the TLS configuration of the environment; nil is none.
func encryption(getenv func(string) string) (*tls.Config, error) {
	ca, cert, key := getenv("TEMPORAL_TLS_SERVER_CA_CERT_PATH"), getenv("TEMPORAL_TLS_CLIENT_CERT_PATH"), getenv("TEMPORAL_TLS_CLIENT_KEY_PATH")
	name, api := getenv("TEMPORAL_TLS_SERVER_NAME"), getenv("TEMPORAL_API_KEY")
	on := cmp.Or(ca, cert, key, name, api) != ""
	if given := getenv("TEMPORAL_TLS"); given != "" {
		asked, err := strconv.ParseBool(given)
		if err != nil {
			return nil, fmt.Errorf("TEMPORAL_TLS is %q: use true or false", given)
		}
		on = asked
	}
	if !on {
		return nil, nil
	}
	config := &tls.Config{MinVersion: tls.VersionTLS12, ServerName: name}
	if ca != "" {
		data, err := os.ReadFile(ca)
		if err != nil {
			return nil, fmt.Errorf("TEMPORAL_TLS_SERVER_CA_CERT_PATH: %w", err)
		}
		if config.RootCAs = x509.NewCertPool(); !config.RootCAs.AppendCertsFromPEM(data) {
			return nil, fmt.Errorf("TEMPORAL_TLS_SERVER_CA_CERT_PATH: %s has no certificate", ca)
		}
	}
	if cert != "" || key != "" {
		pair, err := tls.LoadX509KeyPair(cert, key)
		if err != nil {
			return nil, fmt.Errorf("TEMPORAL_TLS_CLIENT_CERT_PATH and TEMPORAL_TLS_CLIENT_KEY_PATH: %w", err)
		}
		config.Certificates = []tls.Certificate{pair}
	}
	return config, nil
}
