#pragma once
/// The largest eigenvectors of an operator that ranks share, by the Krylov-Schur method of SLEPc
/// [Stewart 2002; Hernandez et al. 2005].

#include <mpi.h>

#include "geodome/base/team.h"

namespace geodome::cluster {

/// One per program, while MPI is running.
class SlepcEigensolver final : public internal::SharedEigensolver {
 public:
  explicit SlepcEigensolver(MPI_Comm communicator);
  ~SlepcEigensolver() override;
  SlepcEigensolver(const SlepcEigensolver&) = delete;
  SlepcEigensolver& operator=(const SlepcEigensolver&) = delete;

  Eigen::MatrixXd largest(std::size_t rows, const Product& product, int count,
                          double tolerance) const override;

 private:
  MPI_Comm communicator_;
};

}  // namespace geodome::cluster
