#include "geodome/file/codec.h"

#include <utility>
#include <vector>

namespace geodome::internal {
namespace {

/// Lets the container check what lies in its sections.
class SectionCheck : public StorageCheck {
 public:
  explicit SectionCheck(const Container& file) {
    for (const Section& section : file.sections())
      ranges_.push_back({section.verified(0, 0).data(), &section});
  }

  void verify(const void* begin, std::size_t bytes) const override {
    const auto* at = static_cast<const std::byte*>(begin);
    for (const Range& range : ranges_)
      if (at >= range.begin && at < range.begin + range.section->bytes()) {
        range.section->verified(static_cast<std::uint64_t>(at - range.begin), bytes);
        return;
      }
  }

 private:
  struct Range {
    const std::byte* begin;
    const Section* section;
  };
  std::vector<Range> ranges_;
};

}  // namespace

StoredArrays::StoredArrays(std::shared_ptr<const Container> file)
    : file_(std::move(file)), check_(std::make_unique<SectionCheck>(*file_)) {}

}  // namespace geodome::internal
