"""Samples that may be images: three or four axes instead of two."""

from __future__ import annotations

from typing import Any, Sequence

import numpy as np

from . import _core
from ._columns import as_encoded
from .errors import GsfaError
from .networks import full_shape

Shape = tuple[int, int, int]


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


def check_same(shape: Shape | None, expected: dict[str, int]) -> None:
    """Refuses images of another shape than those of training; rows of a table are only counted."""
    if shape is None:
        return
    trained = expected["height"], expected["width"], expected["channels"]
    if shape != trained:
        raise GsfaError(
            f"the model expects images of {_picture(trained)}, got {_picture(shape)}",
            hint="resize or convert the images as for training",
            code="input_shape",
        )


def as_trained(model: _core.Model, X: Any, threads: int, header: dict[str, Any]) -> Any:
    """Samples as rows of inputs: images as the preparation of the model's training makes them, and words as its encodings."""
    expected = header["network"]["input"]
    X = as_encoded(X, header["remembered"].get("encodings", {}), header["input_names"])
    if isinstance(X, np.ndarray) and X.ndim in (3, 4):
        images = X if X.ndim == 4 else X[..., np.newaxis]
        try:
            pixels = np.ascontiguousarray(images, dtype=np.float32)
        except (TypeError, ValueError) as error:
            raise GsfaError(f"images are no numbers ({error})", code="sample_type") from None
        rows = model.prepared(pixels, threads)
        if rows is not None:
            wanted = expected["height"] * expected["width"] * expected["channels"]
            if rows.shape[1] != wanted:
                raise GsfaError(
                    f"images of {_picture(full_shape(X.shape[1:]))} are {rows.shape[1]} values after the model's preparation, "
                    f"it has {wanted} inputs",
                    hint="give images of the size of training",
                    code="input_shape",
                )
            return rows
    X, shape = flattened(X, None)
    check_same(shape, expected)
    return X


def _picture(shape: Shape) -> str:
    height, width, channels = shape
    return f"{height}x{width}" + {1: " grey", 3: " RGB"}.get(channels, f" with {channels} channels")
