// Distances from one vertex of a sphere to all others, with an installed geodome.
#include <geodome/geodome.h>
#include <geodome/shape/builtin/builtin.h>

#include <iostream>

int main() {
  const auto sphere = geodome::build(geodome::make_sphere(10), {.method = geodome::Method::exact});
  std::cout << "farthest point of the unit sphere: " << sphere.row(0).maxCoeff() << '\n';
}
