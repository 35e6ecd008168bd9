"""Where texts are cut that are too long."""


def find_cut(text: str, begin: int, most: int) -> int:
    """Where a piece of at most ``most`` characters ends that begins at ``begin``.

    It ends behind white space where there is some in its second half: a word that is cut in two may be
    a secret that nobody recognizes any more.
    """
    end = begin + most
    if end >= len(text):
        return len(text)
    middle = begin + most // 2
    space = max(text.rfind(" ", middle, end), text.rfind("\n", middle, end))
    return end if space < 0 else space + 1
