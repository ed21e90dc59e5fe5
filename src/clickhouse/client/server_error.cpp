#include "clickhouse/client/server_error.hpp"

#include <charconv>

#include "base/printable.hpp"

namespace fendex::clickhouse {
namespace {

using store::StoreError;

struct Meaning {
    StoreError::Kind kind;
    std::string_view what;
    std::string_view advice;
    bool with_text = true;  // append the server's text
};

constexpr Meaning kUserRefused{
    StoreError::kOther, "the server refuses the user or the password",
    "name the user in the URL (clickhouse://user@host/database), and give the password with "
    "--password-file or in $CLICKHOUSE_PASSWORD",
    false};
constexpr Meaning kAltered{StoreError::kDamaged, "the tables are not as fendex made them",
                           "restore what was altered, or push into another database"};
constexpr Meaning kAway{StoreError::kUnreachable,
                        "the server cannot reach another server of its cluster",
                        "make sure that all its servers run, and run this again"};
constexpr Meaning kNoRoom{StoreError::kFull, "no room is left on the server's disk",
                          "make room there and run this again"};
constexpr Meaning kNoMemory{StoreError::kOther, "the server's memory limit is reached",
                            "try again later, or raise max_memory_usage there"};
constexpr Meaning kNotAllowed{
    StoreError::kOther, "the server does not allow that to this user",
    "grant it there; readers need SELECT and settings of their own (readonly = 2)"};

// Returns the meaning of a number of ClickHouse's ErrorCodes.
Meaning meaning(int code, std::string_view text) {
    if (text.find("No space left on device") != text.npos || text.find("errno: 28") != text.npos) {
        return kNoRoom;
    }
    switch (code) {
        case 192:  // UNKNOWN_USER
        case 193:  // WRONG_PASSWORD
        case 194:  // REQUIRED_PASSWORD
        case 516:  // AUTHENTICATION_FAILED
            return kUserRefused;
        case 195:  // IP_ADDRESS_NOT_ALLOWED
            return {StoreError::kOther, "the server refuses this user from this machine",
                    "allow it in the server's list of networks"};
        case 164:  // READONLY
        case 291:  // DATABASE_ACCESS_DENIED
        case 497:  // ACCESS_DENIED
            return kNotAllowed;
        case 81:  // UNKNOWN_DATABASE
            return {StoreError::kAbsent, "the server has no such database",
                    "check the name; fendex push creates it", false};
        case 60:  // UNKNOWN_TABLE
            return {StoreError::kAbsent, "the database has no tables of fendex, or not all",
                    "check the name; fendex push creates them"};
        case 8:   // THERE_IS_NO_COLUMN
        case 10:  // NOT_FOUND_COLUMN_IN_BLOCK
        case 16:  // NO_SUCH_COLUMN_IN_TABLE
        case 43:  // ILLEGAL_TYPE_OF_ARGUMENT
        case 47:  // UNKNOWN_IDENTIFIER
        case 53:  // TYPE_MISMATCH
        case 70:  // CANNOT_CONVERT_TYPE
            return kAltered;
        case 243:  // NOT_ENOUGH_SPACE
            return kNoRoom;
        case 159:  // TIMEOUT_EXCEEDED
        case 160:  // TOO_SLOW
            return {StoreError::kOther, "the server's time limit for a query is reached",
                    "ask for less, or raise max_execution_time there"};
        case 173:  // CANNOT_ALLOCATE_MEMORY
        case 241:  // MEMORY_LIMIT_EXCEEDED
            return kNoMemory;
        case 201:  // QUOTA_EXPIRED
            return {StoreError::kOther, "this user's quota on the server is used up",
                    "wait, or raise it there"};
        case 202:  // TOO_MANY_SIMULTANEOUS_QUERIES
            return {StoreError::kBusy, "the server has too many queries at once",
                    "try again later"};
        case 369:  // ALL_REPLICAS_ARE_STALE
            return {StoreError::kBusy,
                    "a shard has no replica that is there and has copied all rows",
                    "try again later"};
        case 394:  // QUERY_WAS_CANCELLED
            return {StoreError::kOther, "somebody ended the query on the server", "run this again"};
        case 32:   // ATTEMPT_TO_READ_AFTER_EOF, of a shard that died
        case 198:  // DNS_ERROR
        case 209:  // SOCKET_TIMEOUT
        case 210:  // NETWORK_ERROR
        case 279:  // ALL_CONNECTION_TRIES_FAILED
            return kAway;
        default:
            return {StoreError::kOther, "the server reports an error",
                    "see the server's log for more"};
    }
}

std::string first_line(std::string_view text) {
    constexpr std::size_t kMost = 300;
    text = text.substr(0, text.find('\n'));
    std::string line = base::printable(text.substr(0, kMost));
    if (text.size() > kMost) line += "...";
    return line;
}

// Returns the number of the outermost exception. One that a shard sent is quoted inside it.
int code_in(std::string_view text) {
    constexpr std::string_view kBefore = "Code: ";
    const auto at = text.find(kBefore);
    if (at == text.npos) return 0;
    text.remove_prefix(at + kBefore.size());
    int code = 0;
    std::from_chars(text.data(), text.data() + text.size(), code);
    return code;
}

}  // namespace

void throw_server_error(const std::string& where, long status, int code, std::string_view text) {
    if (code == 0) code = code_in(text);
    if (code == 0) {
        if (status >= 300 && status < 400) {
            throw StoreError(StoreError::kOther,
                             where + ": the server wants to send this elsewhere (HTTP " +
                                 std::to_string(status) +
                                 "), which is refused; give the URL of the ClickHouse server "
                                 "itself");
        }
        throw StoreError(StoreError::kOther,
                         where + ": what answers there is not a ClickHouse server (HTTP " +
                             std::to_string(status) + "); check the host and the port");
    }
    const Meaning found = meaning(code, text);
    std::string what = where + ": " + std::string(found.what);
    if (found.with_text) what += " (" + first_line(text) + ")";
    store::throw_store_error(found.kind, what + "; " + std::string(found.advice));
}

}  // namespace fendex::clickhouse
