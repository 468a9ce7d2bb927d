import unittest

from slugify import slugify


class Slugify(unittest.TestCase):
    def test_lower_case(self):
        self.assertEqual(slugify("Hello World"), "hello-world")

    def test_punctuation(self):
        self.assertEqual(slugify("Rock & Roll!"), "rock-roll")

    def test_edges(self):
        self.assertEqual(slugify("  (Spaced)  "), "spaced")

    def test_numbers(self):
        self.assertEqual(slugify("Area 51"), "area-51")

    def test_accents(self):
        self.assertEqual(slugify("Café Brûlé"), "cafe-brule")

    def test_umlauts(self):
        self.assertEqual(slugify("Übersee, ähnlich"), "ubersee-ahnlich")


if __name__ == "__main__":
    unittest.main()
