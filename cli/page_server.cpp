#include "page_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <list>
#include <random>
#include <sstream>
#include <utility>
#include <vector>

#include "geodome/base/error.h"

namespace geodome::cli {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_request = 16384;
constexpr std::size_t most_connections = 64;
constexpr auto patience = std::chrono::seconds(30);  ///< without a byte either way

/// A browser and how far the talk with it has come.
struct Connection {
  int descriptor;
  std::string request = {};
  std::string head = {};
  bool with_page = false;
  std::size_t sent = 0;
  Clock::time_point last = Clock::now();

  bool answering() const { return !head.empty(); }
};

[[noreturn]] void fail(const std::string& action) {
  throw FileError(text("cannot ", action, ": ", std::strerror(errno)));
}

/// 128 random bits in hexadecimal.
std::string secret() {
  std::random_device random;
  std::ostringstream digits;
  digits << std::hex;
  for (int k = 0; k < 32; ++k) digits << (random() & 15u);
  return digits.str();
}

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

/// The value of a header, without spaces around it; empty if there is none.
std::string header(const std::string& request, const std::string& name) {
  std::istringstream lines(request);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || lower(line.substr(0, colon)) != name) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    const std::size_t end = line.find_last_not_of(" \t\r");
    return begin == std::string::npos || end < begin ? "" : line.substr(begin, end - begin + 1);
  }
  return "";
}

std::string head_of(const char* status, std::size_t length) {
  return text(
      "HTTP/1.1 ", status, "\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: ", length,
      "\r\nCache-Control: no-store\r\nX-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\n"
      "Cross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n");
}

/// Reads what is there. False: the other side is gone, or sends what is no request.
bool receive(Connection& one) {
  char bytes[4096];
  const ssize_t count = recv(one.descriptor, bytes, sizeof bytes, 0);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  if (count == 0) return false;
  one.request.append(bytes, static_cast<std::size_t>(count));
  return one.request.size() <= longest_request;
}

/// Sends what fits. False: all is sent, or the other side is gone.
bool send_some(Connection& one, const std::string& page) {
  const std::size_t all = one.head.size() + (one.with_page ? page.size() : 0);
  while (one.sent < all) {
    const bool in_head = one.sent < one.head.size();
    const std::string& part = in_head ? one.head : page;
    const std::size_t at = in_head ? one.sent : one.sent - one.head.size();
    const ssize_t count = send(one.descriptor, part.data() + at, part.size() - at, MSG_NOSIGNAL);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    one.sent += static_cast<std::size_t>(count);
  }
  return false;
}

}  // namespace

PageServer::PageServer(std::string page, std::uint16_t port) : page_(std::move(page)), path_("/" + secret()) {
  listener_ = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (listener_ < 0) fail("open a socket");
  const int yes = 1;
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener_, reinterpret_cast<const sockaddr*>(&address), size) != 0 || listen(listener_, 16) != 0 ||
      getsockname(listener_, reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    const int reason = errno;
    close(listener_);
    errno = reason;
    fail(text("listen on 127.0.0.1, port ", port));
  }
  host_ = text("127.0.0.1:", ntohs(address.sin_port));
  url_ = "http://" + host_ + path_;
}

PageServer::~PageServer() {
  close(listener_);
}

PageServer::Answer PageServer::answer(const std::string& request) const {
  std::istringstream first(request.substr(0, request.find("\r\n")));
  std::string method, path, version;
  first >> method >> path >> version;
  if (version.rfind("HTTP/1.", 0) != 0) return {head_of("400 Bad Request", 0), false};
  const std::string host = lower(header(request, "host"));
  const std::string port = host_.substr(host_.find(':'));
  if (host != host_ && host != "localhost" + port) return {head_of("403 Forbidden", 0), false};
  if (method != "GET" && method != "HEAD") return {head_of("405 Method Not Allowed", 0), false};
  if (path != path_) return {head_of("404 Not Found", 0), false};
  return {head_of("200 OK", page_.size()), method == "GET"};
}

void PageServer::run(const std::function<bool()>& go_on) const {
  std::list<Connection> connections;
  std::vector<pollfd> waiting;
  while (go_on()) {
    const bool room = connections.size() < most_connections;
    waiting.assign(1, pollfd{listener_, static_cast<short>(room ? POLLIN : 0), 0});
    for (const Connection& one : connections)
      waiting.push_back({one.descriptor, static_cast<short>(one.answering() ? POLLOUT : POLLIN), 0});
    if (poll(waiting.data(), waiting.size(), 250) < 0) {
      if (errno == EINTR) continue;
      fail("wait for browsers");
    }
    auto state = waiting.begin() + 1;
    for (auto one = connections.begin(); one != connections.end(); ++state) {
      bool alive = Clock::now() - one->last < patience;
      if (alive && state->revents != 0) {
        one->last = Clock::now();
        alive = one->answering() ? send_some(*one, page_) : receive(*one);
        if (alive && !one->answering() && one->request.find("\r\n\r\n") != std::string::npos)
          std::tie(one->head, one->with_page) = [&] {
            Answer whole = answer(one->request);
            return std::pair(std::move(whole.head), whole.with_page);
          }();
      }
      if (!alive) close(one->descriptor);
      one = alive ? std::next(one) : connections.erase(one);
    }
    if (waiting.front().revents != 0) {
      const int descriptor = accept4(listener_, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
      if (descriptor >= 0) connections.push_back({descriptor});
    }
  }
  for (const Connection& one : connections) close(one.descriptor);
}

}  // namespace geodome::cli
