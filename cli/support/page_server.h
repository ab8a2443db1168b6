#pragma once
/// Serves one page to browsers on this machine, and nothing else to anyone.

#include <cstdint>
#include <functional>
#include <string>

namespace geodome::cli {

/// Listens on 127.0.0.1 only. The page is at an address that cannot be guessed: other people on the same
/// machine, and pages of other origins, do not know it. At most 64 connections are open at a time. Where one
/// more comes, the one that has waited longest for its request, or else the one that has made no progress for
/// longest, is closed: slow clients do not keep others out.
class PageServer {
 public:
  /// Port 0: one that is free. Throws FileError naming the system's reason where it cannot listen.
  PageServer(std::string page, std::uint16_t port);
  ~PageServer();
  PageServer(const PageServer&) = delete;
  PageServer& operator=(const PageServer&) = delete;

  const std::string& url() const { return url_; }

  /// Answers until `go_on` returns false; it is called at least every quarter of a second, and after every
  /// signal.
  void run(const std::function<bool()>& go_on) const;

  /// The head of the answer to a request, and whether the page follows.
  struct Answer {
    std::string head;
    bool with_page = false;
  };
  /// `request` ends with an empty line. GET and HEAD of the page alone are answered with it, and only when
  /// the request names this machine as its host, once: a foreign name that leads here is refused.
  Answer answer(const std::string& request) const;

 private:
  std::string page_;
  std::string host_;  // 127.0.0.1:port
  std::string path_;
  std::string url_;
  int listener_ = -1;
};

}  // namespace geodome::cli
