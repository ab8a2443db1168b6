#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "geodome/base/error.h"
#include "geodome/geodome.h"
#include "geodome/pipeline/recipe_match.h"
#include "geodome/shape/builtin/builtin.h"

namespace geodome::internal {
namespace {

/// Options, and a shape where it is not the usual one.
struct Request {
  std::string name;
  BuildOptions options;
  ErrorTarget target{};
  Shape shape = make_jittered_sphere(7);
};

BuildOptions options_with(const std::function<void(BuildOptions&)>& change) {
  BuildOptions options;
  options.landmarks.count = 40;
  change(options);
  return options;
}

/// No two of them build the same.
std::vector<Request> requests() {
  std::vector<Request> all;
  const auto add = [&](const char* name, const std::function<void(BuildOptions&)>& change) {
    all.push_back({name, options_with(change)});
  };
  add("plain", [](BuildOptions&) {});
  add("default landmarks", [](BuildOptions& one) { one.landmarks.count = 0; });
  add("more landmarks", [](BuildOptions& one) { one.landmarks.count = 41; });
  add("given landmarks", [](BuildOptions& one) {
    one.landmarks = {LandmarkMethod::user, 0, 0, {0, 99, 17, 250, 300, 444, 480, 32, 60, 128}};
  });
  add("other given landmarks", [](BuildOptions& one) {
    one.landmarks = {LandmarkMethod::user, 0, 0, {0, 99, 17, 250, 300, 444, 480, 32, 60, 129}};
  });
  add("random", [](BuildOptions& one) { one.landmarks.method = LandmarkMethod::random; });
  add("seed", [](BuildOptions& one) { one.seed = 7; });
  add("squared", [](BuildOptions& one) { one.kind = DistanceKind::squared; });
  add("heat", [](BuildOptions& one) { one.geodesic.method = GeodesicMethod::heat; });
  add("marching", [](BuildOptions& one) { one.geodesic.method = GeodesicMethod::fast_marching; });
  add("coarser mesh", [](BuildOptions& one) {
    one.method = Method::sbha;
    one.coarsen = 3;
  });
  add("chosen by error", [](BuildOptions& one) { one.geodesic.exact_up_to = 10; });
  add("mask", [](BuildOptions& one) {
    one.geodesic.keep.assign(static_cast<std::size_t>(make_jittered_sphere(7).points.rows()), 1);
    one.geodesic.keep[3] = 0;
  });
  add("rounding", [](BuildOptions& one) { one.rounding = 0.5; });
  add("positional", [](BuildOptions& one) { one.positional = true; });
  add("no certificate", [](BuildOptions& one) { one.certificate_rows = 0; });
  add("few rows", [](BuildOptions& one) { one.certificate_rows = 11; });
  add("all rows", [](BuildOptions& one) { one.certificate_rows = 100000; });
  add("sbha", [](BuildOptions& one) { one.method = Method::sbha; });
  add("nonzeros", [](BuildOptions& one) {
    one.method = Method::sbha;
    one.interpolation.nonzeros = 12;
  });
  add("precision", [](BuildOptions& one) {
    one.method = Method::sbha;
    one.precision = Precision::uint16;
  });
  add("bha", [](BuildOptions& one) { one.method = Method::bha; });
  add("ctg", [](BuildOptions& one) { one.method = Method::ctg; });
  add("repair", [](BuildOptions& one) {
    one.method = Method::ctg;
    one.baseline.repair = 0.25;
  });
  add("spectrometer", [](BuildOptions& one) { one.method = Method::spectrometer; });
  all.push_back({"target", options_with([](BuildOptions&) {}), {.mean_relative_error = 0.05}});
  all.push_back({"other target", options_with([](BuildOptions&) {}), {.mean_relative_error = 0.06}});
  all.push_back({"round", options_with([](BuildOptions&) {}), {}, make_sphere(7)});
  return all;
}

struct Stored {
  Request request;
  Distances distances;
};

const std::vector<Stored>& stored() {
  static const auto* const all = [] {
    auto* made = new std::vector<Stored>;
    for (Request& one : requests()) {
      const auto shared = std::make_shared<const Shape>(one.shape);
      Distances built = one.target.asked() ? build_to_target(shared, {}, one.options, one.target).distances
                                           : build(shared, {}, one.options);
      made->push_back({std::move(one), std::move(built)});
    }
    return made;
  }();
  return *all;
}

std::string difference_of(const Stored& built, const Stored& wanted) {
  return recipe_difference(built.distances.matrix(), built.distances.recipe(), wanted.request.shape,
                           wanted.request.options, wanted.request.target);
}

TEST(RecipeDifference, IsEmptyForTheSameRequestOnly) {
  for (const Stored& built : stored())
    for (const Stored& wanted : stored()) {
      const std::string &a = built.request.name, &b = wanted.request.name;
      // Where the error chose the method, the number of vertices from which it does is not told: no front end
      // has it.
      const bool same = a == b || (a == "chosen by error" && b == "plain");
      EXPECT_EQ(difference_of(built, wanted).empty(), same)
          << a << " against " << b << ": " << difference_of(built, wanted);
    }
}

TEST(RecipeDifference, NamesTheEntry) {
  const Stored& plain = stored()[0];
  const auto against = [&](const BuildOptions& options, const ErrorTarget& target = {}) {
    return recipe_difference(plain.distances.matrix(), plain.distances.recipe(), plain.request.shape, options,
                             target);
  };
  EXPECT_EQ(against(options_with([](BuildOptions& one) { one.landmarks.count = 60; })),
            "/landmarks/count is 40, not 60");
  EXPECT_EQ(against(options_with([](BuildOptions& one) { one.seed = 1; })), "/seed is 0, not 1");
  EXPECT_NE(against(options_with([](BuildOptions& one) { one.certificate_rows = 9; })).find("not on 9"),
            std::string::npos);
  EXPECT_NE(against(plain.request.options, {.relative_error = 1e-3}).find("wanted error"), std::string::npos);
}

/// What a default stands for makes the same file, stated or not.
TEST(RecipeDifference, AcceptsAStatedDefault) {
  for (const Shape& shape : {Shape(make_jittered_sphere(6)), Shape(make_plane(21, 17))}) {
    const Distances built = build(shape);
    BuildOptions stated;
    stated.landmarks.count = built.landmarks();
    stated.geodesic.method = GeodesicMethod::exact;
    EXPECT_EQ(recipe_difference(built.matrix(), built.recipe(), shape, stated), "");
    EXPECT_EQ(recipe_difference(build(shape, stated).matrix(), build(shape, stated).recipe(), shape, {}), "");
  }
}

TEST(RecipeDifference, KnowsTheDefaultOfSeveralComponents) {
  const Shape shape = make_two_spheres(18);
  BuildOptions options;
  options.certificate_rows = 0;
  const Distances built = build(shape, options);
  ASSERT_NE(built.landmarks(), default_landmark_count(std::vector<Index>{vertex_count(shape)}));
  EXPECT_EQ(recipe_difference(built.matrix(), built.recipe(), shape, options), "");
}

TEST(RecipeDifference, IsNeverEmptyWhereTheRecipeDoesNotTell) {
  const Stored& plain = stored()[0];
  const auto of = [&](const std::string& recipe) {
    return recipe_difference(plain.distances.matrix(), recipe, plain.request.shape, plain.request.options);
  };
  ASSERT_EQ(of(plain.distances.recipe()), "");
  auto older = nlohmann::json::parse(plain.distances.recipe());
  older["geodome"] = "0.0.1";
  EXPECT_NE(of(older.dump()).find("0.0.1"), std::string::npos);
  for (const char* bad :
       {"", "{}", "[]", "7", "{\"geodesic\": 3}", "{\"geodesic\": {}, \"landmarks\": {\"count\": \"x\"}}"})
    EXPECT_NE(of(bad), "") << bad;
  for (const auto& [key, value] : older.items()) {
    auto without = nlohmann::json::parse(plain.distances.recipe());
    without.erase(key);
    EXPECT_EQ(of(without.dump()).empty(), key == "landmark_error") << key;
  }
  BuildOptions given = plain.request.options;
  given.distances = "distances.npy";
  EXPECT_NE(recipe_difference(plain.distances.matrix(), plain.distances.recipe(), plain.request.shape, given),
            "");
  EXPECT_NE(recipe_difference(plain.distances.matrix(), plain.distances.recipe(), make_sphere(8),
                              plain.request.options),
            "");
}

}  // namespace
}  // namespace geodome::internal
