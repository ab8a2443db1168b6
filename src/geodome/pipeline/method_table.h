#pragma once
/// The table of methods: adding one is adding a row (method_table.cpp) and a file in methods/.

#include <memory>

#include "geodome/matrix/distance_matrix.h"
#include "geodome/pipeline/methods.h"
#include "geodome/pipeline/plan.h"

namespace geodome::internal {

class MethodRun;

struct MethodRow {
  Named<Method> name;
  MethodTraits traits;
  /// Builds the matrix, in the unit of the prepared shape.
  std::shared_ptr<const DistanceMatrix> (*build)(MethodRun& run);
  /// Replaces the sizes and stages of a plan made for sbha; nullptr where the cost cannot be estimated.
  void (*plan)(BuildPlan& plan, const BuildOptions& options, int threads);
};

const MethodRow& row_of(Method method);

// In methods/, one file each.
std::shared_ptr<const DistanceMatrix> build_exact(MethodRun& run);
std::shared_ptr<const DistanceMatrix> build_bha(MethodRun& run);
std::shared_ptr<const DistanceMatrix> build_sbha(MethodRun& run);
std::shared_ptr<const DistanceMatrix> build_cell(MethodRun& run);
std::shared_ptr<const DistanceMatrix> build_nystrom(MethodRun& run);
std::shared_ptr<const DistanceMatrix> build_fmds(MethodRun& run);
std::shared_ptr<const DistanceMatrix> build_smds(MethodRun& run);
std::shared_ptr<const DistanceMatrix> build_landmark_mds(MethodRun& run);
std::shared_ptr<const DistanceMatrix> build_hybrid(MethodRun& run);
std::shared_ptr<const DistanceMatrix> build_ctg(MethodRun& run);
std::shared_ptr<const DistanceMatrix> build_spectrometer(MethodRun& run);

void plan_landmark_matrix(BuildPlan& plan, const BuildOptions& options, int threads);
void plan_cell(BuildPlan& plan, const BuildOptions& options, int threads);
void plan_ctg(BuildPlan& plan, const BuildOptions& options, int threads);
void plan_spectrometer(BuildPlan& plan, const BuildOptions& options, int threads);

}  // namespace geodome::internal
