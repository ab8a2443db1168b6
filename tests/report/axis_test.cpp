#include "geodome/report/axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "geodome/base/error.h"

namespace geodome::internal {
namespace {

std::size_t labelled(const Axis& axis) {
  std::size_t count = 0;
  for (const Tick& tick : axis.ticks) count += !tick.label.empty();
  return count;
}

TEST(Axis, HoldsItsValuesAndHasReadableTicksAtEveryRange) {
  for (const bool logarithmic : {true, false})
    for (const double least : {1e-12, 3e-5, 1.0, 7.3, 2e9})
      for (const double factor : {1.0, 1.001, 1.2, 2.0, 4.0, 30.0, 1e3, 1e7, 1e15}) {
        const Axis axis = make_axis(least, least * factor, Unit::number, logarithmic);
        SCOPED_TRACE(::testing::Message()
                     << least << " times " << factor << (logarithmic ? " log" : " linear"));
        EXPECT_GT(axis.place(least), 0);
        EXPECT_LT(axis.place(least * factor), 1);
        EXPECT_LE(axis.place(least), axis.place(least * factor));
        EXPECT_GE(labelled(axis), 2u);
        EXPECT_LE(labelled(axis), 11u);
        for (std::size_t k = 0; k < axis.ticks.size(); ++k) {
          EXPECT_GE(axis.place(axis.ticks[k].value), -1e-12);
          EXPECT_LE(axis.place(axis.ticks[k].value), 1 + 1e-12);
          if (k > 0) {
            EXPECT_LT(axis.ticks[k - 1].value, axis.ticks[k].value);
          }
        }
      }
}

TEST(Axis, SpacesDecadesEvenly) {
  const Axis axis = make_axis(1e-6, 1e-2, Unit::number);
  EXPECT_NEAR(axis.place(1e-3) - axis.place(1e-4), axis.place(1e-4) - axis.place(1e-5), 1e-12);
  EXPECT_EQ(labelled(axis), 5u);
  EXPECT_GT(axis.ticks.size(), 30u);
}

TEST(Axis, RefusesWhatHasNoPlace) {
  EXPECT_THROW(make_axis(0, 1, Unit::number), InputError);
  EXPECT_THROW(make_axis(-1, 1, Unit::number), InputError);
  EXPECT_THROW(make_axis(2, 1, Unit::number, false), InputError);
  EXPECT_THROW(make_axis(1, std::numeric_limits<double>::infinity(), Unit::number, false), InputError);
  EXPECT_THROW(make_axis(std::nan(""), 1, Unit::number, false), InputError);
  EXPECT_NO_THROW(make_axis(0, 0, Unit::number, false));
}

TEST(Quantity, IsWrittenAsPeopleReadIt) {
  EXPECT_EQ(format_quantity(1e-4, Unit::number), "10⁻⁴");
  EXPECT_EQ(format_quantity(2.5e-13, Unit::number), "2.5·10⁻¹³");
  EXPECT_EQ(format_quantity(0.25, Unit::number), "0.25");
  EXPECT_EQ(format_quantity(9.9999e-5, Unit::number), "10⁻⁴");
  EXPECT_EQ(format_quantity(0, Unit::number), "0");
  EXPECT_EQ(format_quantity(0.025, Unit::percent), "2.5 %");
  EXPECT_EQ(format_quantity(10, Unit::percent), "1000 %");
  EXPECT_EQ(format_quantity(1234.4, Unit::seconds), "1234 s");
  EXPECT_EQ(format_quantity(2000, Unit::number), "2000");
  EXPECT_EQ(format_quantity(2e7, Unit::bytes), "20 MB");
  EXPECT_EQ(format_quantity(999.9, Unit::bytes), "1 kB");
  EXPECT_EQ(format_quantity(437645, Unit::count), "438k");
  EXPECT_EQ(format_quantity(50, Unit::count), "50");
  EXPECT_EQ(format_quantity(0.1, Unit::seconds), "0.1 s");
}

}  // namespace
}  // namespace geodome::internal
