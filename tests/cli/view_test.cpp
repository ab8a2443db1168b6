#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "cli/run_program.h"
#include "geodome/shape/builtin/creature.h"
#include "geodome/shape/io/npy.h"
#include "geodome/shape/io/write.h"

namespace geodome::internal {
namespace {

using namespace testing;
using Json = nlohmann::json;

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

std::size_t count(const std::string& text, const std::string& what) {
  std::size_t found = 0;
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++found;
  return found;
}

/// The page's facts, as a browser would read them: what is between the tag and the next end of a script.
Json facts_of(const std::string& page) {
  const std::string tag = "id=\"geodome-facts\">";
  const std::size_t begin = page.find(tag) + tag.size();
  return Json::parse(page.substr(begin, page.find("</script", begin) - begin));
}

class ViewCommand : public ::testing::Test {
 protected:
  ViewCommand() {
    const Creature creature = make_creature(400);
    for (const int pose : {0, 1}) {
      const std::string name = "creature" + std::to_string(pose);
      write_shape(pose_creature(creature, pose), folder_ / (name + ".ply"));
      summaries_.push_back(run_program("build '" + folder_ / (name + ".ply") + "' -o '" + file(pose) +
                                       "' --method sbha --landmarks 40 --evaluate 5 --json")
                               .output);
      folder_.write(name + ".json", summaries_.back());
    }
  }
  std::string file(int pose) const { return folder_ / ("creature" + std::to_string(pose) + ".geodome"); }
  std::string page() const { return folder_ / "page.html"; }
  std::string summary(int pose) const {
    return " --summary '" + folder_ / ("creature" + std::to_string(pose) + ".json") + "'";
  }

  const TemporaryFolder folder_;
  std::vector<std::string> summaries_;
};

TEST_F(ViewCommand, PutsEverythingIntoOnePage) {
  const ProgramResult result = run_program("view '" + file(0) + "' '" + file(1) + "' --output '" + page() +
                                           "' --json --unit mm" + summary(0) + summary(1));
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const Json said = result.json();
  EXPECT_EQ(said["file"], page());
  EXPECT_EQ(said["file_bytes"], std::filesystem::file_size(page()));
  EXPECT_EQ(said["shapes"][1]["corresponds"], true);
  EXPECT_EQ(said["shapes"][0]["error_rows"], 5);

  const std::string text = content(page());
  EXPECT_EQ(text.find("http://") == std::string::npos || text.find("src=\"http") == std::string::npos, true);
  EXPECT_NE(text.find("default-src 'none'"), std::string::npos);
  const Json facts = facts_of(text);
  EXPECT_EQ(facts["unit"], "mm");
  for (int pose : {0, 1}) {
    const Json shape = facts["shapes"][pose], built = Json::parse(summaries_[pose]);
    for (const char* key :
         {"vertices", "landmarks", "bytes", "file_bytes", "full_matrix_bytes", "measured_error"})
      EXPECT_EQ(shape["facts"][key], built[key]) << key;
    EXPECT_EQ(shape["facts"]["seconds"], built["seconds"]["total"]);
    EXPECT_EQ(shape["matrix"]["P"]["begin"]["length"], 401);
    EXPECT_EQ(shape["matrix"]["P"]["weight"]["length"], built["nonzeros"]);
    EXPECT_EQ(shape["matrix"]["W"]["length"], 40 * 41 / 2);
    EXPECT_EQ(shape["form"]["landmarks"]["length"], 3 * 40);
    EXPECT_EQ(shape["error"]["length"], 400);
  }
  EXPECT_EQ(run_program("view '" + file(0) + "' --output '" + folder_ / "again.html" + "' --quiet").output,
            "");
}

TEST_F(ViewCommand, HoldsCodedCells) {
  const std::string coded = folder_ / "coded.geodome";
  ASSERT_EQ(run_program("build '" + folder_ / "creature0.ply" + "' -o '" + coded +
                        "' --landmarks 40 --method cell --quiet")
                .exit_code,
            0);
  ASSERT_EQ(run_program("view '" + coded + "' --quiet --output '" + page() + "'").exit_code, 0);
  const Json shape = facts_of(content(page()))["shapes"][0];
  const Json& matrix = shape["matrix"];
  EXPECT_FALSE(matrix.contains("P"));
  EXPECT_EQ(matrix["vertices"]["cell"]["length"], 400);
  EXPECT_EQ(matrix["W"]["off"]["length"], 40 * 41 / 2);
  EXPECT_EQ(matrix["W"]["near"]["length"], 40);
  EXPECT_EQ(shape["positions"]["type"], "Uint16");
  EXPECT_EQ(shape["positions"]["length"], 3 * 400);
  EXPECT_EQ(shape["drawing"]["points"], "positions");
  EXPECT_GT(shape["rounding"], 0);
}

TEST_F(ViewCommand, GivenFormsAreHeldForAllVertices) {
  RowMatrix<double> Z(400, 3);
  for (int v = 0; v < 400; ++v) Z.row(v) << v % 7, v % 5, 0;
  const std::string form = folder_ / "form.npy";
  write_npy(Z, form);
  ASSERT_EQ(
      run_program("view '" + file(0) + "' --form '" + form + "' --quiet --output '" + page() + "'").exit_code,
      0);
  const Json shape = facts_of(content(page()))["shapes"][0];
  EXPECT_EQ(shape["form"]["type"], "Uint16");
  EXPECT_EQ(shape["form"]["length"], 3 * 400);
}

TEST_F(ViewCommand, EqualInputGivesEqualPages) {
  const auto made = [&](const std::string& name, const std::string& options) {
    EXPECT_EQ(
        run_program("view '" + file(0) + "' --quiet --output '" + folder_ / name + "'" + options).exit_code,
        0);
    return content(folder_ / name);
  };
  EXPECT_EQ(made("one.html", ""), made("two.html", " --threads 1"));
}

TEST_F(ViewCommand, NamesCannotInject) {
  const std::string name = "a<b>&\"quoted\"<img src=x>";
  std::filesystem::copy_file(file(0), folder_ / (name + ".geodome"));
  const std::string unit = "</script><script>alert(1)</script><!--";
  const ProgramResult result = run_program("view '" + folder_ / (name + ".geodome") + "' --quiet --output '" +
                                           page() + "' --unit '" + unit + "'");
  ASSERT_EQ(result.exit_code, 0) << result.errors;
  const std::string hostile = content(page());
  EXPECT_EQ(hostile.find("alert(1)</script"), std::string::npos);
  EXPECT_EQ(hostile.find("<img"), std::string::npos);
  EXPECT_EQ(facts_of(hostile)["unit"], unit);
  EXPECT_EQ(facts_of(hostile)["shapes"][0]["facts"]["name"], name);
  // As many elements as in a page with a harmless name.
  ASSERT_EQ(run_program("view '" + file(0) + "' --quiet --output '" + page() + "'").exit_code, 0);
  const std::string harmless = content(page());
  for (const char* what : {"<script", "</script", "<!--"})
    EXPECT_EQ(count(hostile, what), count(harmless, what)) << what;
}

TEST_F(ViewCommand, RefusesWithAReason) {
  const std::string good = "view '" + file(0) + "' --output '" + page() + "' ";
  folder_.write("short.npy", "not numbers");
  for (const std::string& arguments :
       {std::string("view"), "view '" + folder_ / "creature0.ply" + "' --output '" + page() + "'",
        "view '" + folder_ / "none.geodome" + "' --output '" + page() + "'",
        good + "--summary '" + folder_ / "creature0.ply" + "'", good + summary(0) + summary(1),
        "view '" + file(0) + "' --output '" + folder_ / "page.pdf" + "'", good + "--draw 10",
        good + "--form '" + folder_ / "short.npy" + "'"}) {
    const ProgramResult result = run_program(arguments);
    EXPECT_EQ(result.exit_code, 2) << arguments;
    EXPECT_NE(result.errors, "") << arguments;
    EXPECT_FALSE(std::filesystem::exists(page())) << arguments;
  }
}

/// The program as it serves; ended when this goes out of scope.
class Served {
 public:
  Served(const std::string& file, const std::string& said) {
    child_ = fork();
    if (child_ == 0) {
      if (std::freopen(said.c_str(), "w", stdout) == nullptr) _exit(127);
      execl(tested_program.c_str(), "geodome", "view", file.c_str(), "--json", static_cast<char*>(nullptr));
      _exit(127);
    }
    for (int tries = 0; tries < 600 && url_.empty(); ++tries) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      const Json facts = Json::parse(content(said), nullptr, false);
      if (facts.is_object()) url_ = facts["url"];
    }
  }
  ~Served() {
    if (child_ > 0) kill(child_, SIGKILL), waitpid(child_, nullptr, 0);
  }

  const std::string& url() const { return url_; }
  std::uint16_t port() const { return static_cast<std::uint16_t>(std::stoi(url_.substr(17))); }
  std::string host() const { return url_.substr(7, url_.find('/', 7) - 7); }
  std::string path() const { return url_.substr(url_.find('/', 7)); }

  /// All that is answered to `request`; empty where nobody listens at the address.
  std::string ask(const std::string& request, in_addr_t where = INADDR_LOOPBACK) const {
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port());
    address.sin_addr.s_addr = htonl(where);
    std::string answer;
    if (connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) {
      EXPECT_EQ(send(descriptor, request.data(), request.size(), 0), static_cast<ssize_t>(request.size()));
      char bytes[65536];
      for (ssize_t size; (size = recv(descriptor, bytes, sizeof bytes, 0)) > 0;)
        answer.append(bytes, static_cast<std::size_t>(size));
    }
    close(descriptor);
    return answer;
  }

  /// A connection that stays open; -1 where there is none.
  int connected() const {
    const int descriptor = socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port());
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return connect(descriptor, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0 ? descriptor : -1;
  }

  int interrupt() {
    kill(child_, SIGINT);
    int status = 0;
    waitpid(child_, &status, 0);
    child_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

 private:
  pid_t child_ = -1;
  std::string url_;
};

TEST_F(ViewCommand, ServesItsPageAloneAndOnThisMachineAlone) {
  ASSERT_EQ(run_program("view '" + file(0) + "' --quiet --output '" + page() + "'").exit_code, 0);
  Served server(file(0), folder_ / "said");
  ASSERT_EQ(server.url().rfind("http://127.0.0.1:", 0), 0u) << server.url();
  const std::string host = "\r\nHost: " + server.host() + "\r\n\r\n",
                    get = "GET " + server.path() + " HTTP/1.1";

  // A browser that connects and says nothing keeps nobody waiting.
  const int silent = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(server.port());
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  ASSERT_EQ(connect(silent, reinterpret_cast<sockaddr*>(&address), sizeof address), 0);

  const std::string answer = server.ask(get + host);
  EXPECT_EQ(answer.rfind("HTTP/1.1 200 OK\r\n", 0), 0u);
  EXPECT_EQ(answer.substr(answer.find("\r\n\r\n") + 4), content(page()));
  const std::string head = server.ask("HEAD " + server.path() + " HTTP/1.1" + host);
  EXPECT_EQ(head.rfind("HTTP/1.1 200 OK\r\n", 0), 0u);
  EXPECT_EQ(head.size(), head.find("\r\n\r\n") + 4);
  const auto refused = [&](const std::string& request, const std::string& status) {
    const std::string said = server.ask(request);
    EXPECT_EQ(said.rfind("HTTP/1.1 " + status, 0), 0u) << request << said.substr(0, 100);
    EXPECT_LT(said.size(), 1000u) << request;
  };
  refused("GET / HTTP/1.1" + host, "404");
  refused("GET /../../etc/passwd HTTP/1.1" + host, "404");
  refused("GET " + server.path() + "/../x HTTP/1.1" + host, "404");
  refused("POST " + server.path() + " HTTP/1.1" + host, "405");
  refused(get + "\r\nHost: evil.example\r\n\r\n", "403");
  refused(get + "\r\n\r\n", "403");
  refused("nonsense\r\n\r\n", "400");
  refused(get + "\r\nHost: " + server.host() + host, "400");
  refused(get + "\r\nHost: evil.example" + host, "400");
  refused(get + host.substr(0, host.size() - 2) + "host: evil.example\r\n\r\n", "400");
  EXPECT_EQ(server.ask(std::string(100000, 'x')), "");
  EXPECT_EQ(server.ask(get + host, INADDR_LOOPBACK + 1), "") << "answers on another address";
  EXPECT_EQ(server.ask(get + host).rfind("HTTP/1.1 200 OK\r\n", 0), 0u) << "still there";
  EXPECT_EQ(server.interrupt(), 130);
  close(silent);
}

TEST_F(ViewCommand, SlowBrowsersDoNotKeepOthersOut) {
  Served server(file(0), folder_ / "said");
  const std::string request = "GET " + server.path() + " HTTP/1.1\r\nHost: " + server.host() + "\r\n\r\n";
  const std::string expected = server.ask(request);
  ASSERT_EQ(expected.rfind("HTTP/1.1 200 OK\r\n", 0), 0u);
  // Some never end their request, some never read the answer.
  std::vector<int> slow;
  for (int k = 0; k < 200; ++k) {
    slow.push_back(server.connected());
    ASSERT_GE(slow.back(), 0);
    const std::string said = k % 2 == 0 ? "GET /" : request;
    ASSERT_EQ(send(slow.back(), said.data(), said.size(), MSG_NOSIGNAL), static_cast<ssize_t>(said.size()));
    if (k % 50 == 49) {
      EXPECT_EQ(server.ask(request), expected) << k;
    }
  }
  EXPECT_EQ(server.interrupt(), 130);
  for (const int descriptor : slow) close(descriptor);
}

}  // namespace
}  // namespace geodome::internal
