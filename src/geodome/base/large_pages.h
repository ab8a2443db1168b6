#pragma once
/// Memory that is read all over the place.

#include <cstddef>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "geodome/base/platform.h"

namespace geodome::internal {

/// Asks the system to put large blocks on large pages: a march over a mesh jumps between addresses so far
/// apart that looking up small pages takes a tenth of its time.
template <typename T>
struct LargePages {
  using value_type = T;
  static constexpr std::size_t page = std::size_t{1} << 21;

  LargePages() = default;
  template <typename U>
  LargePages(const LargePages<U>&) {}

  T* allocate(std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    if (bytes < page) return static_cast<T*>(::operator new (bytes, std::align_val_t{64}));
    const std::size_t rounded = (bytes + page - 1) / page * page;
    void* memory = ::operator new (rounded, std::align_val_t{page});
    prefer_large_pages(memory, rounded);
    return static_cast<T*>(memory);
  }

  void deallocate(T* memory, std::size_t count) {
    const std::size_t bytes = count * sizeof(T);
    ::operator delete (memory, std::align_val_t{bytes < page ? std::size_t{64} : page});
  }

  friend bool operator==(const LargePages&, const LargePages&) { return true; }
};

template <typename T>
using LargeVector = std::vector<T, LargePages<T>>;

/// The same with an allocator that leaves elements of types without a constructor as they are: then the
/// threads that write them are those that first touch, and so clear, the memory.
template <template <typename> typename Allocator, typename T>
struct Untouched : Allocator<T> {
  template <typename U>
  struct rebind {  // NOLINT(readability-identifier-naming): the name that the standard expects
    using other = Untouched<Allocator, U>;
  };

  Untouched() = default;
  template <typename U>
  Untouched(const Untouched<Allocator, U>&) {}

  template <typename U>
  void construct(U* element) {
    ::new (static_cast<void*>(element)) U;
  }
  template <typename U, typename... Arguments>
  void construct(U* element, Arguments&&... arguments) {
    ::new (static_cast<void*>(element)) U(std::forward<Arguments>(arguments)...);
  }
};

template <typename T>
using UntouchedLargeVector = std::vector<T, Untouched<LargePages, T>>;

/// On ordinary pages, for what is read from one end to the other: to find large ones may take the system
/// longer than to fill them.
template <typename T>
using UntouchedVector = std::vector<T, Untouched<std::allocator, T>>;

}  // namespace geodome::internal
