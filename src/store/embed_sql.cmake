# Writes OUT: a header with one raw string constant per file of FILES, named after the file
# (schema.sql -> kSchemaSql).
set(text "#pragma once\n#include <string_view>\n\nnamespace fendex::store::sql {\n")
foreach(file IN LISTS FILES)
    get_filename_component(stem ${file} NAME_WE)
    string(SUBSTRING ${stem} 0 1 first)
    string(SUBSTRING ${stem} 1 -1 rest)
    string(TOUPPER ${first} first)
    file(READ ${file} body)
    string(APPEND text "inline constexpr std::string_view k${first}${rest}Sql = R\"sql(${body})sql\";\n")
endforeach()
string(APPEND text "}  // namespace fendex::store::sql\n")
file(WRITE ${OUT} "${text}")
