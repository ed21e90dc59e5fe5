# Writes one source that holds several test files, so that the headers they share are compiled once:
# cmake -DOUT=... "-DFILES=a_test.cpp;b_test.cpp" -P wrap_tests.cmake
# Each file's includes come first; its text is then included into a namespace of its own, where the
# includes find their guards set. So helpers of the same name in two test files do not meet. With
# -DENTRY=name, the function of that name, which each file has, is called as its file is.
set(includes "")
set(bodies "")
set(number 0)
foreach(file IN LISTS FILES)
    file(STRINGS "${file}" lines REGEX "^#include ")
    list(APPEND includes ${lines})
    math(EXPR number "${number} + 1")
    set(body "namespace test_file_${number} {\n#include \"${file}\"\n}\n")
    if(ENTRY)
        get_filename_component(name "${file}" NAME_WE)
        set(body "#define ${ENTRY} ${name}\n${body}#undef ${ENTRY}\n")
    endif()
    string(APPEND bodies "${body}")
endforeach()
list(REMOVE_DUPLICATES includes)
list(JOIN includes "\n" includes)
file(CONFIGURE OUTPUT "${OUT}" CONTENT "${includes}\n\n${bodies}" @ONLY)
