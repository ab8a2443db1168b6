#pragma once
/// The `.geodome` file a command works on.

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "geodome/file/codecs.h"
#include "geodome/file/matrix_file.h"
#include "geodome/geodesic/factory.h"
#include "geodome/matrix/near_field.h"
#include "support/distance_output.h"

namespace geodome::cli {

struct MatrixInput {
  MatrixFile file;
  nlohmann::json recipe;  ///< an object, empty if the file does not say how it was made
  std::optional<Shape> shape;
  Numbering numbering;
};

/// Throws FileError, with a hint where the file is a shape.
MatrixInput open_matrix(const std::string& path);

/// Whether the shape is in the file and the distances were measured on it, so that it bounds them from below.
bool bounds_hold(const MatrixInput& input);

/// What no distance is below; nothing unless that holds.
LowerBound distance_bound(const MatrixInput& input);

/// What queries of the file give, of kind distance: of a form P W Pᵀ the near field, bounded by chords where
/// those count, or with `raw` the bare product; of a rival its own distances either way. `input` must outlive
/// it.
std::shared_ptr<const DistanceMatrix> make_distances(const MatrixInput& input, bool raw);

/// What JSON calls that.
std::string form_name(const MatrixInput& input, bool raw);

/// How many landmarks it stands on.
Index landmark_count(const MatrixFile& file);

/// The method the file's distances were measured by, `given` where the user brought them; empty if unknown.
std::string measured_by(const MatrixInput& input);

/// How paths run according to the file, so that the same question can be asked again: the same vertices left
/// out, the same neighbours of samples. The method is left open.
GeodesicOptions path_options(const MatrixInput& input);

/// Throws InputError, naming both digests, unless the file was made from this shape.
void require_same_shape(const MatrixInput& input, const Shape& shape, const std::string& shape_path);

}  // namespace geodome::cli
