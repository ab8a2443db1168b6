// All distances of a shape with an installed geodome: build, query, save and open again.
#include <geodome/geodome.h>
#include <geodome/shape/builtin/builtin.h>

#include <cstdio>
#include <iostream>

int main() {
  // Any file that read_shape accepts; here a sphere that is written first.
  geodome::write_shape(geodome::make_sphere(10), "sphere.ply");
  const auto sphere = geodome::build(geodome::read_shape("sphere.ply"), {.landmarks = 200});

  const double d = sphere.distance(7, 42);
  const geodome::Vector row = sphere.row(7);
  const auto nearest = sphere.nearest(7, 10);
  const auto within = sphere.within(7, 0.5);
  const geodome::RowMatrix<double> sums = sphere.apply(geodome::RowMatrix<double>::Ones(sphere.size(), 1));
  const geodome::Embedding form = sphere.embed(3);
  const geodome::Evaluation evaluation = sphere.evaluate(20);
  sphere.save("sphere.geodome");

  const auto again = geodome::open("sphere.geodome");  // any method a file can hold
  const bool same = again.distance(7, 42) == d && again.row(7) == row;

  // Errors name the value, the bound and what to do.
  int errors = 0;
  try {
    sphere.distance(0, sphere.size());
  } catch (const geodome::InputError& error) {
    errors += std::string(error.what()).find("out of range") != std::string::npos;
  }
  try {
    geodome::open("missing.geodome");
  } catch (const geodome::FileError&) {
    ++errors;
  }
  std::remove("sphere.ply");
  std::remove("sphere.geodome");

  const bool sound = same && errors == 2 && nearest.size() == 10 && !within.empty() &&
                     sums.rows() == sphere.size() && form.Z.cols() == 3 &&
                     evaluation.error.mean_relative_error < 0.05;
  std::cout << "distance between the poles of the unit sphere: " << row.maxCoeff() << '\n';
  return sound ? 0 : 1;
}
