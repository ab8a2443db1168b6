"""
Isomap of many samples
======================

``geodome.Isomap`` has the interface of scikit-learn's ``Isomap``. It stores a sparse representation of the geodesic
distances instead of all n × n of them, so that it needs memory in proportion to n.
"""

import time

import geodome
import matplotlib.pyplot as plt
import numpy as np
import sklearn.manifold


def swiss_roll(count):
    """Samples on the roll, and their coordinates on the flat sheet."""
    random = np.random.default_rng(0)
    angle, height = 1.5 * np.pi * (1 + 2 * random.uniform(size=count)), 21 * random.uniform(size=count)
    length = (angle * np.sqrt(1 + angle**2) + np.arcsinh(angle)) / 2
    return np.column_stack([angle * np.cos(angle), height, angle * np.sin(angle)]), np.column_stack([length, height])


def misfit(Z, flat):
    """Relative error (root mean square) of the distances of random pairs, compared with those on the flat sheet."""
    random = np.random.default_rng(1)
    I, J = random.integers(len(Z), size=(2, 5000))
    found, true = (np.linalg.norm(X[I] - X[J], axis=1) for X in (Z, flat))
    return np.linalg.norm(found - true) / np.linalg.norm(true)


X, flat = swiss_roll(30000)

# %%
# Both, with 2,000 samples
# ------------------------
#
# The graph of ten nearest neighbours is the same, and so is the error.

for estimator in (sklearn.manifold.Isomap(n_neighbors=10), geodome.Isomap(n_neighbors=10)):
    begin = time.process_time()
    Z = estimator.fit_transform(X[:2000])
    print(f"{type(estimator).__module__.split('.')[0]}: {time.process_time() - begin:.1f} s, "
          f"misfit {misfit(Z, flat[:2000]):.1%}")

# %%
# 30,000 samples
# --------------
#
# All pairs would take 7.2 GB in 64-bit floats.

begin = time.process_time()
isomap = geodome.Isomap(n_neighbors=10).fit(X)
print(f"{time.process_time() - begin:.1f} s, misfit {misfit(isomap.embedding_, flat):.1%}")
isomap.matrix_

# %%

_, axes = plt.subplots(1, 2, figsize=(8, 3.2), width_ratios=(1, 2))
axes[0].scatter(X[:, 0], X[:, 2], c=flat[:, 0], s=0.5)
axes[0].set_title("the roll, from the side", fontsize=9)
axes[1].scatter(*isomap.embedding_.T, c=flat[:, 0], s=0.5)
axes[1].set_title("the embedding", fontsize=9)
for axis in axes:
    axis.set_aspect("equal")
    axis.axis("off")
plt.tight_layout()

# %%
# New samples
# -----------
#
# ``transform`` places samples that were not fitted.

new, new_flat = swiss_roll(31000)
Z = isomap.transform(new[30000:])
print(Z.shape)

# %%
# Where it goes wrong
# -------------------
#
# Isomap assumes that the sheet has no holes and that neighbours on the graph are neighbours on the sheet. With too many
# neighbours the graph connects layers of the roll, and the misfit says so.

for neighbours in (10, 100, 400):
    Z = geodome.Isomap(n_neighbors=neighbours).fit_transform(X[:5000])
    print(f"{neighbours} neighbours: misfit {misfit(Z, flat[:5000]):.1%}")
