"""What can be awaited although nothing has to be waited for."""

from collections.abc import Generator


class Sent:
    """Something already sent; awaiting it gives control back at once."""

    def __await__(self) -> Generator[None, None, None]:
        return
        yield


SENT = Sent()
