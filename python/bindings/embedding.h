#pragma once
/// Embeddings as Python gets them.

#include <nanobind/nanobind.h>

#include "geodome/embedding/embedding.h"

namespace geodome::python {

/// Keys: Z, component, components (a list of dictionaries).
nanobind::dict to_dict(Embedding embedding);

}  // namespace geodome::python
