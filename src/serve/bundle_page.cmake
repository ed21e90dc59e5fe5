# Writes OUT, the C++ source with the files of the page (page_files.hpp): copies the sources of the
# page, SOURCE, to the directory WORK, so that npm writes nothing into the source tree, lets NPM install
# what package-lock.json names, bundles, and embeds the result. If that is impossible, OUT says why
# instead, unless REQUIRED.
set(log ${WORK}/page.log)

function(leave_out why)
    if(REQUIRED)
        message(FATAL_ERROR "The page cannot be built: ${why}")
    endif()
    message("The page is left out: ${why} ${ARGN}")
    file(WRITE ${OUT} "#include \"serve/page_files.hpp\"

namespace fendex::serve {

std::span<const PageFile> page_files() { return {}; }
std::string_view why_no_page() { return R\"raw(${why})raw\"; }

}  // namespace fendex::serve
")
endfunction()

if(NOT NPM OR NOT NODE)
    leave_out("${WHY}")
    return()
endif()

file(REMOVE_RECURSE ${WORK}/web ${WORK}/out)
file(COPY ${SOURCE}/ DESTINATION ${WORK}/web PATTERN node_modules EXCLUDE)
file(COPY ${SOURCE}/package.json ${SOURCE}/package-lock.json DESTINATION ${WORK})

# npm is slow, so it runs only if the lock file has changed.
file(SHA256 ${SOURCE}/package-lock.json lock)
set(installed none)
if(EXISTS ${WORK}/installed)
    file(READ ${WORK}/installed installed)
endif()
if(NOT installed STREQUAL lock)
    set(options ci --omit=dev --ignore-scripts --prefer-offline --no-audit --no-fund)
    if(NOT REQUIRED)
        # npm's own patience without a network is a minute.
        list(APPEND options --fetch-retries=1 --fetch-retry-mintimeout=1000)
    endif()
    execute_process(COMMAND ${NPM} ${options} WORKING_DIRECTORY ${WORK}
                    RESULT_VARIABLE failed OUTPUT_FILE ${log} ERROR_FILE ${log})
    if(failed)
        file(REMOVE ${WORK}/installed)
        leave_out("npm could not fetch its libraries when it was built."
                  "See ${log}. For another try, remove ${WORK} and build again.")
        return()
    endif()
    file(WRITE ${WORK}/installed ${lock})
endif()

execute_process(COMMAND ${NODE} web/build.mjs ${WORK}/out WORKING_DIRECTORY ${WORK}
                RESULT_VARIABLE failed OUTPUT_FILE ${log} ERROR_FILE ${log})
if(NOT failed)
    execute_process(COMMAND ${NODE} ${CMAKE_CURRENT_LIST_DIR}/embed_page.mjs ${WORK}/out ${OUT}
                    RESULT_VARIABLE failed ERROR_FILE ${log})
endif()
if(failed)
    # A mistake in the page itself is an error even if the page is not required.
    file(READ ${log} text)
    message(FATAL_ERROR "The page cannot be built:\n${text}")
endif()
