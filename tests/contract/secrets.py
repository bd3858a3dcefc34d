"""What every store of secrets must do. "Of two who keep something under one name, both get what stands there.\""""

from __future__ import annotations

import threading

from shared.privacy.secrets import Secrets


class SecretsSuite:
    """Subclasses give the fixture `secrets`: an empty store."""

    def test_what_is_kept_comes_back_and_stays(self, secrets: Secrets) -> None:
        assert secrets.get("a") is None
        assert secrets.keep("a", b"\x00one") == b"\x00one"
        assert secrets.keep("a", b"two") == b"\x00one"
        assert secrets.get("a") == b"\x00one"

    def test_many_are_kept_as_one_by_one(self, secrets: Secrets) -> None:
        secrets.keep("b", b"old")
        assert secrets.keep_many({"a": b"1", "b": b"2", "c": b"3"}) == {"a": b"1", "b": b"old", "c": b"3"}
        assert secrets.keep_many({}) == {}
        assert secrets.get_many(["c", "a", "none"]) == {"a": b"1", "c": b"3"}
        assert secrets.get_many([]) == {}

    def test_more_than_one_look_asks_for(self, secrets: Secrets) -> None:
        names = [f"person/{n}" for n in range(500)]
        kept = secrets.keep_many({name: name.encode() for name in names})
        assert kept == secrets.get_many(names)
        assert list(kept) == names

    def test_what_is_erased_is_gone_and_may_be_kept_anew(self, secrets: Secrets) -> None:
        secrets.keep_many({"a": b"1", "b": b"2"})
        secrets.erase("a")
        secrets.erase("a")
        assert secrets.get_many(["a", "b"]) == {"b": b"2"}
        assert secrets.keep("a", b"new") == b"new"

    def test_each_erasure_is_counted(self, secrets: Secrets) -> None:
        before = secrets.erasures()
        secrets.keep("a", b"1")
        assert secrets.erasures() == before
        secrets.erase("a")
        assert secrets.erasures() > before

    def test_whoever_keeps_at_once_gets_what_stands_there(self, secrets: Secrets) -> None:
        names, got = [f"n{n}" for n in range(50)], []

        def keep(mine: bytes) -> None:
            got.append(secrets.keep_many(dict.fromkeys(names, mine)))

        threads = [threading.Thread(target=keep, args=(f"{n}".encode(),)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(got) == 4
        assert all(each == secrets.get_many(names) for each in got)

    def test_a_file_stays_as_it_was_first_kept_until_it_is_erased(self, secrets: Secrets) -> None:
        large = bytes(range(256)) * (4 << 12)  # 4 MiB
        secrets.files.keep("a", large)
        secrets.files.keep("a", b"another")
        assert secrets.files.get("a") == large
        secrets.files.erase("a")
        secrets.files.erase("a")
        assert secrets.files.get("a") is None
