// What a server's exception means to a user of fendex.
#pragma once

#include <string>
#include <string_view>

#include "store/store_error.hpp"

namespace fendex::clickhouse {

/// Throws the error for an answer that is not a success. `where` is "host:port/database". `code`
/// is ClickHouse's number of the exception, 0 to look for it in the text ("Code: 60, ..."); a text
/// without code comes from another kind of server. Only the text's first line is used, made safe
/// to print.
[[noreturn]] void throw_server_error(const std::string& where, long status, int code,
                                     std::string_view text);

}  // namespace fendex::clickhouse
