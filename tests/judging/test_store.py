import asyncio
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from forcebench_lib.judging.store import FILE, Judgment, Store, latest, read_judgments, repair
from forcebench_lib.schema import InputError


def judgment(number: int, reply: str = "") -> Judgment:
    return Judgment(
        key=f"k{number}",
        pair_id="p",
        passage="cited",
        claim="safe",
        status="ok",
        label="supported",
        reply=reply,
        at="now",
    )


def keys(folder: Path) -> list[str]:
    return [one.key for one in read_judgments(folder / FILE)]


def write(folder: Path, *numbers: int) -> None:
    with Store(folder) as store:
        for number in numbers:
            store.append(judgment(number))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    one = judgment(1, reply='<b>\x00\u2028"\n}é')
    with Store(tmp_path / "run") as store:
        store.append(one)
        assert list(read_judgments(store.path)) == [one]
    assert (tmp_path / "run" / FILE).read_bytes().count(b"\n") == 1


def test_a_line_torn_at_any_byte_is_taken_back_or_finished(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    write(folder, 1, 2)
    whole = (folder / FILE).read_bytes()
    first = whole.index(b"\n") + 1
    for cut in range(first, len(whole) + 1):
        (folder / FILE).write_bytes(whole[:cut])
        expected = ["k1", "k2"] if cut >= len(whole) - 1 else ["k1"]
        assert keys(folder) == expected
        write(folder, 3)
        assert keys(folder) == [*expected, "k3"]


def test_a_torn_line_longer_than_a_block_is_taken_back(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    with Store(folder) as store:
        store.append(judgment(1))
        store.append(judgment(2, reply="x" * 200_000))
    content = (folder / FILE).read_bytes()
    (folder / FILE).write_bytes(content[:-100])
    write(folder, 3)
    assert keys(folder) == ["k1", "k3"]


@pytest.mark.parametrize("line", [b"{half\n", b"\n", b"[1]\n", b'{"key": "k"}\n', b"\xff\xfe\n"])
def test_a_corrupt_line_is_one_sentence_with_file_and_line(tmp_path: Path, line: bytes) -> None:
    folder = tmp_path / "run"
    write(folder, 1, 2)
    path = folder / FILE
    first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(first + line + second)
    with pytest.raises(InputError) as caught:
        keys(folder)
    assert str(caught.value).startswith(f"{path}, line 2: ")
    assert "\n" not in str(caught.value)
    assert repair(folder) == 1
    assert keys(folder) == ["k1", "k2"]
    assert (folder / "judgments.broken").read_bytes() == line
    assert repair(folder) == 0


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("latency_s", "NaN"),
        ("latency_s", "1e400"),
        ("cost_usd", "-0.01"),
        ("attempts", "-1"),
        ("logprobs", '{"A": 0.5}'),
        ("logprobs", '{"A": -1e400}'),
        ("usage", '{"prompt_tokens": -3}'),
    ],
)
def test_an_impossible_number_is_one_sentence_that_names_the_field(tmp_path: Path, field: str, value: str) -> None:
    folder = tmp_path / "run"
    write(folder, 1, 2)
    path = folder / FILE
    first, second = path.read_text(encoding="utf-8").splitlines()
    path.write_text(f'{first}\n{second[:-1]}, "{field}": {value}}}\n', encoding="utf-8")
    with pytest.raises(InputError) as caught:
        keys(folder)
    assert f"line 2: {field if value != 'NaN' else ''}" in str(caught.value)


def test_a_folder_without_records_has_nothing_to_repair(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="there is no such file, expected the records of a run"):
        repair(tmp_path / "nowhere")


def test_a_second_writer_is_told_so(tmp_path: Path) -> None:
    with Store(tmp_path / "run"), pytest.raises(InputError, match="another process is writing this run"):
        Store(tmp_path / "run").__enter__()
    write(tmp_path / "run", 1)


def test_a_second_process_is_told_so_and_a_dead_one_holds_nothing(tmp_path: Path) -> None:
    script = (
        "import sys, time; from pathlib import Path; from forcebench_lib.judging.store import Store\n"
        "store = Store(Path(sys.argv[1])).__enter__(); print('in', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", script, tmp_path / "run"], stdout=subprocess.PIPE)
    assert holder.stdout
    holder.stdout.readline()
    with pytest.raises(InputError, match="another process"):
        write(tmp_path / "run", 1)
    holder.kill()
    holder.wait()
    holder.stdout.close()
    write(tmp_path / "run", 1)
    assert keys(tmp_path / "run") == ["k1"]


def test_a_full_disk_leaves_whole_lines_alone(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    write(folder, 1)
    size = (folder / FILE).stat().st_size
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        with Store(folder) as store:
            resource.setrlimit(resource.RLIMIT_FSIZE, (size + 20, old[1]))
            with pytest.raises(OSError, match="File too large"):
                store.append(judgment(2))
            resource.setrlimit(resource.RLIMIT_FSIZE, old)
            assert (folder / FILE).stat().st_size == size
            store.append(judgment(3))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, handler)
    assert keys(folder) == ["k1", "k3"]


def test_opening_a_run_for_nothing_leaves_no_folder(tmp_path: Path) -> None:
    with Store(tmp_path / "runs" / "run"):
        pass
    assert not (tmp_path / "runs" / "run").exists()


def test_an_error_never_takes_the_place_of_an_answer(tmp_path: Path) -> None:
    failed = judgment(1).model_copy(update={"status": "api_error", "label": "", "error": "timed out"})
    with Store(tmp_path / "run") as store:
        for one in (failed, judgment(1, reply="first"), failed, judgment(2), failed):
            store.append(one)
    assert [(one.key, one.status, one.reply) for one in latest(tmp_path / "run", Judgment)] == [
        ("k1", "ok", "first"),
        ("k2", "ok", ""),
    ]


def test_a_landed_record_was_on_disk_before_the_next_question(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    on_disk, syncs = 0, 0

    def slow_disk(file: int) -> None:
        nonlocal on_disk, syncs
        began = os.fstat(file).st_size
        time.sleep(0.01)
        on_disk, syncs = began, syncs + 1

    async def worker(store: Store, numbers: Iterator[int]) -> None:
        for number in numbers:
            await asyncio.sleep(0.003 * (number % 5))  # some come while a sync is on its way
            await store.land(judgment(number))
            end = store.path.read_bytes().index(f'"k{number}"'.encode())
            assert end < on_disk

    async def together(store: Store) -> None:
        numbers = iter(range(60))
        await asyncio.gather(*(worker(store, numbers) for _ in range(12)))

    monkeypatch.setattr(os, "fsync", slow_disk)
    with Store(tmp_path / "run") as store:
        asyncio.run(together(store))
    assert sorted(keys(tmp_path / "run")) == sorted(f"k{number}" for number in range(60))
    assert syncs < 60 / 4


def test_a_disk_that_fails_to_sync_fails_every_record_that_waits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken_disk(file: int) -> None:
        raise OSError(5, "Input/output error")

    async def together(store: Store) -> list[object]:
        return await asyncio.gather(*(store.land(judgment(number)) for number in range(5)), return_exceptions=True)

    monkeypatch.setattr(os, "fsync", broken_disk)
    with Store(tmp_path / "run") as store:
        assert [type(found) for found in asyncio.run(together(store))] == [OSError] * 5
