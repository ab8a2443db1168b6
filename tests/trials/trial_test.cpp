#include "geodome/trials/trial.h"

#include <gtest/gtest.h>

#include <cmath>

#include "geodome/base/error.h"
#include "geodome/report/trial_page.h"
#include "geodome/report/trial_plots.h"

namespace geodome::internal {
namespace {

Trial trial(const std::string& shape, Index vertices, const std::string& method, Index landmarks,
            Index repeat, double error) {
  Trial one;
  one.shape = shape;
  one.vertices = vertices;
  one.method = method;
  one.landmarks = landmarks;
  one.nonzeros = method == "sbha" ? 50 : 0;
  one.repeat = repeat;
  one.relative_error = error;
  one.mean_relative_error = 10 * error;
  one.p99_relative_error = 30 * error;
  one.stress = 1000 * (1 + error);
  one.normalised_stress = 0.1 * (1 + error);
  one.bytes = 1000 * landmarks;
  one.reference_bytes = 2000 * landmarks;
  one.seconds = 0.25;
  one.stages = {{"landmark", 0.1}, {"own embedding", 0.15}};
  one.key = "0123456789abcdef";
  return one;
}

std::vector<Trial> sweep(const std::string& shape, Index vertices) {
  std::vector<Trial> trials;
  for (const char* method : {"sbha", "fmds"})
    for (const Index landmarks : {50, 100})
      for (Index repeat = 0; repeat < 3; ++repeat)
        trials.push_back(trial(shape, vertices, method, landmarks, repeat, 0.1 / landmarks * (1 + repeat)));
  return trials;
}

std::size_t count_of(const std::string& what, const std::string& in) {
  std::size_t count = 0;
  for (std::size_t at = in.find(what); at != std::string::npos; at = in.find(what, at + 1)) ++count;
  return count;
}

TEST(Trials, ComeBackFromTheirTableBitForBit) {
  std::vector<Trial> trials = sweep("a \"quoted\", name\nof two lines", 1000);
  trials[0].relative_error = 1.0 / 3;
  trials[1].stress = unmeasured;
  trials[2].reason = "needs 12 GB, \"only\" 4";
  trials[3].stages.clear();
  trials[4].bytes = std::int64_t{1} << 40;
  trials[5].cpu_seconds = 0.1;
  const std::string csv = trials_to_csv(trials);
  const std::vector<Trial> back = trials_from_csv(csv, "a table");
  ASSERT_EQ(back.size(), trials.size());
  EXPECT_EQ(trials_to_csv(back), csv);
  EXPECT_EQ(back[0].relative_error, 1.0 / 3);
  EXPECT_TRUE(std::isnan(back[1].stress));
  EXPECT_EQ(back[2].reason, trials[2].reason);
  EXPECT_EQ(back[0].shape, trials[0].shape);
  EXPECT_EQ(back[0].stages, trials[0].stages);
  EXPECT_TRUE(back[3].stages.empty());
  EXPECT_EQ(back[4].bytes, trials[4].bytes);
  EXPECT_EQ(back[5].cpu_seconds, 0.1);
  EXPECT_TRUE(trials_from_csv(trials_to_csv({}), "none").empty());
}

TEST(Trials, RefuseATableThatIsNotTheirs) {
  const std::string csv = trials_to_csv(sweep("shape", 10));
  EXPECT_THROW(trials_from_csv("a,b\n1,2\n", "other"), FileError);
  std::string bad = csv;
  bad.replace(bad.find("sbha,50"), 7, "sbha,5x");
  EXPECT_THROW(trials_from_csv(bad, "bad"), FileError);
  // Cut anywhere it is refused or gives whole lines, and never anything else.
  for (std::size_t length = 0; length < csv.size(); length += 7) {
    try {
      EXPECT_LE(trials_from_csv(csv.substr(0, length), "cut").size(), 12u);
    } catch (const FileError&) {
    }
  }
}

TEST(Trials, AreGroupedByEverythingButTheRepeat) {
  std::vector<Trial> trials = sweep("shape", 1000);
  trials[1].reason = "could not";
  const std::vector<TrialGroup> groups = group_trials(trials);
  ASSERT_EQ(groups.size(), 4u);
  EXPECT_EQ(groups[0].repeats.size(), 2u);
  EXPECT_EQ(groups[1].repeats.size(), 3u);
  const Spread spread = groups[1].spread(&Trial::relative_error);
  EXPECT_DOUBLE_EQ(spread.low, 0.001);
  EXPECT_DOUBLE_EQ(spread.median, 0.002);
  EXPECT_DOUBLE_EQ(spread.high, 0.003);
  EXPECT_EQ(groups[1].spread(&Trial::bytes).median, 100000);
}

TEST(Spread, IsTheMedianWithItsEnds) {
  const Spread even = spread_of({4, 1, unmeasured, 3, 2});
  EXPECT_EQ(even.low, 1);
  EXPECT_EQ(even.median, 2.5);
  EXPECT_EQ(even.high, 4);
  EXPECT_FALSE(spread_of({}).measured());
  EXPECT_FALSE(spread_of({unmeasured}).measured());
}

std::vector<std::string> names(const std::vector<NamedPlot>& plots) {
  std::vector<std::string> all;
  for (const NamedPlot& one : plots) all.push_back(one.name);
  return all;
}

TEST(TrialPlots, AreThoseThatShowSomething) {
  EXPECT_EQ(names(trial_plots(sweep("a", 1000))),
            (std::vector<std::string>{"error-landmarks-a", "error-bytes-a", "error-reference-bytes-a",
                                      "stress-landmarks-a", "stress-bytes-a"}));
  std::vector<Trial> sizes;
  for (const Index vertices : {1000, 4000})
    sizes.push_back(trial("a" + std::to_string(vertices), vertices, "sbha", 50, 0, 1e-3));
  sizes[0].method = "bha";
  sizes[0].large_weights = 12;
  EXPECT_EQ(names(trial_plots(sizes)),
            (std::vector<std::string>{"seconds-vertices", "bytes-vertices", "workspace-vertices",
                                      "error-vertices", "weights-landmarks"}));
  sizes[1].cpu_seconds = 2;
  EXPECT_EQ(names(trial_plots(sizes))[1], "cpu-seconds-vertices");
  EXPECT_TRUE(trial_plots({}).empty());
}

TEST(TrialPlots, ShowStressAboveThatOfExactScaling) {
  std::vector<Trial> trials = sweep("a", 1000);
  Trial exact = trial("a", 1000, "exact", 0, 0, 0);
  exact.stress = 1000;
  trials.push_back(exact);
  const std::vector<NamedPlot> plots = trial_plots(trials);
  const Plot& plot = plots[3].plot;
  EXPECT_EQ(plot.y.label, "stress above exact scaling");
  double largest = 0;
  for (const Curve& curve : plot.curves)
    for (const PlotPoint& point : curve.points)
      if (std::isfinite(point.x)) largest = std::max(largest, point.y);
  EXPECT_NEAR(largest, 0.1 / 50 * 2, 1e-12);
}

TEST(TrialPlots, TellMethodsApartByMoreThanColour) {
  const std::vector<std::string> methods = {
      "exact", "bha",   "sbha",   "nystrom", "nystrom-truncated", "fmds", "fmds-hard", "smds",
      "lmds",  "pivot", "hybrid", "ctg",     "spectrometer"};
  for (const std::string& a : methods)
    for (const std::string& b : methods)
      if (a != b) {
        EXPECT_NE(method_style(a).colour, method_style(b).colour) << a << ' ' << b;
        EXPECT_NE(method_style(a).marker, method_style(b).marker) << a << ' ' << b;
      }
  EXPECT_NE(method_style("sbha", 0).dash, method_style("sbha", 1).dash);
  EXPECT_EQ(method_title("another"), "another");
}

TEST(TrialPage, HoldsEverythingAndNeedsNothingElse) {
  TrialPage page;
  page.trials = sweep("<script>alert(1)</script>", 1000);
  page.trials[0].reason = "takes 8 GB & more";
  page.trials[1].reason = page.trials[0].reason;
  page.facts = {"a < fact"};
  page.command = "geodome compare 'a & b'";
  const std::string html = make_trial_page(page);
  EXPECT_EQ(html.find("<script"), std::string::npos);
  EXPECT_EQ(html.find("src="), std::string::npos);
  EXPECT_EQ(html.find("@import"), std::string::npos);
  EXPECT_EQ(count_of("<svg", html), 5u);
  EXPECT_EQ(count_of("takes 8 GB &amp; more", html), 1u) << "one line for both repeats";
  EXPECT_NE(html.find("a &lt; fact"), std::string::npos);
  EXPECT_NE(html.find("'a &amp; b'"), std::string::npos);
  EXPECT_NE(html.find("viewport"), std::string::npos);
  EXPECT_NE(html.find("3 runs"), std::string::npos);
  EXPECT_FALSE(make_trial_page({}).empty());
}

}  // namespace
}  // namespace geodome::internal
