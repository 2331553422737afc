"""What is compared between two revisions: short works, and the programs that do and time them."""

from __future__ import annotations

import random
import struct
import tempfile
import zlib
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Callable

from processes import Command
from programs import Build, must


@dataclass(frozen=True)
class Work:
    """A line that a program prints."""

    key: str
    name: str
    line: str
    unit: float = 1.0


class Files:
    """Generated files that both revisions read, and a small model of each revision to read them for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @cached_property
    def tables(self) -> tuple[Path, Path]:
        """200 rows to learn from, and 20,000 of 100 numbers."""
        draw = random.Random(0)
        small, large = self.folder / "small.csv", self.folder / "large.csv"
        names = ",".join(f"x{k}" for k in range(100))

        def numbers() -> str:
            return ",".join(f"{draw.gauss(0, 1):.6f}" for _ in range(100))

        small.write_text("\n".join([f"{names},y", *[f"{numbers()},{n / 10}" for n in range(200)], ""]))
        large.write_text("\n".join([names, *[numbers() for _ in range(20_000)], ""]))
        return small, large

    @cached_property
    def images(self) -> tuple[Path, Path]:
        """200 PNG images to learn from with their labels, and 4,000, of 32×32 pixels in colour."""
        draw = random.Random(0)
        for folder, count in (("small", 200), ("large", 4000)):
            (self.folder / folder).mkdir()
            for n in range(count):
                (self.folder / folder / f"{n:05}.png").write_bytes(png(draw, 32))
        labels = ["file,y", *[f"{n:05}.png,{n / 10}" for n in range(200)], ""]
        (self.folder / "labels.csv").write_text("\n".join(labels))
        return self.folder / "small", self.folder / "large"

    def read(self, build: Build, small: Path, large: Path, *more: str) -> Command:
        """From the start of the command to one feature of every sample: all is read, little is computed."""
        model = Path(tempfile.mkdtemp(dir=self.folder)) / "model.gsfa"
        choices = "--learn y --task numbers --network linear --features 1 --ridge 0.1 --readout linear-scaling --quiet --force"
        must([build.gsfa(), "train", "--data", str(small), *more, *choices.split(), "-o", str(model)])
        return build.timed("transform", str(model), "--data", str(large), "--quiet", times=3)


def png(draw: random.Random, side: int) -> bytes:
    """A PNG image of noise. Any bytes are an image under any filter: each row of pixels has the next of the five."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    rows = b"".join(bytes([y % 5]) + bytes(b % 24 for b in draw.randbytes(3 * side)) for y in range(side))
    header = struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


@dataclass(frozen=True)
class Program:
    """A process that does one or several works, of either revision."""

    make: Callable[[Build, Files], Command]
    works: tuple[Work, ...]

    def only(self, keys: set[str]) -> Program | None:
        works = tuple(work for work in self.works if work.key in keys)
        return Program(self.make, works) if works else None


def example(name: str, *arguments: str) -> Callable[[Build, Files], Command]:
    return lambda build, _: build.example(name, *arguments)


def fit(work: str) -> Callable[[Build, Files], Command]:
    return lambda build, _: build.fit(work)


PROGRAMS = (
    Program(
        example("paper_network"),
        (
            Work("network", "network, training, ELL-40", "ELL-40 train"),
            Work("network", "network, training, serial", "serial train"),
            Work("network", "network, applied to 12,000 images", "ELL-40 apply"),
            Work("prediction", "prediction of one image", "per image in batches of 1", 1e-6),
            Work("prediction", "prediction of one of 1,000", "per image in batches of 1000", 1e-6),
        ),
    ),
    Program(
        example("one_node"),
        tuple(
            Work("node", f"node 10,800×160, {graph}, {kind}", f"node {graph} {kind}")
            for graph in ("ELL-40", "serial")
            for kind in ("f64", "f32")
        ),
    ),
    Program(example("wide_node", "1600", "20000"), (Work("wide", "wide sums 20,000×1,600, f64", "sums"),)),
    Program(example("wide_node", "2000", "20000", "f32"), (Work("wide", "wide sums 20,000×2,000, f32", "sums"),)),
    Program(fit("series"), (Work("series", "time series 100,000×200", "fit"),)),
    Program(fit("classes"), (Work("classes", "100,000×200, 32 classes", "fit"),)),
    Program(fit("regression"), (Work("regression", "100,000×200, 10 labels estimated", "fit"),)),
    Program(
        lambda build, files: files.read(build, *files.tables),
        (Work("csv", "reading a CSV table of 20,000×100", "seconds"),),
    ),
    Program(
        lambda build, files: files.read(build, *files.images, "--labels", str(files.folder / "labels.csv")),
        (Work("images", "reading 4,000 PNG images of 32×32", "seconds"),),
    ),
    Program(lambda build, _: build.timed("--help", times=20), (Work("start", "gsfa --help", "seconds"),)),
)
KEYS = tuple(dict.fromkeys(work.key for program in PROGRAMS for work in program.works))
