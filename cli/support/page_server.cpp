#include "support/page_server.h"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <list>
#include <random>
#include <sstream>
#include <utility>
#include <vector>

#include "geodome/base/error.h"

namespace geodome::cli {

using namespace internal;

namespace {

using Clock = std::chrono::steady_clock;

constexpr std::size_t longest_request = 16384;
constexpr std::size_t most_connections = 64;
constexpr auto request_time = std::chrono::seconds(10);  ///< from the connection to the end of the request
constexpr auto idle_time = std::chrono::seconds(30);     ///< of an answer without a byte taken
constexpr auto answer_time = std::chrono::minutes(10);   ///< for a whole answer

/// A browser and how far the talk with it has come.
struct Connection {
  int descriptor;
  std::string request = {};
  std::string head = {};
  bool with_page = false;
  std::size_t sent = 0;
  Clock::time_point begin = Clock::now();  ///< of the request, then of the answer
  Clock::time_point progress = begin;      ///< when a byte of the answer was taken last

  bool answering() const { return !head.empty(); }
  bool expired(Clock::time_point now) const {
    return answering() ? now - begin > answer_time || now - progress > idle_time : now - begin > request_time;
  }
};

/// Whether `a` is to be closed before `b` where there is no room.
bool goes_before(const Connection& a, const Connection& b) {
  if (a.answering() != b.answering()) return b.answering();
  return a.answering() ? a.progress < b.progress : a.begin < b.begin;
}

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

/// The values of a header, without spaces around them, as often as it occurs before the empty line.
std::vector<std::string> header(const std::string& request, const std::string& name) {
  std::istringstream lines(request.substr(0, request.find("\r\n\r\n")));
  std::vector<std::string> values;
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(':');
    if (colon == std::string::npos || lower(line.substr(0, colon)) != name) continue;
    const std::size_t begin = line.find_first_not_of(" \t", colon + 1);
    const std::size_t end = line.find_last_not_of(" \t\r");
    values.push_back(begin == std::string::npos || end < begin ? "" : line.substr(begin, end - begin + 1));
  }
  return values;
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

/// Sends what fits, up to a part of the page, so that others get their turn. False: all is sent, or the other
/// side is gone.
bool send_some(Connection& one, const std::string& page) {
  constexpr std::size_t at_once = std::size_t{1} << 20;
  const std::size_t all = one.head.size() + (one.with_page ? page.size() : 0);
  const bool in_head = one.sent < one.head.size();
  const std::string& part = in_head ? one.head : page;
  const std::size_t at = in_head ? one.sent : one.sent - one.head.size();
  const std::size_t some = std::min(at_once, part.size() - at);
  const ssize_t count = send(one.descriptor, part.data() + at, some, 0);
  if (count < 0) return errno == EAGAIN || errno == EINTR;
  one.sent += static_cast<std::size_t>(count);
  one.progress = Clock::now();
  return one.sent < all;
}

/// Goes on with a browser as far as it can without waiting. False: all is said, or the other side is gone.
bool talk(Connection& one, const PageServer& server, const std::string& page) {
  if (one.answering()) return send_some(one, page);
  if (!receive(one)) return false;
  if (one.request.find("\r\n\r\n") == std::string::npos) return true;
  PageServer::Answer answer = server.answer(one.request);
  one.head = std::move(answer.head);
  one.with_page = answer.with_page;
  one.begin = one.progress = Clock::now();
  return true;
}

/// The same socket, not waited for and not passed on to other programs; -1 where it is none.
int without_waiting(int descriptor) {
  if (descriptor < 0) return descriptor;
  fcntl(descriptor, F_SETFD, FD_CLOEXEC);
  fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK);
  return descriptor;
}

/// Takes all browsers that wait, at most as many as there may be at a time; closes others for them.
void take_browsers(int listener, std::list<Connection>& connections) {
  for (std::size_t taken = 0; taken < most_connections; ++taken) {
    const int descriptor = without_waiting(accept(listener, nullptr, nullptr));
    const bool no_room =
        descriptor < 0 ? errno == EMFILE || errno == ENFILE : connections.size() == most_connections;
    if (no_room && !connections.empty()) {
      const auto closed = std::min_element(connections.begin(), connections.end(), goes_before);
      close(closed->descriptor);
      connections.erase(closed);
    }
    if (descriptor < 0) return;
    connections.push_back({descriptor});
  }
}

}  // namespace

PageServer::PageServer(std::string page, std::uint16_t port) : page_(std::move(page)), path_("/" + secret()) {
  listener_ = without_waiting(socket(AF_INET, SOCK_STREAM, 0));
  if (listener_ < 0) fail("open a socket");
  const int yes = 1;
  setsockopt(listener_, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  socklen_t size = sizeof address;
  if (bind(listener_, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      listen(listener_, SOMAXCONN) != 0 ||
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
  const std::vector<std::string> hosts = header(request, "host");
  if (hosts.size() > 1) return {head_of("400 Bad Request", 0), false};
  const std::string host = hosts.empty() ? "" : lower(hosts.front());
  const std::string port = host_.substr(host_.find(':'));
  if (host != host_ && host != "localhost" + port) return {head_of("403 Forbidden", 0), false};
  if (method != "GET" && method != "HEAD") return {head_of("405 Method Not Allowed", 0), false};
  if (path != path_) return {head_of("404 Not Found", 0), false};
  return {head_of("200 OK", page_.size()), method == "GET"};
}

void PageServer::run(const std::function<bool()>& go_on) const {
  std::signal(SIGPIPE, SIG_IGN);  // a browser that is gone is an error of `send`
  std::list<Connection> connections;
  std::vector<pollfd> waiting;
  while (go_on()) {
    waiting.assign(1, pollfd{listener_, POLLIN, 0});
    for (const Connection& one : connections)
      waiting.push_back({one.descriptor, static_cast<short>(one.answering() ? POLLOUT : POLLIN), 0});
    if (poll(waiting.data(), waiting.size(), 250) < 0) {
      if (errno == EINTR) continue;
      fail("wait for browsers");
    }
    auto state = waiting.begin() + 1;
    for (auto one = connections.begin(); one != connections.end(); ++state) {
      const bool alive = !one->expired(Clock::now()) && (state->revents == 0 || talk(*one, *this, page_));
      if (!alive) close(one->descriptor);
      one = alive ? std::next(one) : connections.erase(one);
    }
    if (waiting.front().revents != 0) take_browsers(listener_, connections);
  }
  for (const Connection& one : connections) close(one.descriptor);
}

}  // namespace geodome::cli
