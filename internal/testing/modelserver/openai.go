package modelserver

// openAIError returns a refusal in the format of OpenAI, which others follow.
func openAIError(f Fault) (any, map[string]string) {
	kind, code, words := "server_error", any(nil), f.words()
	switch {
	case f.Kind == Overflow:
		kind, code, words = "invalid_request_error", "context_length_exceeded", "This model's maximum context length is 128000 tokens. Please reduce the length of the messages."
	case f.Kind == Spent:
		// The error for a subscription's account.
		body := object{"type": "usage_limit_reached", "message": words, "plan_type": "plus", "code": nil}
		if !f.ResetAt.IsZero() {
			body["resets_at"] = f.ResetAt.Unix()
		}
		return object{"error": body}, nil
	case f.Status == 401:
		kind, code, words = "invalid_request_error", "invalid_api_key", "Incorrect API key provided"
	case f.Status == 404:
		kind, code = "invalid_request_error", "model_not_found"
		words = "The model `test-model` does not exist or you do not have access to it."
	case f.Status == 429:
		kind, code = "requests", "rate_limit_exceeded"
	}
	return object{"error": object{"message": words, "type": kind, "param": nil, "code": code}}, nil
}
