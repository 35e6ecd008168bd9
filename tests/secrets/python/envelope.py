"""A second reader and writer of `secrets.enc`, from its description alone: scrypt of hashlib, the cipher of libsodium.

Reads one JSON object from standard input and writes one to standard output:
`{"open": file, "key": key}` gives `{"payload": text}`, `{"seal": payload, "key": key, ...}` gives `{"file": text}`.
"""

import base64
import hashlib
import json
import os
import struct
import sys
from typing import Any

from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_decrypt as decrypt
from nacl.bindings import crypto_aead_xchacha20poly1305_ietf_encrypt as encrypt

CIPHER = "xchacha20-poly1305"


def derive(key: bytes, salt: bytes, kdf: dict[str, Any]) -> tuple[bytes, bytes]:
    """The key of the cipher and the check value."""
    cost, lanes = 1 << kdf["log_n"], kdf["p"]
    memory = 128 * kdf["r"] * (cost + lanes + 2)
    out = hashlib.scrypt(key, salt=salt, n=cost, r=kdf["r"], p=lanes, maxmem=memory, dklen=48)
    return out[:32], out[32:]


def associated(kdf: dict[str, Any], salt: bytes, check: bytes, generation: int, created_at: str) -> bytes:
    """What is authenticated besides the payload."""
    texts = ["2", CIPHER, kdf["name"], kdf["log_n"], kdf["r"], kdf["p"], salt, check, generation, created_at]
    data = b"tooldock-secrets\0"
    for text in texts:
        member = text if isinstance(text, bytes) else str(text).encode()
        data += struct.pack("<I", len(member)) + member
    return data


def open_file(file: str, key: bytes) -> str:
    """The payload of a file."""
    members = json.loads(file)
    assert members["version"] == 2, "version"
    salt, check, nonce, sealed = (
        base64.b64decode(members[name], validate=True) for name in ("salt", "check", "nonce", "ciphertext")
    )
    secret, derived = derive(key, salt, members["kdf"])
    assert derived == check, "wrong key"
    data = associated(members["kdf"], salt, check, members["generation"], members["created_at"])
    return decrypt(sealed, data, nonce, secret).decode()


def seal(payload: str, key: bytes, **given: Any) -> str:
    """A file with a payload; what is not given is chosen."""
    kdf = {"name": "scrypt", "log_n": 10, "r": 8, "p": 1} | given.get("kdf", {})
    salt = bytes.fromhex(given.get("salt") or os.urandom(32).hex())
    nonce = bytes.fromhex(given.get("nonce") or os.urandom(24).hex())
    generation, created_at = given.get("generation", 1), given.get("created_at", "2026-11-27T00:00:00Z")
    secret, check = derive(key, salt, kdf)
    data = associated(kdf, salt, check, generation, created_at)
    sealed = encrypt(payload.encode(), data, nonce, secret)
    texts = {name: base64.b64encode(raw).decode() for name, raw in [("salt", salt), ("check", check), ("nonce", nonce)]}
    members = {"version": 2, "cipher": CIPHER, "kdf": kdf, **texts, "generation": generation, "created_at": created_at}
    return json.dumps(members | {"ciphertext": base64.b64encode(sealed).decode()})


def main() -> None:
    """Answers one request."""
    request = json.load(sys.stdin)
    key = request.pop("key").encode()
    if "open" in request:
        answer = {"payload": open_file(request["open"], key)}
    else:
        answer = {"file": seal(request.pop("seal"), key, **request)}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
