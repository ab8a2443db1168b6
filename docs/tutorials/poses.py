"""
Matching poses
==============

Which shapes are poses of one another, and which point of one corresponds to which point of the other? Geodesic distances
hardly change when a shape bends, and neither does the canonical form, which is computed from them.
"""

import geodome
import matplotlib.pyplot as plt
import numpy as np

poses = {f"pose {k}": geodome.make_shape("creature", vertices=5000, pose=k) for k in (0, 2, 5)}
others = {name: geodome.make_shape(name, vertices=4000) for name in ("torus", "box")}
shapes = poses | others


def show(pictures, titles=()):
    _, axes = plt.subplots(1, len(pictures), figsize=(2.4 * len(pictures), 2.6), squeeze=False)
    for axis, picture, title in zip(axes[0], pictures, titles or [""] * len(pictures)):
        axis.imshow(picture)
        axis.set_title(title, fontsize=9)
        axis.axis("off")
    plt.tight_layout()


show([shape.picture(width=400, height=400) for shape in shapes.values()], list(shapes))

# %%
# Canonical forms
# ---------------
#
# A matrix of all distances of each shape, and its classical scaling in three dimensions. The forms of the three poses are
# nearly the same. Equal colours are equal coordinates.

matrices = geodome.build(list(shapes.values()), landmarks=300)
forms = [m.embedding(3) for m in matrices]
show([geodome.as_shape(form.Z, shape.faces).picture(form.colours, width=400, height=400)
      for form, shape in zip(forms, shapes.values())], list(shapes))

# %%
# Distances between shapes
# ------------------------
#
# ``match`` builds, embeds and aligns the canonical forms of all pairs. The distance between two shapes is that between
# their aligned forms, in units of their mean radius. It takes shapes, or matrices as built above.

found = geodome.match(matrices)
print(found)
names = list(shapes)
for name, nearest in zip(names, found.nearest):
    print(f"nearest to {name}: {names[nearest]}")

# %%

plt.figure(figsize=(4, 3.4))
plt.imshow(found.distances, cmap="viridis")
plt.xticks(range(len(names)), names, rotation=45)
plt.yticks(range(len(names)), names)
plt.colorbar(label="distance, mean radii")
plt.tight_layout()

# %%
# Corresponding points
# --------------------
#
# The vertex nearest to each vertex after alignment. The poses of the creature have the same vertices in the same order, so
# the error of the correspondence can be measured, as the geodesic distance on the second pose between the vertex found and
# the true one. A creature that is nearly its own mirror image may be matched left to right.

first, second = forms[0].Z, forms[1].Z
partner = geodome.correspondence(first, second)
error = matrices[1][np.arange(len(partner)), partner]
extent = matrices[1][0].max()
print(f"median error {np.median(error) / extent:.2%} of the extent, 90 % within {np.quantile(error, 0.9) / extent:.2%}")

# %%
# Colours carried over by the correspondence: each vertex of pose 0 has the colour of its partner in pose 2.

colours = forms[1].colours
show([poses["pose 0"].picture(colours[partner], width=480, height=420),
      poses["pose 2"].picture(colours, width=480, height=420)], ["pose 0", "pose 2"])
