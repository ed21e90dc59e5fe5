// A cluster is asked with TLS: its certificate must be of an authority that the machine knows.
#include <catch2/catch.hpp>
#include <string>

#include "clickhouse/program.hpp"
#include "clickhouse/servers.hpp"
#include "support/process.hpp"

using namespace fendex::test;

namespace {

/// Runs fendex where the only authority that is known is that of a certificate, as if it had been
/// installed there (samples/manual/cluster.md).
Outcome run_where_known(const std::string& certificate, const Words& words) {
    Words inside{
        "unshare",
        "-rm",
        "sh",
        "-c",
        "mount -t tmpfs none /etc/ssl/certs && cp \"$1\" /etc/ssl/certs/ca-certificates.crt"
        " || exit 99; shift; exec \"$@\"",
        "sh",
        certificate,
        FENDEX_BINARY};
    inside.insert(inside.end(), words.begin(), words.end());
    return run_process(inside);
}

}  // namespace

TEST_CASE("A cluster is pushed to and asked with TLS, if the authority is known", "[clickhouse]") {
    const TestDatabase database(kOneServer);
    if (!database.is_there()) return;
    const auto tls = database.tls();
    if (!tls) return;
    if (run_where_known(tls->certificate, {"--version"}).status != 0) {
        WARN("no file systems can be mounted here: not tested");
        return;
    }
    const TemporaryDirectory folder;
    const std::string file = folder / "games.db";
    must_run({"import", file, "--quiet", FENDEX_SAMPLES "/classics.pgn"});
    const Outcome pushed = run_where_known(tls->certificate, {"push", file, tls->url, "--quiet"});
    INFO(pushed.err);
    REQUIRE(pushed.status == 0);
    for (const Words& question : {Words{"tree", "@", "--format", "json"},
                                  Words{"games", "@", "--player", "morphy", "--format", "json"}}) {
        const Outcome expected = run(question_at(file, question));
        const Outcome outcome = run_where_known(tls->certificate, question_at(tls->url, question));
        CHECK(outcome.status == 0);
        CHECK(outcome.out == expected.out);
        // Without TLS the answer is the same.
        CHECK(run(question_at(database.url(), question)).out == expected.out);
    }
    // Here nobody knows the authority.
    const Outcome refused = run({"tree", tls->url});
    CHECK(refused.status == 2);
    CHECK(refused.out.empty());
    CHECK_THAT(refused.err, Catch::Matchers::Contains("certificate"));
    CHECK(run({"push", file, tls->url, "--quiet"}).status == 2);
}
