"""
A cortical surface
==================

Build all geodesic distances of a cortical surface, without its medial wall, look at them, and export them for BrainSMASH.

The surface here is a model, so that this page can be built without data: a folded sphere of 70 mm, whose cap takes the
place of the medial wall. Replace ``surface`` by the name of your own file (GIFTI, FreeSurfer or any other format) and
``mask`` by your own mask (a GIFTI, NPY or text file with one value per vertex, or a FreeSurfer label).
"""

import os
import pathlib

import geodome
import matplotlib.pyplot as plt
import numpy as np

data = os.environ.get("DATA")  # a folder with *midthickness.surf.gii: make docs DATA=FOLDER
files = sorted(pathlib.Path(data).rglob("*midthickness.surf.gii")) if data else []
if files:
    surface = geodome.read_shape(files[0])
    mask = np.ones(len(surface), dtype=bool)
else:
    V, F = geodome.make_shape("sphere", vertices=20000)
    folds = 1 + 0.08 * np.sin(9 * V[:, 0]) * np.sin(9 * V[:, 1]) * np.sin(9 * V[:, 2])
    surface = geodome.as_shape(70 * V * folds[:, None], F)
    mask = V[:, 0] < 0.85
print(surface, f"{np.count_nonzero(~mask):,} vertices left out")

# %%
# All distances
# -------------
#
# ``build`` measures the distances from some landmarks and represents all others by them. Vertices with a mask of zero are
# left out, and paths go around them. What is printed includes the error, measured on rows of exact distances.

m = geodome.build(surface, mask=mask)
m

# %%
# The full matrix in 32-bit floats would take this many megabytes, and the representation takes:

print(f"{4e-6 * len(m) ** 2:,.0f} MB, {m.nbytes / 1e6:.2f} MB")

# %%
# Distances from a vertex
# -----------------------
#
# ``m[i]`` is a row, ``m[i, j]`` a distance, both in the units of the file. Distances to vertices that were left out are
# infinite.

source = int(m.landmarks[0])
row = m[source]
reached = np.isfinite(row)
bands = np.floor(row / 10) % 2  # 10 mm each
colours = 255 * plt.get_cmap("viridis")(np.where(reached, row, 0) / row[reached].max())[:, :3]
colours[bands == 1] *= 0.85
colours[~reached] = 200
azimuths = (-60, 30, 120)
plt.figure(figsize=(9, 2.6))
plt.imshow(np.hstack([surface.picture(colours, width=480, height=420, azimuth=azimuth) for azimuth in azimuths]))
plt.axis("off")
plt.tight_layout()

# %%
# Neighbourhoods
# --------------
#
# All vertices at most 10 mm away, nearest first. Near distances are exact: they are computed on the surface when they are
# asked for.

distances, vertices = m.within(source, 10)
print(f"{len(vertices)} vertices within 10 mm, the nearest {distances[1]:.2f} mm away")

# %%
# How much longer than the straight line are the paths? A thousand random pairs:

random = np.random.default_rng(0)
I, J = random.choice(np.flatnonzero(reached), size=(2, 1000))
straight = np.linalg.norm(surface.points[I] - surface.points[J], axis=1)
along = m[I, J]
plt.figure(figsize=(4.5, 4))
plt.scatter(straight, along, s=4)
plt.axline((0, 0), slope=1, color="gray", linewidth=1)
plt.xlabel("straight line, mm")
plt.ylabel("along the surface, mm")
plt.tight_layout()

# %%
# The error
# ---------
#
# ``build`` has measured the error on some rows. ``evaluate`` measures it on as many as wanted, here 20, and by distance.

report = m.evaluate(rows=20)
print(f"mean {report['mean_relative_error']:.2%}, 99 % of the pairs within {report['p99_relative_error']:.2%}")

# %%
# Export and save
# ---------------
#
# BrainSMASH reads the nearest vertices of each vertex. ``m.save`` writes one file, which ``geodome.load`` and the command
# line open.

exported = m.to_brainsmash("brainsmash", neighbours=1000)
for name, file in exported.items():
    print(f"{name}: {pathlib.Path(file).stat().st_size / 1e6:.1f} MB")
m.save("cortex.geodome")
print(geodome.load("cortex.geodome")[source, vertices[-1]])
