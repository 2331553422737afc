"""Makes the tables beside it: `python3 laws/data/make.py`. Needs NumPy; whoever changes them makes laws/expected anew."""

import csv
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


def write(name, columns):
    """A table of named columns; numbers are short, missing ones empty."""
    with open(HERE / name, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(columns)
        out.writerows(zip(*columns.values()))


def short(values, digits=3):
    return [repr(round(float(value), digits)) for value in values]


def parts(name, columns, new):
    """The last `new` rows are those to estimate."""
    write(f"{name}_train.csv", {key: column[:-new] for key, column in columns.items()})
    write(f"{name}_new.csv", {key: column[-new:] for key, column in columns.items()})


def table(rng, rows=108, new=12):
    """Five inputs in different units, one of them far from zero, a constant and a copy; labels of every kind."""
    latent = rng.normal(size=(rows, 5))
    a = latent[:, 0]
    b = 10 + 3 * latent[:, 1]
    c = 0.2 * latent[:, 2] + 0.05 * latent[:, 0]
    d = np.tanh(latent[:, 3])
    e = 1000 + latent[:, 4] + 0.5 * latent[:, 1]
    noise = rng.normal(size=(rows, 4))
    age = 40 + 8 * a - 2 * (b - 10) + 5 * a * d + 2 * noise[:, 0]
    height = 170 + 2 * (b - 10) + 20 * c + 4 * d + 1.5 * noise[:, 1]
    kind = np.digitize(height + noise[:, 2], [167, 173])
    grade = np.digitize(a + d + 0.3 * noise[:, 3], [-0.8, 0.6])
    known, said = rng.random(rows) < 0.7, rng.random(rows) < 0.7
    known[-new:] = said[-new:] = True
    names, marks = np.array(["small", "middle", "tall"])[kind], np.array(["2", "9", "10"])[grade]
    parts(
        "table",
        {
            **{key: short(column) for key, column in zip("abcde", (a, b, c, d, e))},
            "same": ["7"] * rows,
            "copy": short(a),
            "age": short(age, 2),
            "height": short(height, 2),
            "step": short(5 * np.round(age / 5), 0),
            "kind": list(names),
            "grade": list(marks),
            "side": list(np.where(a > 0, "yes", "no")),
            "some_age": [number if there else "" for number, there in zip(short(age, 2), known)],
            "some_kind": [name if there else "" for name, there in zip(names, said)],
            "weight": short(rng.choice([0.5, 1.0, 2.0, 3.0], size=rows), 1),
            "zero_weight": short(rng.choice([0.0, 1.0, 2.5], size=rows, p=[0.1, 0.5, 0.4]), 1),
        },
        new,
    )


def wide(rng, rows=28, new=6, inputs=36):
    """Fewer samples than inputs."""
    x = rng.normal(size=(rows, inputs))
    y = x[:, 0] - x[:, 1] + 0.5 * x[:, 2] + 0.2 * rng.normal(size=rows)
    names = np.where(y > 0, "above", "below")
    columns = {f"x{j + 1}": short(x[:, j]) for j in range(inputs)}
    parts("wide", {**columns, "y": short(y), "sign": list(names)}, new)


def images(rng, rows=92, new=12, side=8):
    """Grey images of bars, crosses and rings that turn and lie elsewhere; pixels row by row."""
    y, x = np.mgrid[:side, :side] - (side - 1) / 2
    pixels, angles, shapes = [], [], []
    for _ in range(rows):
        angle, shape = rng.uniform(-40, 40), rng.choice(["bar", "cross", "ring"])
        turn = np.radians(angle)
        dx, dy = x - rng.uniform(-0.7, 0.7), y - rng.uniform(-0.7, 0.7)
        u, v = dx * np.cos(turn) + dy * np.sin(turn), dy * np.cos(turn) - dx * np.sin(turn)
        bar = np.exp(-(v**2)) * (np.abs(u) < 3.5)
        other = np.exp(-(u**2)) * (np.abs(v) < 2.5)
        ring = np.exp(-((np.hypot(u, 1.6 * v) - 2.5) ** 2))
        drawn = {"bar": bar, "cross": np.maximum(bar, other), "ring": ring}[shape]
        pixels.append(np.clip(40 + 170 * drawn + 8 * rng.normal(size=drawn.shape), 0, 255).astype(int).ravel())
        angles.append(angle)
        shapes.append(str(shape))
    columns = {f"p{j + 1}": list(column) for j, column in enumerate(np.array(pixels).T)}
    parts("images", {**columns, "angle": short(angles, 1), "shape": shapes}, new)


if __name__ == "__main__":
    table(np.random.default_rng(1))
    wide(np.random.default_rng(2))
    images(np.random.default_rng(3))
