// Turns an exception of a server into an error for users of fendex.
#pragma once

#include <string>
#include <string_view>

#include "store/store_error.hpp"

namespace fendex::clickhouse {

/// Throws the error for an answer that is not a success. `where` is "host:port/database". `code` is
/// ClickHouse's number of the exception; if it is 0, the number is taken from the text
/// ("Code: 60, ..."). A text without a number comes from another kind of server. Only the first
/// line of the text is used, made safe to print.
[[noreturn]] void throw_server_error(const std::string& where, long status, int code,
                                     std::string_view text);

}  // namespace fendex::clickhouse
