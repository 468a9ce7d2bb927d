package addition

import (
	"strings"
	"testing"
)

// Classes of tests in which others get a place before a line.
const (
	phpTests  = "<?php\n\ndeclare(strict_types=1);\n\nnamespace Shop\\Tests;\n\nuse PHPUnit\\Framework\\TestCase;\nuse Shop\\Tax;\n\nfinal class TaxTest extends TestCase\n{\n    private const RATES = [\n        'a' => '}',\n    ];\n\n    public function testA(): void\n    {\n        self::assertSame(\"{$this->a['b']}\", <<<EOT\n            {\n            public function testText(): void\n            EOT);\n    }\n\n    /**\n     * @dataProvider cases\n     */\n    public function testB(int $n): void\n    {\n        if ($n) {\n            self::assertSame(1, tax($n));\n        }\n    }\n\n    public static function cases(): array\n    {\n        return [[1]];\n    }\n\n    /** Z. */\n\n    public function testZ(): void\n    {\n        new class {\n            public function inner() {}\n\n            public function more() {}\n        };\n        self::assertSame('\n        ', tax(1)); // '\n    }\n}\n"
	javaTests = "package shop;\n\nimport static org.junit.jupiter.api.Assertions.assertEquals;\n\nimport org.junit.jupiter.api.*;\n\n@DisplayName(\"tax\")\nclass TaxTest {\n    private static final char QUOTE = '\"';\n\n    private final int[] rates = {\n        1,\n    };\n\n    @Test\n    void a() {\n        assertEquals(1, Tax.of(\"\"\"\n            \"{\n            void text() {\n            \"\"\"));\n    }\n\n    // Rounding.\n    @Test\n    void b() throws Exception {\n        for (int n : rates) {\n            assertEquals(n, Tax.of(n));\n        }\n    }\n\n    @Nested\n    class Inner {\n        @Test\n        void c() {}\n\n        @Test\n        void d() {\n            new Object() {\n                void one() {}\n\n                void two() {}\n            };\n        }\n    }\n\n    enum Kind {\n        ONE;\n\n        void same() {}\n    }\n\n    @BeforeEach\n\n    void begin() {}\n\n    @Test\n    void z() {\n        assertEquals(0, Tax.of(0));\n    }\n}\n"
)

const (
	phpNew  = "    public function testNew(): void\n    {\n        self::assertSame(2, tax(2));\n    }\n\n"
	javaNew = "    @Test\n    void fresh() {\n        assertEquals(2, Tax.of(2));\n    }\n\n"
)

func TestMethodsAreAdded(t *testing.T) {
	t.Parallel()
	for _, c := range []insertion{
		{"tests/TaxTest.php", phpTests, "    public function testA", phpNew},
		{"tests/TaxTest.php", phpTests, "    /**\n     * @dataProvider", phpNew},
		{"tests/TaxTest.php", phpTests, "    /**\n     * @dataProvider", "    /**\n     * Rates of two.\n     *\n     * @dataProvider cases\n     */\n    public function testNew(int $n, ?string $s = null): void\n    {\n        self::assertSame(\"{$n}\", \"a\\\"}\" . '}' . <<<'X'\n            }\n            X); // {\n    }\n\n"},
		{"tests/TaxTest.php", phpTests, "    public static function cases", "    #[Test]\n    #[DataProvider('cases')]\n    public function it_adds(): void\n    {\n    }\n\n" + phpNew},
		{"tests/TaxTest.php", phpTests, "    public static function cases", "    /** @test */\n    public function it_adds()\n    {\n    }\n\n"},
		{"tests/TaxTest.php", strings.Replace(phpTests, "extends TestCase", "extends KernelTestCase", 1), "    public static function cases", phpNew},
		{"tests/TaxTest.php", strings.Replace(phpTests, "    private const", "    use RefreshDatabase, A\\WithFaker;\n\n    private const", 1), "    public static function cases", phpNew},
		{"tests/TaxTest.php", phpTests, "use Shop\\Tax;", "use Shop\\Net;\nuse function Shop\\net;\nuse Shop\\Tests as Same;\n"},
		{"TaxTest.java", javaTests, "    @Test\n    void a", javaNew},
		{"TaxTest.java", javaTests, "    private final", javaNew},
		{"TaxTest.java", javaTests, "    // Rounding", "    /**\n     * Two.\n     */\n    @ParameterizedTest(name = \"{0} }\")\n    @CsvSource({\"1, 2\", \"3, 4\"})\n    @DisplayName(\"two\")\n    public void fresh(int a, int b) throws IOException, Exception {\n        char c = '}';\n        assertEquals(\"}\" + '\"' + \"\\\"\", \"\"\"\n            } \\\"\"\"\n            \"\"\"); // }\n    }\n\n"},
		{"TaxTest.java", javaTests, "    @Nested", javaNew},
		{"TaxTest.java", javaTests, "        @Test\n        void d", "        @Test\n        void fresh() {}\n\n"},
		{"TaxTest.java", javaTests, "    enum", javaNew + strings.Replace(javaNew, "fresh", "other", 1)},
		{"TaxTest.java", javaTests, "import org", "import java.util.List;\nimport java.util.function.*;\nimport static shop.Help.help;\n"},
	} {
		if work := c.work(t); !Only(c.file, []byte(c.base), []byte(work)) {
			t.Errorf("%s before %q:\n%s", c.file, c.before, c.piece)
		}
	}
}

// What is no test, or stands where it changes what is around it, needs a look.
func TestMethodsThatAreNone(t *testing.T) {
	t.Parallel()
	method := func(head string) string { return "    " + head + "\n    {\n    }\n\n" }
	annotated := func(head string) string { return "    @Test\n    " + head + " {\n    }\n\n" }
	var cases []insertion
	for _, piece := range []string{
		method("protected function setUp(): void"), method("public function setUp(): void"), method("public function __construct()"),
		method("public function help(): void"), method("private function testNew(): void"), method("public static function testNew(): void"),
		method("public function testNew(): void { } function setUp(): void"), method("public function testb(): void"), method("public function TESTB(): void"),
		method("public function testNew($x = die()): void"), method("#[Test]\n    public function runTest(): void"), method("#[Test]\n    public function setUp(): void"),
		method("#[Before]\n    public function testNew(): void"), method("#[Test, Before]\n    public function testNew(): void"), method("#[DataProvider(DIE)]\n    public function testNew(): void"),
		method("#[Test] public function testNew(): void"), method("/** @before */\n    public function testNew(): void"), method("/** @group slow */\n    public function testNew(): void"),
		method("/** @before */ public function testNew(): void"), method("public function /** @before */ testNew(): void"), method("/** @codeCoverageIgnore */\n    public function testNew(): void"),
		method("// phpcs:disable\n    public function testNew(): void"), method("/** @requires PHP 9 */\n    public function testNew(): void"), method("/** @runInSeparateProcess */\n    public function testNew(): void"),
		"    public function testNew(): void\n    {\n        f(); // phpcs:disable\n    }\n\n",
		"    public function testNew(): void\n    {\n    } /** @before */\n\n",
		"    public function testNew(): void\n    {\n    }\n\n    /** @before */\n",
		"    public function testNew(): void\n    {\n    }\n}\n\n",
		"    public function testNew(): void\n    {\n    }\n    const X = 1;\n",
		"    public function testNew(): void\n    {\n    // ?> }\n    }\n\n",
		"    public function testNew(): void\n    {\n    ?>\n    }\n\n",
		"    public function testNew(): void\n    {\n    x('?>'); `'`;\n    }\n\n",
		"    public function testNew(): void\n    {\n        __halt_compiler();\n    }\n\n",
		"    public function testNew(): void\n    {\n        x(\"{$a[\"}\"]}\");\n    }\n\n",
		"    public function testNew(): void\n    {\n        x(\"${a[\"}\"]}\");\n    }\n\n",
		"    public function testNew(): void\n    {\n        x(<<<A\n        A);} const A = ['\n        A');\n    }\n\n",
		"    public function testNew(): void\n    {\n        x('\n    }\n\n",
		"    public function testNew(): void\n    {\n        /*\n    }\n\n",
		"    use Evil;\n", "    use MoreTests;\n\n" + phpNew, "    const X = 1;\n", "    // skip\n",
	} {
		cases = append(cases, insertion{"tests/TaxTest.php", phpTests, "    public static function cases", piece})
	}
	for _, before := range []string{"            public function testText", "        'a'", "    ];", "    public function testZ", "    public function testB", "     * @data", "{\n", "final class", "            public function more", "        ', tax"} {
		cases = append(cases, insertion{"tests/TaxTest.php", phpTests, before, phpNew})
	}
	for _, base := range []string{
		strings.Replace(phpTests, "extends TestCase", "extends AbstractTaxTest", 1), strings.Replace(phpTests, "extends TestCase", "extends TaxTestCase", 1), strings.Replace(phpTests, "    private const", "    use ChecksRates;\n    private const", 1), strings.Replace(phpTests, " extends TestCase", "", 1),
		strings.Replace(phpTests, "final class TaxTest", "trait TaxTest", 1), strings.Replace(phpTests, "    private const", "    use SharedTests;\n    private const", 1),
		"\n" + phpTests, strings.Replace(phpTests, "'}'", "`}`", 1),
	} {
		cases = append(cases, insertion{"tests/TaxTest.php", base, "    public static function cases", phpNew})
	}
	cases = append(cases,
		insertion{"tests/TaxTest.php", strings.Replace(phpTests, "use PHPUnit\\Framework\\TestCase;", "use Shop\\TestCase;", 1), "    public static function cases", method("#[Test]\n    public function it_adds(): void")},
		insertion{"tests/TaxTest.php", phpTests, "use Shop\\Tax;", "use Evil\\testcase;\n"},
		insertion{"tests/TaxTest.php", phpTests, "use Shop\\Tax;", "use function Evil\\tax;\n"},
		insertion{"tests/TaxTest.php", phpTests, "use Shop\\Tax;", "use Evil\\Other as TestCase;\n"},
		insertion{"tests/TaxTest.php", phpTests, "use Shop\\Tax;", "use A\\B; die();\n"},
		insertion{"tests/TaxTest.php", phpTests, "            EOT", "\n"},
	)
	for _, piece := range []string{
		"    static {\n        quit();\n    }\n\n", "    {\n        quit();\n    }\n\n", "    int x = quit();\n", "    void help() {\n    }\n\n",
		"    @BeforeEach\n    void fresh() {\n    }\n\n", "    @Test\n    @BeforeEach\n    void fresh() {\n    }\n\n", "    @Test\n    @Disabled\n    void fresh() {\n    }\n\n", "    @Test\n    @EnabledIf(\"x\")\n    void fresh() {\n    }\n\n",
		"    @Test\n    @Override\n    void fresh() {\n    }\n\n", "    @DisplayName(\"x\")\n    void fresh() {\n    }\n\n", "    @Disabled\n", "    @Test\n",
		annotated("static void fresh()"), annotated("int fresh()"), annotated("void b()"), annotated("void assertEquals()"), annotated("protected void finalize()"), annotated("void finalize()"),
		annotated("void fresh() { } static"), annotated("void fresh() throws X { } void begin2()"), annotated("/* x */ void fresh()"), annotated("void fresh(@Evil(\"}\") int x)"),
		"    @Test\n    void fresh() {\n    }\n}\n\n", "    @Test\n    void fresh() {\n    } int x = quit();\n\n", "    @Test\n    void fresh() {\n    } /*\n    */\n",
		"    @Test\n    void fresh() {\n        x(\"\\u0022 + \");\n    }\n\n", "    @Test\n    void fresh() {\n        // \\u000a } static { quit();\n    }\n\n", "    @Test\n    void fresh() {\n        \\u007d static \\u007b quit();\n    }\n\n",
		"    @Test\n    void fresh() {\n        /* \\uuu002a\\u002f */\n    }\n\n", "    @Test\n    void fresh() {\n        x(\"\"\"\n    }\n\n", "    @Test\n    void fresh() {\n        x('\");\n    }\n\n", "    @Test\n    void fresh() {\n        /*\n    }\n\n",
		"    @Test\n    void fresh() {\n        f(); // NOSONAR\n    }\n\n", "    // @formatter:off\n    @Test\n    void fresh() {\n    }\n\n",
	} {
		cases = append(cases, insertion{"TaxTest.java", javaTests, "    @Nested", piece})
	}
	for _, before := range []string{"            void text", "        1,", "    };", "    void b", "    @Test\n    void b", "class TaxTest", "            assertEquals", "                void two", "        void same", "    void begin", "            \"{"} {
		cases = append(cases, insertion{"TaxTest.java", javaTests, before, javaNew})
	}
	for _, class := range []string{"class TaxTest extends Base", "class TaxTest implements Shared", "interface TaxTest", "enum TaxTest", "record TaxTest()"} {
		cases = append(cases, insertion{"TaxTest.java", strings.Replace(javaTests, "class TaxTest", class, 1), "    @Nested", javaNew})
	}
	cases = append(cases,
		insertion{"TaxTest.java", strings.Replace(javaTests, "// Rounding", "// \\u002e", 1), "    @Nested", javaNew},
		insertion{"TaxTest.java", javaTests, "import org", "import static evil.A.*;\n"},
		insertion{"TaxTest.java", javaTests, "import org", "import static evil.A.assertEquals;\n"},
		insertion{"TaxTest.java", javaTests, "import org", "import evil.Tax;\n"},
		insertion{"TaxTest.java", javaTests, "import org", "import a.B; class Tax {}\n"},
		insertion{"TaxTest.java", javaTests, "            \"{", "\n"},
		insertion{"a_spec.rb", "it 'a' do\n  a\nend\nlast\n", "  a", "  skip \"a\"\n"},
		insertion{"a.bats", "@test a {\n  a\n}\nlast\n", "  a", "  exit \"0\"\n"},
		insertion{"ATest.kt", "import a.*\n\nclass ATest {\n}\nlast\n", "import a", "import evil.assertEquals; val x = 1\n"},
	)
	for _, c := range cases {
		if work := c.work(t); Only(c.file, []byte(c.base), []byte(work)) {
			t.Errorf("%s before %q:\n%s", c.file, c.before, c.piece)
		}
	}
}
