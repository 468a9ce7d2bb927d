package addition

import (
	"strings"
	"testing"
)

const (
	rbTests = "# frozen_string_literal: true\n\nrequire 'tax'\n\nRSpec.describe Tax do\n  subject(:tax) { described_class.new(rate: 19) }\n\n  let(:rows) do\n    [\n      1,\n    ]\n  end\n\n  before { tax.reset! }\n\n  describe '#of' do\n    it 'is a part' do\n      rows.each do |n|\n        expect(tax.of(n)).to eq 19 if n\n      end\n    end\n\n    # Errors\n    it \"fails\" do\n      expect { tax.of(-1) }\n        .to raise_error(ArgumentError, /less than \"0\"/)\n    end\n\n    it { is_expected.to be_valid }\n  end\n\n  shared_examples 'a' do\n    it 'z' do\n    end\n\n    it 'y' do\n    end\n  end\n\n  it 'reads' do\n    if rows.empty? && tax\n      fail\n    else\n      x = %w[a b]\n    end\n    x << 'a'\n  end\n\n  def help(a, b)\n    a\n  end\nend\n"
	rbUnit  = "require 'minitest/autorun'\n\nclass TaxTest < Minitest::Test\n  def setup\n    @tax = Tax.new\n  end\n\n  def test_a\n    assert_equal 1, @tax.of(1)\n  end\n\n  def test_z\n    assert_equal 0, @tax.of(0)\n  end\nend\n"
	rbNew   = "    it 'is new' do\n      expect(tax.of(2)).to eq 2\n    end\n\n"
	rbText  = "RSpec.describe Tax do\n  it 'a' do\n    a <<~X\n      it 'b' do\n\n    X\n  end\n\n  it 'z' do\n  end\nend\n"
)

func TestRubyIsAdded(t *testing.T) {
	t.Parallel()
	for _, c := range []insertion{
		{"spec/tax_spec.rb", rbTests, "    it 'is a part'", rbNew},
		{"spec/tax_spec.rb", rbTests, "    # Errors", rbNew},
		{"spec/tax_spec.rb", rbTests, "    it { is", "    it('is \"end\"') do\n      x = if tax\n        [1, { a: \"}\", 'b' => \"#{x} end\" }] # end\n      end\n      y = z.map { |a| a.end }.select(&:zero?) unless x.nil?\n      expect(y).to match(/end|do (/)\n      begin\n        a\n      rescue StandardError => e\n        b e\n      end\n    end\n\n"},
		{"spec/tax_spec.rb", rbTests, "  end\n\n  shared", "\n    it { is_expected.to eq 1 }\n    it('is new') { expect(1).to eq 1 }\n"},
		{"spec/tax_spec.rb", rbTests, "  shared", "  # What it costs.\n  describe '#cost' do\n    context \"when #1 is new\" do\n      it 'is more' do\n        x\n      end\n\n      # Less.\n      it('is less') { x }\n    end\n  end\n\n"},
		{"spec/tax_spec.rb", rbTests, "  it 'reads'", "  specify 'x' do\n  end\n\n"},
		{"spec/tax_spec.rb", rbTests, "end\n", "\n  example 'x' do\n    return if a\n\n    b\n  end\n"},
		{"test/tax_test.rb", rbUnit, "  def test_z", "  def test_new\n    assert_equal 2, @tax.of(2)\n  end\n\n"},
		{"test/tax_test.rb", rbUnit, "end\n", "\n  def test_new\n    assert_raises(A) { @tax.of(2) }\n  end\n"},
		{"spec/tax_spec.rb", rbText, "  it 'a'", "  it 'new' do\n  end\n\n"},
	} {
		if work := c.work(t); !Only(c.file, []byte(c.base), []byte(work)) {
			t.Errorf("%s before %q:\n%s", c.file, c.before, c.piece)
		}
	}
}

// What is no test, or stands where it changes what is around it, needs a look.
func TestRubyThatIsNotAdded(t *testing.T) {
	t.Parallel()
	var cases []insertion
	block := func(body string) string { return "    it 'new' do\n" + body + "\n    end\n\n" }
	for _, piece := range []string{
		"    before { quit }\n", "    let(:rows) { [] }\n", "    skip 'x'\n", "    skip \"x\"\n", "    quit\n", "    def help\n    end\n\n", "    def test_new\n    end\n\n", "    # rubocop:disable all\n",
		"    fit 'new' do\n    end\n\n", "    xit 'new' do\n    end\n\n", "    it 'new', :focus do\n    end\n\n", "    it 'new', skip: true do\n    end\n\n", "    it \"#{quit}\" do\n    end\n\n", "    it quit do\n    end\n\n", "    it 'new'\n",
		"    fdescribe 'new' do\n    end\n\n", "    describe 'new' do\n      before { quit }\n    end\n\n", "    describe 'new' do\n      it 'x' do\n      end\n      quit\n    end\n\n", "    describe 'new' do\n",
		"    it('new') { a } && quit { }\n", "    it { a }; quit { }\n", "    it { a } if quit { }\n", "    it { \n", "    # rubocop:disable all\n" + rbNew, "    it 'new' do |x = quit|\n    end\n\n",
		block("") + "    end\n    describe 'x' do\n", block("    end\n    quit\n    describe 'x' do"), block("      a; end; quit; x do"), block("      else if a"), block("      if a then b end\n      end\n      quit\n      x do"),
		block("      a.b ? /'/ : c"), block("      a / b"), block("      x = <<~A\n      A"), block("      x = %q(a)"), block("      x = `a`"), block("      x = ?'\n      end\n      quit\n      x = ?'"),
		block("      \"a"), block("      '"), block("=begin\n=end"), block("__END__"), block("      a \\\n      end"), block("      while a do\n      end\n      end"), block("      x = while a do\n      end\n      end"),
		block("      \"#{a[\"end\"]}\""), block("      \"#\\\"\"\n"), block("      \"##{\"a\"}\""), block("      f(if: a,\n        end: b)"), block("      x :end\n      y do"), block("      $' "), block("      x.\n      end\n      end"), block("      def a = b"), block("      def x\n      end if a"),
		block("      [}\n      ]"), block("      x % (a)"), block("      a # rubocop:disable all"), block("      class << self\n      end"), block("      BEGIN { quit }"), block("      a\rquit"), block("      { if a }\n      end"), block("      x.each { |a| if a\n      }\n      end"),
	} {
		cases = append(cases, insertion{"spec/tax_spec.rb", rbTests, "    it { is", piece})
	}
	for _, before := range []string{"# frozen", "      1,", "    ]", "    it \"fails", "      expect {", "        .to", "      rows", "    it 'y'", "    it 'z'", "      fail", "    else", "    a\n", "require"} {
		cases = append(cases, insertion{"spec/tax_spec.rb", rbTests, before, rbNew})
	}
	for _, before := range []string{"      it 'b'", "\n    X", "  it 'z'"} {
		cases = append(cases, insertion{"spec/tax_spec.rb", rbText, before, "  it 'new' do\n  end\n"}, insertion{"spec/tax_spec.rb", rbText, before, "\n"})
	}
	const method = "  def test_new\n  end\n\n"
	cases = append(cases,
		insertion{"test/tax_test.rb", rbUnit, "  def test_z", "  def teardown\n  end\n\n"},
		insertion{"test/tax_test.rb", rbUnit, "  def test_z", "  def test_a\n  end\n\n"},
		insertion{"test/tax_test.rb", rbUnit, "  def test_z", "  def test_new(a = quit)\n  end\n\n"},
		insertion{"test/tax_test.rb", strings.Replace(rbUnit, "Minitest::Test", "SharedTest", 1), "  def test_z", method},
		insertion{"test/tax_test.rb", strings.Replace(rbUnit, "  def setup", "  include SharedTests\n\n  def setup", 1), "  def test_z", method},
		insertion{"test/tax_test.rb", strings.Replace(rbUnit, "  def test_z", "  private\n\n  def test_z", 1) + "last\n", "    assert_equal 0", method},
	)
	for _, c := range cases {
		if work := c.work(t); Only(c.file, []byte(c.base), []byte(work)) {
			t.Errorf("%s before %q:\n%s", c.file, c.before, c.piece)
		}
	}
}
