"""Names for URLs."""


def slugify(title):
    """Turn a title into lower-case ASCII words, joined by hyphens."""
    return title
