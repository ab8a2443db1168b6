"""What scripts/results measures: an entry for each table or figure of the documentation that it rewrites. Measurement is
described there; minutes are those of two busy cores, roughly. Add an entry, and its markers to the page."""

MEASUREMENTS = []


def add(name, page, minutes, *commands, **more):
    MEASUREMENTS.append(Measurement(name, page, minutes, commands, **more))  # noqa: F821  (scripts/results)


HEAT = ("import potpourri3d", "import pygeodesic")
PAPER = "docs/results/paper.md"
BASELINES = "docs/results/baselines.md"

# --- Geodesic distances

for name, file, minutes in (("armadillo", "armadillo_43k.obj", 3), ("lucy", "lucy_50k.ply", 4),
                            ("igea", "igea_134345.ply", 15), ("cortex", "fs_LR.32k.L.midthickness.surf.gii", 3)):
    add(f"geodesics-{name}", "docs/results/geodesics.md", minutes,
        f"bench/geodesics.py build/bench DATA/{file} --most-batched-sources 10000"
        + (" --exact-peer-sources 1" if name == "igea" else ""), needs=HEAT)
add("landmarks", "docs/results/geodesics.md", 1,
    "bench_landmarks DATA/dragon_437645.ply --landmarks 1000",
    "bench_landmarks DATA/dragon_437645.ply --subdivide 1 --landmarks 50000")
add("paths", "docs/methods/paths.md", 2,
    "bench/paths.py geodome DATA/bunny_14290.obj DATA/fs_LR.32k.L.midthickness.surf.gii DATA/tosca_cat0.off "
    "DATA/nefertiti_50k.obj DATA/horse_quad.obj DATA/teapot.obj DATA/cgal_mech-holes-shark.off DATA/cgal_boeing.off "
    "DATA/truck.obj --sources 3")
add("farthest-points", "docs/methods/paths.md", 1,
    "bench/farthest_points.py geodome DATA/bunny_14290.obj DATA/nefertiti_50k.obj", needs=("import potpourri3d",))

# --- cell

add("cells", "docs/results/cells.md", 90,
    "bench/cells.py geodome DATA --methods cell sbha-10 sbha-20 sbha-50 hybrid fmds-hard --output cells",
    data=("brain_mesh_7k.obj", "bunny_14290.obj", "fs_LR.32k.L.midthickness.surf.gii"))
add("cells-dragon", "docs/results/cells.md", 12,
    "bench/cells.py geodome DATA --shapes dragon --methods cell cell-positional --landmarks 500 800 1200 --seeds 1 "
    "--output cells",
    data=("dragon_437645.ply",))
add("positional", "docs/results/cells.md", 5,
    "bench/positional.py geodome DATA/brain_mesh_7k.obj 210 DATA/bunny_14290.obj 470 DATA/igea_134345.ply 1000 "
    "DATA/dragon_437645.ply 1000 --rows 20")
add("cell-cost", "docs/results/cells.md", 3, "bench/cell_cost.py geodome DATA/igea_134345.ply DATA/dragon_437645.ply")
add("components", "docs/methods/landmarks.md", 2, "bench/assemblies.py geodome DATA/truck.obj DATA/cgal_boeing.off")

# --- sbha

add("build", "docs/results/sbha.md", 4, "bench/build.py build/bench DATA/igea_134345.ply --json build.json",
    needs=("import sksparse",), keep=("build.json",))
add("build-cholmod", "docs/results/sbha.md", 3, "bench/build.py build/bench DATA/igea_134345.ply --cholmod-heat",
    needs=("import sksparse",))
add("workbench", "docs/results/sbha.md", 6,
    "bench/workbench.py geodome DATA/fs_LR.32k.L.midthickness.surf.gii --json workbench.json", needs=("wb_command",),
    keep=("workbench.json",))
add("opening", "docs/results/sbha.md", 2,
    "geodome build DATA/colin27_brain_iso_1017882.ply --method sbha -l 1000 -q -o brain.geodome",
    "bench/query_start.py brain.geodome geodome --pair 1000 900000")
add("queries", "docs/results/sbha.md", 3, "bench_queries DATA/dragon_437645.ply")
add("interpolation-brain", "docs/results/interpolation.md", 15,
    "bench_interpolation DATA/brain_mesh_7k.obj --landmarks 50 100 200 400 800 1600 --nonzeros 10 20 50 100 --seeds 5 --rows 200")
add("interpolation-bunny", "docs/results/interpolation.md", 4,
    "bench_interpolation DATA/bunny_14290.obj --landmarks 400 --nonzeros 10 50 --seeds 5 --rows 200")
add("samples", "docs/results/interpolation.md", 4, "bench/samples.py geodome")

# --- Queries

add("near", "docs/results/near.md", 4,
    "bench/near.py geodome DATA/lowres_cat0.off DATA/tosca_wolf0.off DATA/tosca_centaur1.off DATA/fsaverage5_pial_left.gii.gz "
    "DATA/tosca_horse0.off DATA/tosca_dog1.off DATA/tosca_cat2.off DATA/fs_LR.32k.L.midthickness.surf.gii "
    "DATA/fsaverage6_lh.white DATA/tosca_david0.off DATA/fs_LR.32k.L.inflated.surf.gii DATA/lowres_horse2.off --vertices 20")
add("near-speed", "docs/results/near.md", 3,
    "geodome build DATA/dragon_437645.ply --method cell -l 1000 -q -o dragon.geodome",
    "bench_queries --file dragon.geodome")
add("bounds", "docs/methods/bounds.md", 4,
    "bench/bounds.py geodome DATA/brain_mesh_7k.obj DATA/dragon_10k.off DATA/bunny_14290.obj "
    "DATA/fs_LR.32k.L.midthickness.surf.gii")
add("target", "docs/methods/evaluation.md", 120,
    "geodome shape torus --vertices 10000 -q -o torus.ply",
    "bench/target.py geodome DATA/bunny_14290.obj 1e-5 DATA/kitten_points.xyz 1e-5 torus.ply 1e-5 DATA/dragon_10k.off 1e-5 "
    "DATA/brain_mesh_7k.obj 1e-4 DATA/fs_LR.32k.L.midthickness.surf.gii 1e-5 --seeds 20")
add("maps", "docs/methods/maps.md", 6,
    "bench/maps.py geodome DATA/fs_LR.32k.L.midthickness.surf.gii DATA/fsaverage7_lh_surface.gz --rows 40",
    needs=("wb_command", *HEAT))

# --- Canonical forms and matching

add("scaling", "docs/results/embedding.md", 5, "bench_scaling DATA/brain_mesh_7k.obj --landmarks 50 100 200 400 800")
add("viewer", "docs/results/viewer.md", 3,
    "geodome shape swiss-roll --vertices 120000 -q -o roll.ply",
    "geodome build roll.ply --method sbha -l 1000 -p 50 -q -o roll.geodome",
    "geodome view roll.geodome --output roll.html -q",
    "node bench/viewer.mjs roll.html", needs=("node", "chromium"))
add("poses", "docs/results/matching.md", 8, "bench/poses.py geodome DATA/tosca_*.off --nonzeros 50")

# --- Large meshes

add("large", "docs/results/large.md", 14, "bench/large.py geodome DATA/dragon_437645.ply")
add("growth", "docs/results/large.md", 40,
    "geodome resample DATA/dragon_437645.ply --largest-component -q -o dragon.ply",
    "geodome resample dragon.ply --decimate 109000 -q -o small.ply",
    "geodome resample dragon.ply --subdivide 1 -q -o large.ply",
    "bench/growth.py geodome runs small.ply --landmarks 1000,5000,20000 --no-tables",
    "bench/growth.py geodome runs large.ply --landmarks 1000,50000 --no-tables",
    "bench/growth.py geodome runs dragon.ply --landmarks 1000,5000 --threads 1,2 --plot growth.svg",
    needs=("import matplotlib",), figures={"growth.svg": "growth.svg"})

# --- Other packages

add("python-peers", "docs/results/python_peers.md", 8,
    "bench/python_peers.py --sizes 1000 5000 40000 --samples 2000 10000 --budget 10 --gdist-python "
    "build/python-gdist/bin/python --json python_peers.json", needs=("import geodome", *HEAT, "import tapkee", "build/python-gdist/bin/python"),
    keep=("python_peers.json",))
add("readme", "README.md", 0,
    "bench/readme.py build/results/workbench.json build/results/python_peers.json build/results/build.json",
    uses=("workbench.json", "python_peers.json", "build.json"), shown=False)

# --- Baselines, and the shapes of the paper

add("baselines-brain", BASELINES, 8,
    "bench/compare.py geodome error+bytes,error:range@400 -- DATA/brain_mesh_7k.obj --methods "
    "bha,sbha,nystrom,nystrom-truncated,fmds,fmds-hard,smds,lmds,pivot,hybrid --landmarks 100,200,400,800 --repeat 3 "
    "--rows 200 --no-stress -o brain")
add("baselines-bunny", BASELINES, 5,
    "bench/compare.py geodome error+bytes -- DATA/bunny_14290.obj --methods "
    "bha,sbha,nystrom,nystrom-truncated,fmds,fmds-hard,hybrid --landmarks 100,200,400 --repeat 1 --rows 200 --no-stress -o bunny")
add("ctg", BASELINES, 6,
    "geodome shape sphere --vertices 4002 -q -o sphere.off",
    "bench/compare.py geodome error,mean,p99,bytes --list -- sphere.off DATA/brain_mesh_7k.obj DATA/bunny_14290.obj "
    "--methods ctg,spectrometer --landmarks 100,200,400 --repeat 1 --rows 50 --no-stress -o ctg")
add("spectrometer", BASELINES, 1, "bench_spectrometer DATA/brain_mesh_7k.obj")

add("paper-brain", PAPER, 12,
    "bench/compare.py geodome error@100,error@400,error@800,error:range@800,p99@800,reference-bytes@800,bytes@800 -- "
    "--recipe brain-error --data DATA --quick --landmarks 50,100,200,400,800 --nonzeros 10,20,50,100 --rows 500 -o brain",
    data=("brain_mesh_7k.obj",), figures={"brain/plots/error-landmarks-brain.svg": "error-landmarks-brain.svg",
                                          "brain/plots/error-reference-bytes-brain.svg": "error-reference-bytes-brain.svg"})
add("paper-bunny", PAPER, 6,
    "bench/compare.py geodome error -- --recipe bunny-error --data DATA --quick --methods "
    "bha,sbha,fmds,fmds-hard,nystrom,nystrom-truncated --nonzeros 20,50 --rows 200 --repeat 1 -o bunny",
    data=("bunny_14290.obj",), figures={"bunny/plots/error-landmarks-bunny.svg": "error-landmarks-bunny.svg"})
add("paper-dragon", PAPER, 40,
    "bench/compare.py geodome error+reference-bytes -- --recipe dragon-error --data DATA --methods sbha,fmds-hard --landmarks "
    "250,500,1000,2000 --nonzeros 20,50 --rows 50 --memory 4 -o dragon", data=("dragon_437645.ply",),
    figures={"dragon/plots/error-reference-bytes-dragon-320k.svg": "error-reference-bytes-dragon-320k.svg"})
add("paper-sparsity", PAPER, 15,
    "bench/compare.py geodome weights --list -- --recipe p-sparsity --data DATA --repeat 1 -o sparsity",
    data=("brain_mesh_7k.obj", "bunny_14290.obj", "dragon_10k.off"),
    figures={"sparsity/plots/weights-landmarks.svg": "weights-landmarks.svg"})
add("paper-stress", PAPER, 15,
    "bench/compare.py geodome stress-above,reference-bytes@800,workspace-bytes@800 -- --recipe brain-stress --data DATA --quick "
    "--landmarks 50,100,200,400,800 --rows 500 -o stress",
    data=("brain_mesh_7k.obj",), figures={"stress/plots/stress-landmarks-brain.svg": "stress-landmarks-brain.svg"})
add("paper-scaling", PAPER, 20,
    "bench/compare.py geodome cpu,reference-bytes@436846,bytes@436846 --by-vertices -- --recipe dragon-scaling --data DATA "
    "--methods exact,bha,sbha,hybrid,fmds,nystrom-truncated,lmds,pivot --landmarks 200 --rows 5 --no-stress --memory 4 "
    "--threads 1 -o scaling", data=("dragon_437645.ply", "dragon_10k.off"),
    figures={"scaling/plots/cpu-seconds-vertices.svg": "cpu-seconds-vertices.svg",
             "scaling/plots/bytes-vertices.svg": "bytes-vertices.svg"})
for name, file, rows in (("brain", "brain_mesh_7k.obj", 100), ("bunny", "bunny_14290.obj", 50)):
    add(f"paper-ctg-{name}", PAPER, 4,
        f"bench/compare.py geodome error+mean+bytes -- DATA/{file} --methods "
        "sbha,nystrom-truncated,fmds-hard,smds,hybrid,ctg,spectrometer --landmarks 100,200,400 --repeat 1 "
        f"--rows {rows} --no-stress -o {name}")
