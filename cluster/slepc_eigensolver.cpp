#include "cluster/slepc_eigensolver.h"

#include <slepceps.h>

#include <algorithm>
#include <exception>
#include <type_traits>

#include "geodome/base/error.h"

namespace geodome::cluster {

using namespace internal;

namespace {

static_assert(std::is_same_v<PetscScalar, double>, "SLEPc of real numbers in double precision is needed");

/// What the products of a shell matrix need, and what they threw.
struct Shell {
  const SharedEigensolver::Product& product;
  std::exception_ptr failure;
};

PetscErrorCode multiply(Mat matrix, Vec x, Vec y) {
  Shell* shell = nullptr;
  if (const PetscErrorCode code = MatShellGetContext(matrix, &shell)) return code;
  const PetscScalar* in = nullptr;
  PetscScalar* out = nullptr;
  if (const PetscErrorCode code = VecGetArrayRead(x, &in)) return code;
  if (const PetscErrorCode code = VecGetArray(y, &out)) return code;
  PetscErrorCode result = 0;
  try {
    shell->product(in, out);
  } catch (...) {  // not through a library of C
    shell->failure = std::current_exception();
    result = PETSC_ERR_USER;
  }
  if (const PetscErrorCode code = VecRestoreArray(y, &out)) return code;
  if (const PetscErrorCode code = VecRestoreArrayRead(x, &in)) return code;
  return result;
}

void require_done(PetscErrorCode code, const Shell& shell) {
  if (shell.failure) std::rethrow_exception(shell.failure);
  if (code != 0) throw NumericalError(text("SLEPc failed with error ", static_cast<int>(code)));
}

}  // namespace

SlepcEigensolver::SlepcEigensolver(MPI_Comm communicator) : communicator_(communicator) {
  if (SlepcInitializeNoArguments() != 0) throw Error("SLEPc cannot be initialised");
  PetscPopSignalHandler();                                  // signals are ours
  PetscPushErrorHandler(PetscIgnoreErrorHandler, nullptr);  // errors are thrown here
}

SlepcEigensolver::~SlepcEigensolver() {
  SlepcFinalize();
}

Eigen::MatrixXd SlepcEigensolver::largest(std::size_t rows, const Product& product, int count,
                                          double tolerance) const {
  Shell shell{product, nullptr};
  const auto local = static_cast<PetscInt>(rows);
  const auto done = [&](PetscErrorCode code) { require_done(code, shell); };
  Mat matrix = nullptr;
  done(MatCreateShell(communicator_, local, local, PETSC_DETERMINE, PETSC_DETERMINE, &shell, &matrix));
  done(MatShellSetOperation(matrix, MATOP_MULT, reinterpret_cast<void (*)()>(multiply)));
  EPS solver = nullptr;
  done(EPSCreate(communicator_, &solver));
  done(EPSSetOperators(solver, matrix, nullptr));
  done(EPSSetProblemType(solver, EPS_HEP));
  done(EPSSetType(solver, EPSKRYLOVSCHUR));
  done(EPSSetWhichEigenpairs(solver, EPS_LARGEST_REAL));
  done(EPSSetDimensions(solver, count, PETSC_DEFAULT, PETSC_DEFAULT));
  done(EPSSetTolerances(solver, tolerance, 300));
  done(EPSSolve(solver));
  PetscInt converged = 0;
  done(EPSGetConverged(solver, &converged));
  Eigen::MatrixXd vectors(local, std::min<PetscInt>(converged, count));
  Vec x = nullptr;
  done(MatCreateVecs(matrix, &x, nullptr));
  for (PetscInt k = 0; k < vectors.cols(); ++k) {
    done(EPSGetEigenvector(solver, k, x, nullptr));
    const PetscScalar* values = nullptr;
    done(VecGetArrayRead(x, &values));
    vectors.col(k) = Eigen::Map<const Eigen::VectorXd>(values, local);
    done(VecRestoreArrayRead(x, &values));
  }
  VecDestroy(&x);
  EPSDestroy(&solver);
  MatDestroy(&matrix);
  return vectors;
}

}  // namespace geodome::cluster
