# Installs BUILD to a prefix in SCRATCH, builds tests/install (SOURCE), which includes the sample,
# against it, and runs the sample.
function(run)
    execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE out ERROR_VARIABLE out)
    if(NOT status EQUAL 0)
        message(FATAL_ERROR "${ARGN}: ${status}\n${out}")
    endif()
    set(out "${out}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${SCRATCH})
set(prefix ${SCRATCH}/prefix)
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${prefix})
foreach(file bin/fendex share/man/man1/fendex.1 share/bash-completion/completions/fendex
        share/zsh/site-functions/_fendex share/fish/vendor_completions.d/fendex.fish
        share/doc/fendex/README.md share/doc/fendex/CHANGELOG.md
        share/doc/fendex/samples/manual/reading.md
        share/doc/fendex/samples/recipes/prepare.sh share/doc/fendex/schema/SQL.md)
    if(NOT EXISTS ${prefix}/${file})
        message(FATAL_ERROR "${file} is not installed")
    endif()
endforeach()
run(${CMAKE_COMMAND} -S ${SOURCE} -B ${SCRATCH}/build -G ${GENERATOR}
    -DCMAKE_CXX_COMPILER=${CXX} -DCMAKE_PREFIX_PATH=${prefix} -DINSTALLED=${prefix}
    "-DSANITIZE=${SANITIZE}" -DSAMPLE=${SAMPLES}/library)
run(${CMAKE_COMMAND} --build ${SCRATCH}/build)

set(mate "r1bk3r/p2pBpNp/n4n2/1p1NP2P/6P1/3P4/P1P1K3/q5b1 b - - 1 23")
run(${SCRATCH}/build/sample/positions ${SCRATCH}/my.db ${SAMPLES}/classics.pgn ${mate})
set(expected "37 games\nAnderssen, Adolf - Kieseritzky, Lionel, after ply 45\n")
if(NOT out STREQUAL expected)
    message(FATAL_ERROR "the sample printed\n${out}instead of\n${expected}")
endif()

if(NOT SANITIZE)
    find_program(PKG_CONFIG pkg-config REQUIRED)
    file(GLOB_RECURSE pc ${prefix}/lib*/fendex.pc)
    run(${PKG_CONFIG} --modversion ${pc})
    string(STRIP "${out}" version)
    run(${SCRATCH}/build/c_program)
    if(NOT out STREQUAL "${version} ${version}\n")
        message(FATAL_ERROR "pkg-config says version ${version}, but the headers say ${out}")
    endif()
endif()

# Python cannot load a library that needs a sanitizer's runtime.
find_program(PYTHON python3)
if(PYTHON AND NOT SANITIZE)
    file(GLOB libraries ${prefix}/lib*/libfendex.so ${prefix}/lib*/*/libfendex.so)
    list(GET libraries 0 library)
    get_filename_component(directory ${library} DIRECTORY)
    run(${CMAKE_COMMAND} -E env LD_LIBRARY_PATH=${directory}
        ${PYTHON} ${SAMPLES}/python/positions.py ${SCRATCH}/my.db ${mate})
    if(NOT out STREQUAL "Anderssen, Adolf - Kieseritzky, Lionel after ply 45\n")
        message(FATAL_ERROR "samples/python printed\n${out}")
    endif()
endif()
file(REMOVE_RECURSE ${SCRATCH})
