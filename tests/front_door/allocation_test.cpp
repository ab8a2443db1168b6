/// Opening a file and asking one distance takes no memory in proportion to the number of vertices.

#include <gtest/gtest.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "front_door/front_door_cases.h"
#include "temporary_folder.h"

namespace {

/// Bytes allocated since the program started.
std::atomic<std::int64_t> allocated{0};

void* counted(void* memory, std::size_t bytes) {
  if (memory == nullptr) throw std::bad_alloc();
  allocated += static_cast<std::int64_t>(bytes);
  return memory;
}

}  // namespace

#ifdef GEODOME_WRAPPED_MALLOC
// Eigen calls malloc directly: the linker replaces its calls by these (--wrap).
extern "C" {
void* __real_malloc(std::size_t bytes);
void* __real_calloc(std::size_t count, std::size_t bytes);
void* __real_realloc(void* memory, std::size_t bytes);
void* __wrap_malloc(std::size_t bytes) {
  allocated += static_cast<std::int64_t>(bytes);
  return __real_malloc(bytes);
}
void* __wrap_calloc(std::size_t count, std::size_t bytes) {
  allocated += static_cast<std::int64_t>(count * bytes);
  return __real_calloc(count, bytes);
}
void* __wrap_realloc(void* memory, std::size_t bytes) {
  allocated += static_cast<std::int64_t>(bytes);
  return __real_realloc(memory, bytes);
}
}
#endif

// Out of line, or the compiler sees one half of a pair without the other.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  return counted(std::malloc(bytes > 0 ? bytes : 1), bytes);
}
[[gnu::noinline]] void* operator new(std::size_t bytes, std::align_val_t alignment) {
  const auto step = static_cast<std::size_t>(alignment);
  return counted(std::aligned_alloc(step, (bytes + step) / step * step), bytes);
}
// std::stable_sort allocates its buffer with nothrow new; sanitizers require matching new and delete.
[[gnu::noinline]] void* operator new(std::size_t bytes, const std::nothrow_t&) noexcept {
  void* const memory = std::malloc(bytes > 0 ? bytes : 1);
  if (memory != nullptr) allocated += static_cast<std::int64_t>(bytes);
  return memory;
}
[[gnu::noinline]] void operator delete(void* memory, const std::nothrow_t&) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::align_val_t) noexcept {
  std::free(memory);
}
[[gnu::noinline]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  std::free(memory);
}

namespace geodome::internal {
namespace {

using testing::TemporaryFolder;

template <typename Work>
std::int64_t bytes_allocated(const Work& work) {
  const std::int64_t before = allocated;
  work();
  return allocated - before;
}

TEST(Allocation, IsCounted) {
  EXPECT_GE(bytes_allocated([] { EXPECT_EQ(std::vector<char>(100000).back(), 0); }), 100000);
#ifdef GEODOME_WRAPPED_MALLOC
  EXPECT_GE(bytes_allocated([] { EXPECT_EQ(Vector::Zero(50000).eval()[7], 0); }), 400000);
#endif
}

BuildOptions quick(Method method) {
  BuildOptions options = options_of(method, 30);
  options.interpolation.nonzeros = 8;
  options.baseline.eigenvectors = 8;
  if (method != Method::ctg) options.geodesic.method = GeodesicMethod::graph;
  return options;
}

/// Opens a file and queries one distance.
std::int64_t bytes_of_one_distance(const std::string& path, bool raw) {
  return bytes_allocated([&] {
    const Distances opened = open(path);
    const Distances asked = raw ? opened.with(QueryMode::raw) : opened;
    EXPECT_GT(asked.distance(17, asked.size() - 3), 0);
  });
}

void expect_no_more_for_many_vertices(const Shape& few, const Shape& many, Method method) {
  const TemporaryFolder folder;
  build(few, quick(method)).save(folder / "few");
  build(many, quick(method)).save(folder / "many");
  for (const bool raw : {false, true}) {
    bytes_of_one_distance(folder / "few", raw);  // whatever is allocated once
    const std::int64_t small = bytes_of_one_distance(folder / "few", raw);
    const std::int64_t large = bytes_of_one_distance(folder / "many", raw);
    const Index more = vertex_count(many) - vertex_count(few);
    // Blocks of 64 kB have a flag each.
    EXPECT_LT(large - small, more / 8) << method_name(method) << (raw ? " raw" : "") << ' ' << small;
  }
}

TEST(Allocation, DoesNotGrowWithVertices) {
  for (const Method method : stored_methods)
    expect_no_more_for_many_vertices(make_plane(50, 40), make_plane(200, 200), method);
}

TEST(Allocation, DoesNotGrowWithVerticesOfAGraph) {
  expect_no_more_for_many_vertices(make_grid_graph(50, 40), make_grid_graph(200, 200), Method::sbha);
}

}  // namespace
}  // namespace geodome::internal
