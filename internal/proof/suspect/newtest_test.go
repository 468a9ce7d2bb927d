package suspect

import "testing"

// TestConfigurationOfNewTests: fixtures in the conftest.py of new tests steer no others.
func TestConfigurationOfNewTests(t *testing.T) {
	t.Parallel()
	found := suspectsOf(t, "shop/checks/conftest.py", "", "import pytest\n\n\n@pytest.fixture\ndef cents():\n    return 50\n")
	if len(found) > 0 {
		t.Error(found)
	}
}
