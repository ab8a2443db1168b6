#include "cluster/machine.h"

#include <new>

namespace geodome::cluster {

Machine::Machine(MPI_Comm communicator) {
  int rank = 0, local_rank = 0;
  MPI_Comm_rank(communicator, &rank);
  MPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &local_);
  MPI_Comm_rank(local_, &local_rank);
  MPI_Comm_size(local_, &ranks_);
  int first = rank;
  MPI_Bcast(&first, 1, MPI_INT, 0, local_);
  has_rank_0_ = first == 0;
  void* memory = nullptr;
  MPI_Win_allocate_shared(local_rank == 0 ? sizeof(Counter) : 0, sizeof(Counter), MPI_INFO_NULL, local_,
                          &memory, &window_);
  MPI_Aint bytes = 0;
  int unit = 0;
  MPI_Win_shared_query(window_, 0, &bytes, &unit, &memory);
  failed_ = static_cast<Counter*>(memory);
  if (local_rank == 0) new (memory) Counter(0);
  MPI_Barrier(local_);
}

Machine::~Machine() {
  MPI_Win_free(&window_);
  MPI_Comm_free(&local_);
}

}  // namespace geodome::cluster
