package web

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"net/http"
	"path"
	"slices"
	"strings"

	"ralph/internal/view"
)

//go:embed static
var files embed.FS

const staticPath = "/static/"

// asset is a file in both encodings.
type asset struct {
	kind         string
	plain, small []byte
}

// static are the files of the pages, each under a name with its digest: browsers keep
// them.
type static struct {
	// names maps "app.js" to "app-0123456789ab.js".
	names  map[string]string
	assets map[string]asset
}

// newStatic reads the files. The styles of the report and of the parts come first: all pages build on it.
func newStatic() (*static, error) {
	s := &static{names: map[string]string{}, assets: map[string]asset{}}
	style, err := files.ReadFile("static/style.css")
	if err != nil {
		return nil, err
	}
	s.add("style.css", "text/css; charset=utf-8", slices.Concat([]byte(view.ReportStyle()+view.PartsStyle()), style))
	for name, kind := range map[string]string{"app.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml"} {
		data, err := files.ReadFile("static/" + name)
		if err != nil {
			return nil, err
		}
		s.add(name, kind, data)
	}
	return s, nil
}

func (s *static) add(name, kind string, data []byte) {
	sum := sha256.Sum256(data)
	ext := path.Ext(name)
	hashed := fmt.Sprintf("%s-%s%s", strings.TrimSuffix(name, ext), hex.EncodeToString(sum[:6]), ext)
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestCompression) // the level is a valid one
	_, _ = z.Write(data)
	_ = z.Close()
	s.names[name] = staticPath + hashed
	s.assets[hashed] = asset{kind, data, packed.Bytes()}
}

func (s *static) serve(w http.ResponseWriter, r *http.Request) {
	a, found := s.assets[r.PathValue("name")]
	if !found {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", a.kind)
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Vary", "Accept-Encoding")
	data := a.plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		h.Set("Content-Encoding", "gzip")
		data = a.small
	}
	_, _ = w.Write(data)
}
