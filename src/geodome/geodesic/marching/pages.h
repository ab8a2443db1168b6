#pragma once
/// Fans and stars: what belongs to a vertex is on page v, and where that is full on further pages, which come
/// after those of all vertices. Blocks of vertices are filled by different threads; the further pages of a
/// block come after those of the blocks before it, so that numbers do not depend on threads.

#include <algorithm>
#include <cstdint>
#include <vector>

#include "geodome/base/large_pages.h"
#include "geodome/base/types.h"

namespace geodome::internal {

/// How many vertices a block has: enough that few chords end in another one.
inline constexpr Index vertices_per_stencil_block = 1 << 14;

inline Index block_count(Index vertices) {
  return static_cast<Index>((std::int64_t{vertices} + vertices_per_stencil_block - 1) /
                            vertices_per_stencil_block);
}

/// The pages of one block while they are filled.
template <typename Page>
class PageBlock {
 public:
  PageBlock(UntouchedLargeVector<Page>& pages, Index vertices) : pages_(pages.data()), vertices_(vertices) {}

  Page& operator[](Index page) { return page < vertices_ ? pages_[page] : further_[page - vertices_]; }

  /// A further page after the last one of a vertex, which it returns; its contents are arbitrary.
  Index add_after(Index last) {
    const Index added = vertices_ + static_cast<Index>(further_.size());
    (*this)[last].next = added;
    before_.push_back(last);
    further_.emplace_back();
    return added;
  }

  Index further() const { return static_cast<Index>(further_.size()); }

  /// Puts the further pages where they belong, from page `first` on.
  void place(UntouchedLargeVector<Page>& pages, Index first) const {
    const auto number = [&](Index page) { return page < vertices_ ? page : page - vertices_ + first; };
    for (Index k = 0; k < further(); ++k) {
      pages[first + k] = further_[k];
      pages[number(before_[k])].next = first + k;  // the one before it has been copied already
    }
  }

 private:
  Page* pages_;
  Index vertices_;
  std::vector<Page> further_;
  std::vector<Index> before_;  ///< of each further page
};

/// Room for a page of each vertex, and for some more: they are then not moved.
template <typename Page>
UntouchedLargeVector<Page> make_pages(Index vertices) {
  UntouchedLargeVector<Page> pages;
  pages.reserve(static_cast<std::size_t>(vertices) + static_cast<std::size_t>(vertices) / 8);
  pages.resize(static_cast<std::size_t>(vertices));
  return pages;
}

/// Appends the further pages of all blocks.
template <typename Page>
void join(UntouchedLargeVector<Page>& pages, const std::vector<PageBlock<Page>>& blocks) {
  auto first = static_cast<Index>(pages.size());
  std::size_t all = pages.size();
  for (const PageBlock<Page>& block : blocks) all += static_cast<std::size_t>(block.further());
  pages.resize(all);
  for (const PageBlock<Page>& block : blocks) {
    block.place(pages, first);
    first += block.further();
  }
}

}  // namespace geodome::internal
