"""Networks that keep information: components, the linear inverse, and files."""

import gsfa
import numpy as np
import pytest
from gsfa.networks import Keep, Layer, Network
from sklearn.datasets import load_digits
from sklearn.decomposition import PCA

SCALINGS = ["sensitivity", "qr", "median", "spread", "none"]


@pytest.fixture(scope="module")
def digits():
    data = load_digits()
    return data.images, data.target


def explained(images, back):
    return 1 - ((images - back) ** 2).sum() / ((images - images.mean(axis=0)) ** 2).sum()


def test_without_a_slow_part_outputs_are_principal_components(digits):
    images, target = digits
    net = Network([Layer(6, keep=Keep(slow=0))])
    found = gsfa.HGSFA(network=net).fit(images, target).transform(images)
    expected = PCA(6).fit_transform(images.reshape(len(images), -1))
    assert np.abs(np.abs(found) - np.abs(expected)).max() < 1e-8


@pytest.mark.parametrize("scaling", SCALINGS)
def test_all_outputs_of_linear_nodes_give_the_images_back(digits, scaling):
    images, target = digits
    # Corners of digits are always empty.
    net = Network([Layer(16, field=(4, 4), keep=Keep(slow=3, scaling=scaling)), Layer(64, keep=Keep(slow=9))])
    model = gsfa.HGSFA(network=net).fit(images, target)
    back = model.inverse_transform(model.transform(images))
    assert back.shape == images.shape
    assert np.abs(back - images).max() < 1e-7


def test_variances_of_outputs_are_what_is_kept(digits):
    images, target = digits
    net = Network([Layer(20, expansion=gsfa.expansions.Expo(), ridge=1e-3, keep=Keep(slow=9))])
    model = gsfa.HGSFA(network=net).fit(images, target)
    features = model.transform(images)
    share = features.var(axis=0).sum() / images.var(axis=0).sum()
    assert abs(share - explained(images, model.inverse_transform(features))) < 1e-9
    more = Network([Layer(40, expansion=gsfa.expansions.Expo(), ridge=1e-3, keep=Keep(slow=9))])
    wider = gsfa.HGSFA(network=more).fit(images, target)
    assert explained(images, wider.inverse_transform(wider.transform(images))) > share


def test_tables_come_back_as_rows_and_files_keep_the_inverse(digits, tmp_path):
    images, target = digits
    rows = images.reshape(len(images), -1)
    net = Network([Layer(12, keep=Keep(delta=1.96, scaling="median"))])
    model = gsfa.HGSFA(network=net).fit(rows, target)
    back = model.inverse_transform(model.transform(rows))
    assert back.shape == rows.shape
    model.save(tmp_path / "m.gsfa")
    loaded = gsfa.load(tmp_path / "m.gsfa")
    assert loaded.network_ == net
    assert (loaded.inverse_transform(loaded.transform(rows)) == back).all()


def test_networks_that_keep_nothing_have_no_inverse(digits):
    images, target = digits
    model = gsfa.HGSFA(network=Network([Layer(9)])).fit(images, target)
    with pytest.raises(gsfa.GsfaError, match="keep"):
        model.inverse_transform(model.transform(images))
    kept = gsfa.HGSFA(network=Network([Layer(9, keep=Keep(slow=3))])).fit(images, target)
    with pytest.raises(gsfa.GsfaError, match="9 features"):
        kept.inverse_transform(np.zeros((2, 8)))


def test_higsfa_has_a_network_for_every_size(digits):
    images, target = digits
    net = Network.higsfa((96, 96), 50_000, 75)
    assert [(layer.nodes, layer.output_dim) for layer in net.plan((96, 96))][:3] == [(961, 18), (465, 27), (225, 37)]
    small = Network.higsfa(images.shape[1:], len(images), 9)
    assert gsfa.HGSFA(network=small).fit(images, target).transform(images).shape == (len(images), 9)
