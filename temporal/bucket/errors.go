package bucket

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/Azure/azure-sdk-for-go/sdk/azcore"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"
	"gocloud.dev/gcerrors"
	"google.golang.org/api/googleapi"
)

// Error reports that an object store did not do what it was asked. Its text holds no address
// of a request, which may have a signature in it.
type Error struct {
	Place, What string
	Err         error
}

func (e *Error) Error() string { return e.Place + " " + e.What }
func (e *Error) Unwrap() error { return e.Err }

// failed puts an error of a library into words; nil stays nil.
func (b *Bucket) failed(err error) error {
	if err == nil {
		return nil
	}
	return &Error{b.place, situation(err), err}
}

func situation(err error) string {
	code, why := answer(err)
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "does not answer in time"
	case errors.Is(err, context.Canceled):
		return "was not waited for"
	case gcerrors.Code(err) == gcerrors.NotFound:
		return "is not there, or is hidden from this login: " + why
	case gcerrors.Code(err) == gcerrors.PermissionDenied, code == http.StatusUnauthorized, code == http.StatusForbidden:
		return "refuses this login: " + why
	case code == http.StatusInsufficientStorage, strings.Contains(why, "QuotaExceeded"), strings.Contains(why, "StorageFull"):
		return "is full: " + why
	case code == http.StatusTooManyRequests, code == http.StatusServiceUnavailable:
		return "is busy: " + why
	case code != 0:
		return "refuses the request: " + why
	}
	if sent, ok := errors.AsType[*url.Error](err); ok {
		return "does not answer: " + sent.Err.Error()
	}
	return "cannot be used: " + why
}

// answer is the status of a service's answer and its reason; 0 where there was none.
func answer(err error) (code int, why string) {
	if inner := errors.Unwrap(err); inner != nil { // below the key and a code of the library
		why = inner.Error()
	}
	why, _, _ = strings.Cut(cmp.Or(why, err.Error()), "\n")
	if r, ok := errors.AsType[*smithyhttp.ResponseError](err); ok {
		code = r.HTTPStatusCode()
	}
	if api, ok := errors.AsType[smithy.APIError](err); ok {
		why = strings.TrimSuffix(api.ErrorCode()+": "+api.ErrorMessage(), ": ")
	}
	if google, ok := errors.AsType[*googleapi.Error](err); ok {
		code, why = google.Code, fmt.Sprintf("%d %s", google.Code, google.Message)
	}
	if azure, ok := errors.AsType[*azcore.ResponseError](err); ok {
		code, why = azure.StatusCode, fmt.Sprintf("%d %s", azure.StatusCode, azure.ErrorCode)
	}
	return code, why
}
