"""
A huge mesh
===========

400,000 vertices: estimate the cost, build with a file that makes the build resumable, save, and query the file.
"""

import os
import time
import warnings

import geodome
import matplotlib.pyplot as plt
import numpy as np

shape = geodome.make_shape("creature", vertices=400_000)
shape

# %%
# What it will cost
# -----------------
#
# ``plan`` estimates time, memory and bytes from the numbers of vertices and landmarks, without measuring anything. The
# command line does the same with ``geodome build FILE --dry-run``.

plan = geodome.plan(shape, landmarks=1000)
print("\n".join(f"{name}: {value}" for name, value in plan.items()))

# %%
# Build
# -----
#
# Measured distances are saved in the file ``resume``. If the build is interrupted, the same call continues from there and
# gives the same result; the file is removed at the end. ``save_every`` is for this short build: by default a build of
# fewer than 4,000 landmarks is saved in one step.

begin = time.process_time()
m = geodome.build(shape, landmarks=1000, resume="creature.progress", save_every=250)
print(f"{time.process_time() - begin:.0f} s of processor time")
m

# %%
# Bytes
# -----

m.save("creature.geodome")
print(f"all distances as 32-bit floats: {4e-9 * len(m) ** 2:,.0f} GB")
print(f"the matrix: {m.nbytes / 1e6:.2f} MB")
print(f"the file, with the shape: {os.path.getsize('creature.geodome') / 1e6:.1f} MB")

# %%
# Query
# -----
#
# Opening a file maps it into memory. Processor time of a million random distances, of a row, and of the ten nearest
# vertices. ``raw`` queries leave near distances as P W Pᵀ gives them; the others compute them on the shape.

m = geodome.load("creature.geodome")
random = np.random.default_rng(0)
I, J = random.integers(len(m), size=(2, 1_000_000))
for what, query in {"a million pairs": lambda: m[I, J], "a row": lambda: m[7], "a row, raw": lambda: m.row(7, raw=True),
                    "the ten nearest": lambda: m.nearest(7, 10)}.items():
    query()  # the first query of a kind prepares what it needs
    begin = time.process_time()
    query()
    print(f"{what}: {1e3 * (time.process_time() - begin):.1f} ms")

# %%
# The canonical form
# ------------------
#
# Classical scaling needs products with the matrix only: each takes a few multiplications per vertex.

warnings.simplefilter("ignore", geodome.ShapeWarning)  # some faces of the form have no area
form = m.embedding(3)
print(form)
plt.figure(figsize=(8, 3.2))
plt.imshow(np.hstack([shape.picture(form.colours, width=600, height=480),
                      geodome.as_shape(form.Z, shape.faces).picture(form.colours, width=600, height=480)]))
plt.axis("off")
plt.tight_layout()
