"""Model files that end early, promise too much, come from another version, or cannot be written."""

import pickle
import subprocess
import sys

import numpy as np
import pytest

import gsfa

RNG = np.random.default_rng(3)
X = RNG.normal(size=(200, 6))
Y = X[:, 0] + 0.2 * RNG.normal(size=200)


@pytest.fixture
def saved(tmp_path):
    path = tmp_path / "m.gsfa"
    gsfa.GSFA().fit(X, Y).save(path)
    return path


def refused(path, match):
    with pytest.raises(gsfa.ModelFileError, match=match) as caught:
        gsfa.load(path)
    assert isinstance(caught.value, OSError) and isinstance(caught.value, ValueError)
    return caught.value


def test_f42_a_file_is_refused_wherever_it_ends(saved):
    content = saved.read_bytes()
    for end in [0, 1, 7, 8, len(content) // 3, len(content) // 2, len(content) - 1]:
        saved.write_bytes(content[:end])
        assert refused(saved, f"ends at byte {end}, its header promises").code == "model_ends"
    # Nothing of it reaches an estimator that is there already.
    with pytest.raises(ValueError):
        gsfa.GSFA().__setstate__({"_model_bytes": content[:-1]})


def test_f43_headers_that_promise_the_world_are_refused_at_once(saved):
    saved.write_bytes((2**64 - 1).to_bytes(8, "little") + b" " * 100)
    refused(saved, "at most 67108864 are read")
    header = b'{"__metadata__":{"gsfa":"{}"},"x":{"dtype":"F64","shape":[4294967296,4294967296],"data_offsets":[0,8]}}'
    saved.write_bytes(len(header).to_bytes(8, "little") + header + bytes(8))
    refused(saved, "overflow")
    saved.write_bytes((2).to_bytes(8, "little") + b"{]")
    assert refused(saved, "cannot be read as a model").code == "model_file"


def test_f44_pickles_are_not_read(saved):
    saved.write_bytes(pickle.dumps(gsfa.GSFA().fit(X, Y)))
    error = refused(saved, "cannot be read as a model|ends at byte")
    assert error.hint


def test_f45_a_newer_format_asks_for_an_upgrade(saved):
    content = saved.read_bytes()
    at = content.index(rb"\"format\":") + len(rb"\"format\":")
    saved.write_bytes(content[:at] + b"9" + content[at + 1 :])
    error = refused(saved, "was made by format 9 .*, this library reads")
    assert error.code == "model_version" and "upgrade" in error.hint


def test_f46_every_changed_byte_of_the_numbers_is_noticed(saved):
    content = saved.read_bytes()
    start = 8 + int.from_bytes(content[:8], "little")
    for at in range(start, len(content), 5):
        saved.write_bytes(content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :])
        assert refused(saved, "checksum").code == "model_checksum"


PROGRAM = """
import resource, signal, sys
import numpy as np
import gsfa

rng = np.random.default_rng(0)
X = rng.normal(size=(3000, 60))
model = gsfa.GSFA(40, graph=gsfa.graphs.Ell(targets=40)).fit(X, X[:, 0])
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192))
try:
    model.save(sys.argv[1], overwrite=True)
except gsfa.ModelFileError as error:
    print(error.message)
    print(error.hint)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits")
def test_f47_a_full_disk_leaves_the_old_model_and_no_other_file(saved):
    old = saved.read_bytes()
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", PROGRAM, saved], capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    message, hint = done.stdout.splitlines()
    assert str(saved) in message and " bytes)" in message and "intact" in hint
    assert saved.read_bytes() == old
    assert [path.name for path in saved.parent.iterdir()] == ["m.gsfa"]


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
def test_f47_a_place_that_cannot_be_written_is_named():
    model = gsfa.GSFA().fit(X, Y)
    for overwrite in (False, True):
        with pytest.raises(gsfa.ModelFileError, match="/proc/m.gsfa"):
            model.save("/proc/m.gsfa", overwrite=overwrite)
