#pragma once
/// How sure a ratio of two sums is when only some of the terms were looked at.

#include <cstdint>
#include <span>

#include "geodome/base/interval.h"

namespace geodome::internal {

/// The 95 % confidence interval of Σ numerator / Σ denominator over all `population` terms, from a simple
/// random sample of them without replacement [Cochran 1977, chapter 6]. Taken on the logarithm of the ratio,
/// so that it stays positive and leans the way skewed errors do. With all terms it is the ratio itself, with
/// one alone it is everything from zero to infinity. Student's t has half as many degrees of
/// freedom as for normal terms, since errors are skewed; where a few terms make up most of the sum it may
/// still be too narrow. Terms are at least zero.
Interval ratio_interval(std::span<const double> numerator, std::span<const double> denominator,
                        std::int64_t population);

/// The value that Student's t with that many degrees of freedom exceeds in magnitude in 5 % of all cases,
/// to 1 %.
double student_t_95(std::int64_t degrees_of_freedom);

}  // namespace geodome::internal
