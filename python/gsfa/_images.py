"""Samples that may be images, three or four axes instead of two, and what they must be to be inputs of a model."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any, Sequence

import numpy as np
from numpy.typing import NDArray

from . import _core
from ._columns import as_encoded, by_name
from .errors import GsfaError
from .networks import full_shape

Shape = tuple[int, int, int]


@dataclass(frozen=True)
class Inputs:
    """What a model takes."""

    shape: Shape
    """Height, width and channels of its inputs."""
    names: list[str] | None
    """Names of the columns."""
    encodings: dict[str, dict[str, Any]]
    """How columns of words become inputs."""
    steps: list[dict[str, Any]] | None
    """How images become inputs; None if they are inputs as they are."""
    raw: Shape | None
    """The shape of images before that, if all had the same."""
    raw_names: list[str] | None
    """Names of the columns of a table of such images; None if they had none."""
    has_means: bool
    """Whether means of the inputs are known."""

    @staticmethod
    def of(header: dict[str, Any]) -> Inputs:
        """Those of a model file."""
        remembered = header["remembered"]
        raw = remembered.get("image")
        steps = (remembered.get("preparation") or {}).get("steps") or None
        return Inputs(
            shape=_sides(header["network"]["input"]),
            names=header["input_names"],
            encodings=remembered.get("encodings", {}),
            steps=steps,
            raw=None if steps is None or raw is None else _sides(raw),
            raw_names=None if steps is None else _columns_read(remembered.get("settings")),
            has_means=remembered.get("means") is not None,
        )

    @property
    def cells(self) -> list[str] | None:
        """The table column that each input is made of; None if each is one."""
        of_word = {f"{name}={word}": name for name, found in self.encodings.items() for word in found.get("words", ())}
        return [of_word.get(name, name) for name in self.names] if of_word and self.names is not None else None

    @property
    def image_shape(self) -> Shape | None:
        """Their shape if they are images."""
        return None if self.shape[:2] == (1, 1) else self.shape


def _columns_read(settings: str | None) -> list[str] | None:
    """The columns that the command line read: with a preparation they are pixels, and no inputs of the network."""
    return (json.loads(settings or "{}").get("reading") or {}).get("columns") or None


def _sides(shape: dict[str, int]) -> Shape:
    return shape["height"], shape["width"], shape["channels"]


def flattened(X: Any, image_shape: Sequence[int] | None) -> tuple[Any, Shape | None]:
    """Samples as rows, and the shape of one sample; None for rows of a table."""
    axes = getattr(X, "ndim", 0)
    if axes in (3, 4) and isinstance(X, np.ndarray):
        return X.reshape(len(X), -1), full_shape(X.shape[1:])
    return X, None if image_shape is None else full_shape(image_shape)


def shape_for(shape: Shape | None, columns: int) -> Shape:
    """The shape of a sample of so many values."""
    if shape is None:
        return 1, 1, columns
    if shape[0] * shape[1] * shape[2] != columns:
        raise GsfaError(
            f"images of shape {shape} have {shape[0] * shape[1] * shape[2]} values, samples have {columns}",
            hint="image_shape is (height, width) or (height, width, channels)",
            code="input_shape",
        )
    return shape


def check_same(shape: Shape | None, trained: Shape) -> None:
    """Refuses images of another shape than those of training; rows of a table are only counted."""
    if shape is not None and shape != trained:
        raise GsfaError(
            f"the model expects images of {_picture(trained)}, got {_picture(shape)}",
            hint="resize or convert the images as for training",
            code="input_shape",
        )


def encoded(X: Any, inputs: Inputs) -> Any:
    """A table whose columns of words are inputs of the model."""
    return as_encoded(X, inputs.encodings, inputs.names)


def as_trained(
    model: _core.Model, X: Any, threads: int, inputs: Inputs, image_shape: Sequence[int] | None = None
) -> Any:
    """Samples as rows of inputs: images as the preparation of the model's training makes them, and words as its encodings.

    Where there is a preparation, samples are images before it, also as rows of the values of one: of `image_shape` if that
    is given, else of the shape that those of training had. All other rows are refused, so that nothing is prepared twice or
    not at all without a word. The pixels of a table are found by the names of their columns, as the command line does it.
    """
    X = encoded(X, inputs)
    if inputs.steps is not None:
        X = by_name(X, inputs.raw_names)
        images = _as_images(X, inputs.raw if image_shape is None else full_shape(image_shape))
        return X if images is None else _prepared(model, images, threads, inputs)
    X, shape = flattened(X, None)
    check_same(shape, inputs.shape)
    return X


def filled_pixels(X: Any, means: Sequence[float], inputs: Inputs) -> Any:
    """Images before preparation, what is missing replaced by the mean of its pixel in training; a table stays one."""
    images = _as_images(by_name(X, inputs.raw_names), inputs.raw)
    if images is None or images.shape[1:] != inputs.raw:
        given = np.shape(X) if images is None else images.shape
        raise GsfaError(
            f"means are known of images of {_picture(inputs.raw or inputs.shape)}, samples of shape {given} are none",
            hint="give images of shape (n_samples, height, width[, channels]), or a row of values for each",
            code="input_shape",
        )
    pixels = images.astype(np.result_type(images.dtype, np.float32), copy=False)
    filled = np.where(np.isfinite(pixels), pixels, np.reshape(means, inputs.raw).astype(pixels.dtype))
    if hasattr(X, "iloc"):
        return type(X)(filled.reshape(len(filled), -1), columns=inputs.raw_names or list(X.columns), index=X.index)
    return filled.reshape(np.shape(X))


def _as_images(X: Any, shape: Shape | None) -> NDArray[Any] | None:
    """Images with all of their axes; None for what is no array of samples, which scikit-learn refuses in its words."""
    if isinstance(X, np.ndarray) and X.ndim in (3, 4):
        if shape is not None and shape[2] > 1 and X.shape == shape:
            raise GsfaError(
                f"one image of {_picture(shape)} is given, where several are expected",
                hint="X[np.newaxis] is an array of one image",
                code="not_images",
            )
        return X if X.ndim == 4 else X[..., np.newaxis]
    rows = np.asarray(X)
    if rows.ndim != 2:
        return None
    if shape is None or rows.shape[1] != shape[0] * shape[1] * shape[2]:
        wanted = "images" if shape is None else f"images of {_picture(shape)}, {shape[0] * shape[1] * shape[2]} values each"
        raise GsfaError(
            f"the model prepares {wanted}; rows of {rows.shape[1]} values are none",
            hint="give images of shape (n_samples, height, width[, channels]), or set image_shape if rows are images of "
            "another shape; without_preparation() takes inputs that are prepared already",
            code="not_images",
        )
    return rows.reshape(len(rows), *shape)


def _prepared(model: _core.Model, images: NDArray[Any], threads: int, inputs: Inputs) -> NDArray[np.float32]:
    try:
        pixels = np.ascontiguousarray(images, dtype=np.float32)
    except (TypeError, ValueError) as error:
        raise GsfaError(f"images are no numbers ({error})", code="sample_type") from None
    rows = model.prepared(pixels, threads)
    assert rows is not None
    wanted = inputs.shape[0] * inputs.shape[1] * inputs.shape[2]
    if rows.shape[1] != wanted:
        raise GsfaError(
            f"images of {_picture(full_shape(images.shape[1:]))} are {rows.shape[1]} values after the model's preparation, "
            f"it has {wanted} inputs",
            hint="give images of the size of training",
            code="input_shape",
        )
    return rows


def _picture(shape: Shape) -> str:
    height, width, channels = shape
    return f"{height}x{width}" + {1: " grey", 3: " RGB"}.get(channels, f" with {channels} channels")
