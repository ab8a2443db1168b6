#pragma once
/// Distances as other programs read them. Every file is written a block of rows at a time, under a temporary
/// name, and appears complete or not at all. `distances` is of kind distance, such as what queries give
/// (near_field.h).

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "geodome/matrix/near_field.h"

namespace geodome::internal {

/// How numbers are written where the format has a choice.
enum class ExportPrecision { float32, float64 };

/// All distances, #V by #V. Cost: #V rows; `square_bytes` on disk. Throws FileError.
void export_npy(const DistanceMatrix& distances, const std::string& path,
                ExportPrecision precision = ExportPrecision::float32, const Execution& execution = {});

/// Lines of numbers with commas between them, no header; unreachable is "inf".
void export_csv(const DistanceMatrix& distances, const std::string& path, const Execution& execution = {});

/// A MAT file of level 5 with `geodist`, #V by #V, and `sqrt_area`, the square root of the area of the whole
/// surface, where there is one: what codes for shape matching divide by. Throws InputError where `geodist`
/// would take 2 GiB or more, which the format cannot hold.
void export_mat(const DistanceMatrix& distances, std::optional<double> area, const std::string& path,
                ExportPrecision precision = ExportPrecision::float32, const Execution& execution = {});

/// Bytes of #V by #V numbers.
std::int64_t square_bytes(std::int64_t size, ExportPrecision precision);
/// Bytes of the text, about.
std::int64_t csv_bytes(std::int64_t size);

/// The factors of K ≈ P W Pᵀ in Matrix Market files in a folder, which is made if it is missing: P.mtx (#V by
/// #landmarks), W.mtx (symmetric; with several components only pairs within one, all others are infinite) and
/// landmarks.mtx (vertices, from 0). Returns the paths. Each number
/// has the fewest digits that give it back.
std::vector<std::string> export_factors(const LandmarkMatrix& matrix, const std::string& folder,
                                        const Execution& execution = {});

struct BrainsmashOptions {
  /// Others kept in each row, nearest first; 0: all. BrainSMASH's `Sampled` reads its `knn`, 1,000 by
  /// default.
  Index neighbours = 1000;
};

/// What BrainSMASH's `Sampled` reads [Burt et al. 2020], in a folder that is made if it is missing:
/// distmat.npy (32-bit floats; each row sorted, itself first) and index.npy (32-bit integers: which vertex
/// each is). Unreferenced vertices have no rows and do not count: then mask.txt has a line per vertex, 1 for
/// those left out, and indices are of those kept. Throws InputError where a vertex reaches fewer others than
/// are wanted. Returns the paths.
std::vector<std::string> export_brainsmash(const DistanceMatrix& distances, const std::string& folder,
                                           const BrainsmashOptions& options = {},
                                           const Execution& execution = {});

/// Of distmat.npy and index.npy together.
std::int64_t brainsmash_bytes(std::int64_t size, const BrainsmashOptions& options = {});

}  // namespace geodome::internal
