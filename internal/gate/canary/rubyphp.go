package canary

import (
	"fmt"
	"strings"
)

// rspec is a group of its own at the end of a file of examples.
func rspec(file, text string, word func() string, had bool) (Place, bool) {
	if !had && !strings.Contains(text, "describe") && !strings.Contains(text, "context") {
		return Place{}, false
	}
	p := Place{Path: file}
	var b strings.Builder
	fmt.Fprintf(&b, "\n\nRSpec.describe '%s' do\n", word())
	for _, body := range []string{
		"expect(1).to eq(2)", "expect([]).to include(1)", "expect(nil).to be_truthy", "expect {}.to raise_error(ArgumentError)",
		"expect(1).not_to eq(1)", "raise 'not equal'",
	} {
		name := word()
		fmt.Fprintf(&b, "  it('%s') { %s }\n", name, body)
		p.Names = append(p.Names, name)
	}
	b.WriteString("end\n")
	p.Data = []byte(before(text, "\n__END__", b.String()))
	return p, true
}

// phpunit adds methods to the last class of the file: another class of a file is not
// loaded.
func phpunit(file, text string, word func() string, had bool) (Place, bool) {
	end := strings.LastIndex(text, "}")
	if end < 0 || !had && !strings.Contains(text, "TestCase") {
		return Place{}, false
	}
	p := Place{Path: file}
	var b strings.Builder
	for _, body := range []string{
		"$this->assertSame(1, 2)", "$this->assertEquals(1, 2)", "$this->assertTrue(false)", "$this->assertCount(1, [])",
		"$this->assertNull(1)", "$this->fail('not equal')", `throw new \RuntimeException('not equal')`,
	} {
		name := "test" + title(word())
		fmt.Fprintf(&b, "\n    public function %s(): void\n    {\n        %s;\n    }\n", name, body)
		p.Names = append(p.Names, name)
	}
	p.Data = []byte(text[:end] + b.String() + text[end:])
	return p, true
}
