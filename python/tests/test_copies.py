"""Distorted copies of images: where they come from, and that the caller's arrays stay as they are."""

import numpy as np
import pytest

import gsfa


def images(count: int, *shape: int) -> np.ndarray:
    return np.random.default_rng(0).integers(0, 256, (count, *shape)).astype(np.uint8)


@pytest.mark.parametrize("shape", [(6, 5), (6, 5, 3), (1, 1)])
def test_copies_stand_one_behind_the_other_and_depend_on_the_seed_alone(shape):
    X = images(4, *shape)
    before = X.copy()
    copies, of_image = gsfa.Distortion().copies(X, 3)
    assert copies.shape == (12, *shape) and of_image.tolist() == [0, 0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3]
    assert np.array_equal(X, before)
    assert np.array_equal(copies, gsfa.Distortion().copies(X, 3, random_state=0)[0])
    # Whatever else is drawn.
    assert np.array_equal(copies[::3], gsfa.Distortion().copies(X, 1)[0])
    if shape != (1, 1):
        assert not np.array_equal(copies, gsfa.Distortion().copies(X, 3, random_state=1)[0])


def test_nothing_drawn_is_the_image_and_a_mirror_changes_left_and_right():
    X = images(40, 5, 4)
    still = gsfa.Distortion(rotation=0, shift=0, scale=0)
    assert np.array_equal(still.copies(X, 1)[0], X)
    mirrored, _ = gsfa.Distortion(rotation=0, shift=0, scale=0, mirror=True).copies(X, 1)
    turned = [np.array_equal(a, b[:, ::-1]) for a, b in zip(mirrored, X)]
    same = [np.array_equal(a, b) for a, b in zip(mirrored, X)]
    assert all(a or b for a, b in zip(turned, same)) and 5 < sum(turned) < 35


def test_light_changes_by_deviations_of_the_image():
    X = images(30, 8, 8)
    lit, _ = gsfa.Distortion(rotation=0, shift=0, scale=0, brightness=0.2).copies(X, 1)
    added = (lit.mean(axis=(1, 2)) - X.mean(axis=(1, 2))) / X.std(axis=(1, 2))
    assert (np.abs(added) <= 0.2001).all() and added.std() > 0.05
    flat, _ = gsfa.Distortion(rotation=0, shift=0, scale=0, contrast=0.3).copies(X, 1)
    assert np.allclose(flat.mean(axis=(1, 2)), X.mean(axis=(1, 2)), rtol=0.02)


def test_what_makes_no_sense_is_refused():
    X = images(3, 4, 4)
    with pytest.raises(gsfa.ParameterError, match="per_image"):
        gsfa.Distortion().copies(X, 0)
    with pytest.raises(gsfa.ParameterError, match="rotation"):
        gsfa.Distortion(rotation=-1)
    with pytest.raises(gsfa.GsfaError, match="scale and contrast are below 1"):
        gsfa.Distortion(scale=1.0).copies(X, 1)
    with pytest.raises(gsfa.SampleTypeError, match="height, width"):
        gsfa.Distortion().copies(X.reshape(3, 16), 1)
    with pytest.raises(gsfa.SampleTypeError, match="missing"):
        gsfa.Distortion().copies(np.full((2, 3, 3), np.nan), 1)
