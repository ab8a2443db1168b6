#include "geodome/shape/io/parse/input_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

#include "geodome/base/error.h"
#include "geodome/base/platform.h"

namespace geodome::internal {
namespace {

constexpr std::size_t free_unpacked_size = std::size_t{64} << 20;
constexpr std::size_t largest_unpacking_ratio = 200;

class Descriptor {
 public:
  explicit Descriptor(const std::string& path) : value_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int value() const { return value_; }

 private:
  int value_;
};

[[noreturn]] void fail_to_read(const std::string& path) {
  throw FileError(text("cannot read '", path, "': ", std::generic_category().message(errno)));
}

/// Reads to the end rather than to the size the system reports, so that pipes work too.
std::string read_bytes(const std::string& path) {
  const Descriptor file(path);
  struct stat status {};
  if (file.value() < 0 || ::fstat(file.value(), &status) != 0) fail_to_read(path);
  if (S_ISDIR(status.st_mode)) throw FileError(text("cannot read '", path, "': it is a folder"));
  const bool device = S_ISBLK(status.st_mode) || (S_ISCHR(status.st_mode) && ::isatty(file.value()) == 0);
  if (device) throw FileError(text("cannot read '", path, "': it is a device; use a file or a pipe"));
  const std::int64_t memory = machine_memory();
  if (memory > 0 && status.st_size > memory)
    throw FileError(text("cannot read '", path, "': it has ", status.st_size,
                         " bytes, more than the memory of this machine (", memory, " bytes)"));

  std::string bytes;
  // One byte more than expected: the read that finds the end then needs no growth.
  bytes.resize(static_cast<std::size_t>(std::max<off_t>(status.st_size, 0)) + 1);
  std::size_t used = 0;
  while (true) {
    if (used == bytes.size()) bytes.resize(std::max<std::size_t>(2 * bytes.size(), 1 << 16));
    const ssize_t got = ::read(file.value(), bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail_to_read(path);
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  bytes.resize(used);
  return bytes;
}

bool begins_as_gzip(std::string_view bytes) {
  return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b';
}

/// Unpacks one gzip member after the other, as the format allows them to be joined.
class Unpacker {
 public:
  Unpacker(std::string_view packed, const std::string& path)
      : packed_(packed),
        path_(path),
        limit_(std::max(free_unpacked_size, largest_unpacking_ratio * packed.size())) {
    constexpr int gzip_only = 16 + MAX_WBITS;
    if (inflateInit2(&stream_, gzip_only) != Z_OK) fail("cannot be unpacked: not enough memory");
  }
  ~Unpacker() { inflateEnd(&stream_); }
  Unpacker(const Unpacker&) = delete;
  Unpacker& operator=(const Unpacker&) = delete;

  std::string unpack() {
    std::string out(std::min(limit_, 4 * packed_.size() + 1024), '\0');
    while (true) {
      const int result = step(out);
      if (result == Z_STREAM_END) {
        if (!next_member()) break;
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        fail("contains damaged gzip data");
      } else if (used_ < out.size() && read_ == packed_.size()) {
        fail("is a gzip file that ends early");
      } else if (used_ == out.size()) {
        if (used_ >= limit_)
          fail(text("unpacks to more than ", limit_, " bytes, too many for its packed size of ",
                    packed_.size()));
        out.resize(std::min(limit_, 2 * out.size()));
      }
    }
    out.resize(used_);
    return out;
  }

 private:
  int step(std::string& out) {
    constexpr std::size_t most = std::size_t{1} << 30;  // zlib counts in 32 bits
    const std::size_t in_size = std::min(most, packed_.size() - read_);
    const std::size_t out_size = std::min(most, out.size() - used_);
    stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed_.data() + read_));
    stream_.avail_in = static_cast<uInt>(in_size);
    stream_.next_out = reinterpret_cast<Bytef*>(out.data() + used_);
    stream_.avail_out = static_cast<uInt>(out_size);
    const int result = inflate(&stream_, Z_NO_FLUSH);
    read_ += in_size - stream_.avail_in;
    used_ += out_size - stream_.avail_out;
    return result;
  }

  /// True if another member follows. Tapes and some tools pad the end with zeros.
  bool next_member() {
    const std::string_view rest = packed_.substr(read_);
    if (rest.find_first_not_of('\0') == std::string_view::npos) return false;
    if (!begins_as_gzip(rest)) fail(text("has ", rest.size(), " stray bytes after its gzip data"));
    inflateReset(&stream_);
    return true;
  }

  [[noreturn]] void fail(const std::string& cause) const { throw FileError(text("'", path_, "' ", cause)); }

  std::string_view packed_;
  const std::string& path_;
  std::size_t limit_;
  z_stream stream_{};
  std::size_t read_ = 0;
  std::size_t used_ = 0;
};

}  // namespace

std::string file_extension(std::string_view path) {
  auto lower = [](std::string extension) {
    if (!extension.empty()) extension.erase(0, 1);
    for (char& letter : extension)
      if (letter >= 'A' && letter <= 'Z') letter = static_cast<char>(letter - 'A' + 'a');
    return extension;
  };
  std::filesystem::path name = std::filesystem::path(path).filename();
  if (lower(name.extension().string()) == "gz") name = name.stem();
  return lower(name.extension().string());
}

InputFile load_bytes(std::string bytes, const std::string& path) {
  if (begins_as_gzip(bytes)) bytes = Unpacker(bytes, path).unpack();
  return {path, file_extension(path), std::move(bytes)};
}

InputFile load_file(const std::string& path) {
  return load_bytes(read_bytes(path), path);
}

}  // namespace geodome::internal
