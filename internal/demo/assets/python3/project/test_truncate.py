import unittest

from truncate import truncate


class Truncate(unittest.TestCase):
    def test_empty(self):
        self.assertEqual(truncate("", 8), "")

    def test_short(self):
        self.assertEqual(truncate("short", 8), "short")

    def test_exact_fit(self):
        self.assertEqual(truncate("just fit", 8), "just fit")

    def test_long(self):
        self.assertEqual(truncate("rather long", 8), "rathe...")

    def test_very_long(self):
        self.assertEqual(truncate("very " * 20, 12), "very very...")


if __name__ == "__main__":
    unittest.main()
