#pragma once
/// The kinds of sections in a `.geodome` file: those that every file may have, and those of the forms P W Pᵀ.
/// The codecs of baselines define their kinds in their own files (ctg_codec.cpp, spectrometer_codec.cpp); no
/// two kinds are the same.

#include <array>

#include "geodome/file/container_format.h"

namespace geodome::internal::sections {

inline constexpr SectionKind form("FORM");      ///< text: a FileCodec's name, then "distance" or "squared"
inline constexpr SectionKind recipe("RCPE");    ///< text: JSON
inline constexpr SectionKind landmark("LAND");  ///< int32, #landmarks
inline constexpr SectionKind component_first("CFST");  ///< int32, #components + 1
inline constexpr SectionKind component("COMP");        ///< int32, #V; absent where all are in one component
inline constexpr SectionKind distances("WVAL");        ///< float32, uint16 or float64, packed triangles
inline constexpr SectionKind step("WSTP");             ///< float64, #components; absent: one
inline constexpr SectionKind spacing("SPAC");          ///< float64, #components
inline constexpr SectionKind row_begin("PBEG");        ///< uint32 or uint64, #V + 1
inline constexpr SectionKind column("PCOL");           ///< uint16 or uint32, #nonzeros
inline constexpr SectionKind weight("PVAL");           ///< float32 or int16, #nonzeros
inline constexpr SectionKind weight_step("PSTP");      ///< float64, 1; with int16 only
inline constexpr SectionKind all_weights("PALL");      ///< float32, #V by #landmarks: dense

/// uint8, #landmarks: parts of the largest error of landmark distances (landmark_error.h); optional
inline constexpr SectionKind landmark_error("WERR");

/// float64, 1: the unit of all distances of a form other than P W Pᵀ; absent: one
inline constexpr SectionKind unit("UNIT");

// The shape: optional.
inline constexpr SectionKind shape_kind("SHPK");  ///< text: kind_name
inline constexpr SectionKind points("POIN");      ///< float32 where that loses nothing, else float64; #V by 3
inline constexpr SectionKind triangles("TRIS");   ///< int32, #F by 3
inline constexpr SectionKind corners("CORN");     ///< int32: of polygons
inline constexpr SectionKind offsets("FOFF");     ///< int64, #F + 1: of polygons
inline constexpr SectionKind normals("NORM");     ///< float64, #V by 3
inline constexpr SectionKind edges("EDGE");       ///< int32, #E by 2
inline constexpr SectionKind lengths("ELEN");     ///< float64, #E
inline constexpr SectionKind samples("SAMP");     ///< float64, #V by any number
inline constexpr SectionKind labels("LABL");      ///< int64, #V

/// Weights of P are of the order of one; a million is far beyond any that a build writes.
inline constexpr double largest_weight = 1e6;
inline constexpr double longest_distance = 1e150;

/// Distances and the lengths of edges are not negative, coordinates may be.
constexpr KnownSection not_negative(SectionKind kind) {
  return {kind, 0, longest_distance};
}
constexpr KnownSection finite(SectionKind kind) {
  return {kind, -longest_distance, longest_distance};
}

inline constexpr std::array<KnownSection, 14> common = {form,
                                                        recipe,
                                                        shape_kind,
                                                        finite(points),
                                                        triangles,
                                                        corners,
                                                        offsets,
                                                        finite(normals),
                                                        edges,
                                                        not_negative(lengths),
                                                        finite(samples),
                                                        labels,
                                                        landmark_error,
                                                        not_negative(unit)};
inline constexpr std::array<KnownSection, 11> symmetric = {
    landmark,
    component_first,
    component,
    not_negative(distances),
    not_negative(step),
    not_negative(spacing),
    row_begin,
    column,
    KnownSection(weight, -largest_weight, largest_weight),
    KnownSection(weight_step, 0, 1),
    KnownSection(all_weights, -largest_weight, largest_weight)};

}  // namespace geodome::internal::sections
