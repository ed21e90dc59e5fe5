// A connection whose server is a function in this process.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include "clickhouse/client/connection.hpp"
#include "clickhouse/client/transport.hpp"
#include "clickhouse/schema.hpp"
#include "clickhouse/stored_rows.hpp"

namespace fendex::test {

class FakeTransport final : public clickhouse::Transport {
  public:
    /// Returns the bytes that answer a statement.
    using Answer = std::function<std::string(std::string_view sql)>;

    explicit FakeTransport(Answer answer) : answer_(std::move(answer)) {
        outcome_.status = 200;
        outcome_.is_clickhouse = true;
    }

    void begin(Request request, Limits /*limits*/) override {
        std::string_view sql = request.body;
        for (const Part& part : request.parts) {
            if (part.name == "query") sql = part.bytes;
        }
        rest_ = request.streams_body ? std::string() : answer_(sql);
    }
    bool receive(std::string& bytes) override {
        bytes += rest_;
        return !std::exchange(rest_, {}).empty();
    }
    bool send(std::string_view /*bytes*/) override { return true; }
    void end_body() override {}
    [[nodiscard]] const Outcome& outcome() const noexcept override { return outcome_; }
    void abort() noexcept override { rest_.clear(); }

  private:
    Answer answer_;
    std::string rest_;
    Outcome outcome_;
};

/// The answer to the question for the tables of a database.
inline std::string rows_of_tables() {
    clickhouse::RowWriter rows;
    for (const clickhouse::Table& table : clickhouse::tables()) {
        for (const clickhouse::Column& column : table.columns) {
            rows.string(table.name);
            rows.string(column.name);
            rows.string(column.type);
        }
    }
    return rows.bytes();
}

/// Returns a connection to a server (of 2018, if no version is given) that has fendex's tables on
/// one server; `answer` answers what is asked about their rows. Its URL is
/// clickhouse://fake:1/chess.
inline clickhouse::Connection connect_to_fake(FakeTransport::Answer answer,
                                              const std::string& version = "18.16.1") {
    clickhouse::RowWriter row;
    row.string(version);
    auto all = [answer = std::move(answer),
                version_row = row.bytes()](std::string_view sql) -> std::string {
        if (sql.starts_with("SELECT version()")) return version_row;
        if (sql.find("FROM system.columns") != sql.npos) return rows_of_tables();
        return answer(sql);
    };
    return {clickhouse::parse_url("clickhouse://fake:1/chess"), "",
            std::make_unique<FakeTransport>(std::move(all))};
}

/// The answer to the question for the complete pushes: one with so many games and no postings, and
/// one with so many records of positions.
inline std::string rows_of_push(std::uint64_t games, std::uint64_t records = 0) {
    clickhouse::RowWriter row;
    const auto list = [&](std::uint8_t number, std::uint32_t push, std::uint32_t format,
                          std::uint64_t last, std::uint64_t counted,
                          const std::vector<std::uint64_t>& rows) {
        row.u8(number);
        row.u32(push);
        row.u32(format);
        row.u64(format);
        row.u64(last);
        row.u8(0);
        row.u64(0);
        row.u64(counted);
        for (int i = 0; i < 8; ++i) row.u64(0);
        row.size(rows.size());
        for (const std::uint64_t each : rows) row.u64(each);
        row.size(0);
        row.u8(number == 0 && push == 2 ? 1 : 0);
    };
    std::vector<std::uint64_t> stored(clickhouse::counted_tables().size());
    stored[clickhouse::counted_table("game")] = games;
    list(0, 1, 1, games, games, stored);
    list(1, 1, 0, 0, 0, {games});
    if (records == 0) return row.bytes();
    const std::size_t table = clickhouse::counted_table(clickhouse::kRecords);
    stored = std::vector<std::uint64_t>(stored.size());
    stored[table] = records;
    list(0, 2, 1, 0, 0, stored);
    list(static_cast<std::uint8_t>(table + 1), 2, 0, 0, 0, {records});
    return row.bytes();
}

}  // namespace fendex::test
