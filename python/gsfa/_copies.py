"""Randomly distorted copies of images, to learn from."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._json import text
from ._parameters import Flag, Number, Sorts, Whole, check, check_all
from .errors import SampleTypeError


@dataclass(frozen=True)
class Distortion:
    """How images are distorted at random: what is drawn is uniform within its range, and independent.

    What is left out is as on the command line: the paper's ranges for traffic signs, and no change of light.

    Parameters
    ----------
    rotation : float, optional
        From −this to this, in degrees.
    shift : float, optional
        Along each axis from −this to this, in pixels.
    scale : float, optional
        From 1 − this to 1 + this.
    brightness : float, optional
        What is added, from −this to this, in deviations of the pixels of the image.
    contrast : float, optional
        Factor of what pixels differ from their mean, from 1 − this to 1 + this.
    mirror : bool, optional
        Whether every other image, at random, is seen in a mirror.

    Examples
    --------
    Copies of one image know each other: as groups they are left out together.

    >>> from sklearn.datasets import load_digits
    >>> import gsfa
    >>> digits = load_digits()
    >>> X, y = digits.images[:200], digits.target[:200]
    >>> copies, of_image = gsfa.Distortion(rotation=8, shift=0.7).copies(X, 3)
    >>> copies.shape, of_image[:4].tolist()
    ((600, 8, 8), [0, 0, 0, 1])
    >>> model = gsfa.CompactClassifier().fit(copies, y[of_image], groups=of_image)
    >>> bool(model.score(digits.images[200:], digits.target[200:]) > 0.8)
    True
    """

    rotation: float | None = None
    shift: float | None = None
    scale: float | None = None
    brightness: float | None = None
    contrast: float | None = None
    mirror: bool | None = None

    def __post_init__(self) -> None:
        ranges = {name: (Number(0.0), None) for name in ("rotation", "shift", "scale", "brightness", "contrast")}
        sorts: Sorts = {**ranges, "mirror": (Flag(), None)}
        check_all(self, sorts)

    def copies(
        self, images: ArrayLike, per_image: int, random_state: int = 0
    ) -> tuple[NDArray[np.float32], NDArray[np.intp]]:
        """Distorted copies of images, and which image each shows.

        The draw of a copy depends on the seed, the image's number and the copy's, and on nothing else: it is the one of the
        command line (``--copies-per-image``).

        Parameters
        ----------
        images : array-like of shape (n_images, height, width) or (n_images, height, width, channels)
            Images.
        per_image : int
            How many copies of each. None of them is the image as it is.
        random_state : int, default=0
            The seed.

        Returns
        -------
        copies : ndarray of shape (n_images * per_image, height, width[, channels])
            In single precision, those of an image one behind the other.
        of_image : ndarray of shape (n_images * per_image,)
            The number of the image that each shows: ``y[of_image]`` are their labels, and `groups` of `fit`.
        """
        check("per_image", per_image, (Whole(1),), "Distortion.copies")
        check("random_state", random_state, (Whole(0),), "Distortion.copies")
        pixels = np.asarray(images, dtype=np.float32)
        if pixels.ndim not in (3, 4) or 0 in pixels.shape:
            raise SampleTypeError(
                f"images are arrays of shape (n_images, height, width[, channels]), got {pixels.shape}",
                hint="rows of numbers become images by reshape(-1, height, width)",
            )
        if not np.isfinite(pixels).all():
            raise SampleTypeError("images have values that are missing or infinite", hint="leave these images out first")
        four = np.ascontiguousarray(pixels if pixels.ndim == 4 else pixels[..., None])
        drawn = _core.distorted(four, int(per_image), text("distortion", self._spec()), int(random_state))
        return drawn.reshape(-1, *pixels.shape[1:]), np.repeat(np.arange(len(pixels)), int(per_image))

    def _spec(self) -> dict[str, Any]:
        return {name: value for name, value in asdict(self).items() if value is not None}
