// Distances from one vertex of a sphere to all others, with an installed geodome.
#include <geodome/geodesic/factory.h>
#include <geodome/shape/builtin/builtin.h>

#include <iostream>

int main() {
  const geodome::Shape sphere = geodome::make_sphere(10);
  const auto solver = geodome::make_solver(sphere);
  const geodome::Index source = 0;
  geodome::RowMatrix<double> distances(1, solver->size());
  solver->distances({&source, 1}, distances);
  std::cout << "farthest point of the unit sphere: " << distances.maxCoeff() << '\n';
}
