# The libraries of the portable program, compiled from the sources that deps/portable.txt pins, under the names that
# Dependencies.cmake gives Debian's. Their warnings are not ours to fix.
set(portable ${PROJECT_SOURCE_DIR}/deps/portable)
find_package(Threads REQUIRED)

function(portable_library name alias)
  cmake_parse_arguments(PARSE_ARGV 2 library "" "" "SOURCES;INCLUDE;PRIVATE_INCLUDE;DEFINE")
  if(library_SOURCES)
    add_library(portable_${name} STATIC ${library_SOURCES})
    # Its own headers before those of libc, which has a regexp.h too.
    target_include_directories(portable_${name} PRIVATE ${library_PRIVATE_INCLUDE} ${library_INCLUDE})
    target_include_directories(portable_${name} SYSTEM INTERFACE ${library_INCLUDE})
    target_compile_definitions(portable_${name} PRIVATE ${library_DEFINE})
    target_compile_options(portable_${name} PRIVATE -w ${KNAPSACK_FORTIFY})
    set_target_properties(portable_${name} PROPERTIES UNITY_BUILD OFF CXX_STANDARD 17)
  else()
    add_library(portable_${name} INTERFACE)
    target_include_directories(portable_${name} SYSTEM INTERFACE ${library_INCLUDE})
  endif()
  add_library(${alias} ALIAS portable_${name})
endfunction()

# Headers alone.
portable_library(nlohmann_json nlohmann_json::nlohmann_json INCLUDE ${portable}/nlohmann-json/usr/include)
portable_library(tomlplusplus tomlplusplus::tomlplusplus INCLUDE ${portable}/tomlplusplus/usr/include)
portable_library(cli11 CLI11::CLI11 INCLUDE ${portable}/cli11/usr/include)
set(LIBPQ_INCLUDE ${portable}/libpq/source/src/interfaces/libpq ${portable}/libpq/source/src/include ${portable}/libpq/additional_include)

# What the program uses of SQLite: full text search, files that several threads and processes share, no extensions.
portable_library(sqlite SQLite::SQLite3 SOURCES ${portable}/sqlite/sqlite3/sqlite3.c INCLUDE ${portable}/sqlite/sqlite3
  DEFINE SQLITE_THREADSAFE=1 SQLITE_ENABLE_FTS5 SQLITE_ENABLE_COLUMN_METADATA SQLITE_ENABLE_DBSTAT_VTAB SQLITE_ENABLE_UNLOCK_NOTIFY
         SQLITE_MAX_VARIABLE_NUMBER=250000 SQLITE_OMIT_LOAD_EXTENSION SQLITE_USE_URI SQLITE_SECURE_DELETE HAVE_USLEEP=1
         HAVE_FDATASYNC=1 HAVE_STRCHRNUL=1)
portable_library(fmt fmt::fmt SOURCES ${portable}/fmt/src/format.cc ${portable}/fmt/src/os.cc INCLUDE ${portable}/fmt/include)
file(GLOB sources ${portable}/yaml-cpp/src/*.cpp)
portable_library(yaml yaml-cpp SOURCES ${sources} INCLUDE ${portable}/yaml-cpp/include DEFINE YAML_CPP_STATIC_DEFINE)
target_compile_definitions(portable_yaml PUBLIC YAML_CPP_STATIC_DEFINE)
# Debian's source of re2 leaves out tables that its own scripts make of Unicode's data.
set(tables ${PROJECT_BINARY_DIR}/re2_tables)
file(READ ${portable}/re2/re2/unicode.py script)
string(REPLACE "/usr/share/unicode" "${portable}/unicode-data/usr/share/unicode" script "${script}")
string(REPLACE "from six.moves import urllib" "import urllib.request" script "${script}")
file(CONFIGURE OUTPUT ${tables}/unicode.py CONTENT "${script}" @ONLY)
file(COPY ${portable}/re2/re2/make_perl_groups.pl ${portable}/re2/re2/make_unicode_casefold.py
  ${portable}/re2/re2/make_unicode_groups.py DESTINATION ${tables})
foreach(table "perl_groups pl perl" "unicode_casefold py python3" "unicode_groups py python3")
  string(REPLACE " " ";" table "${table}")
  list(GET table 0 name)
  list(GET table 1 extension)
  list(GET table 2 language)
  if(NOT EXISTS ${tables}/${name}.cc)
    execute_process(COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${language} make_${name}.${extension}
      WORKING_DIRECTORY ${tables} OUTPUT_FILE ${name}.cc COMMAND_ERROR_IS_FATAL ANY)
  endif()
endforeach()
file(GLOB sources ${portable}/re2/re2/*.cc)
portable_library(re2 PkgConfig::RE2 SOURCES ${sources} ${portable}/re2/util/rune.cc ${portable}/re2/util/strutil.cc
  ${tables}/perl_groups.cc ${tables}/unicode_casefold.cc ${tables}/unicode_groups.cc INCLUDE ${portable}/re2)
portable_library(utf8proc PkgConfig::UTF8PROC SOURCES ${portable}/utf8proc/utf8proc.c INCLUDE ${portable}/utf8proc DEFINE UTF8PROC_STATIC)
target_compile_definitions(portable_utf8proc PUBLIC UTF8PROC_STATIC)
portable_library(xxhash PkgConfig::XXHASH SOURCES ${portable}/xxhash/xxhash.c INCLUDE ${portable}/xxhash)
# zig turns 512-bit vectors off for all functions of a file, also for those that ask for them.
portable_library(simdjson simdjson::simdjson SOURCES ${portable}/simdjson/singleheader/simdjson.cpp INCLUDE ${portable}/simdjson/singleheader)
target_compile_definitions(portable_simdjson PUBLIC SIMDJSON_IMPLEMENTATION_ICELAKE=0)

# Our files include <roaring/roaring.h>; the crate has one header without a folder.
file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/include/roaring/roaring.h CONTENT "#include \"${portable}/roaring/CRoaring/roaring.h\"\n")
portable_library(roaring roaring::roaring SOURCES ${portable}/roaring/CRoaring/roaring.c INCLUDE ${PROJECT_BINARY_DIR}/include
  DEFINE CROARING_COMPILER_SUPPORTS_AVX512=0)

file(GLOB sources ${portable}/zlib/src/zlib/*.c)
portable_library(zlib ZLIB::ZLIB SOURCES ${sources} INCLUDE ${portable}/zlib/src/zlib DEFINE HAVE_UNISTD_H HAVE_STDARG_H
  _LARGEFILE64_SOURCE=1 HAVE_HIDDEN)

file(GLOB sources ${portable}/zstd/zstd/lib/common/*.c ${portable}/zstd/zstd/lib/compress/*.c ${portable}/zstd/zstd/lib/decompress/*.c)
portable_library(zstd PkgConfig::ZSTD SOURCES ${sources} INCLUDE ${portable}/zstd/zstd/lib DEFINE ZSTD_DISABLE_ASM XXH_NAMESPACE=ZSTD_)

# The stemmers that src/text/words/stem.cc asks for, generated by snowball's own compiler.
set(snowball ${portable}/snowball)
set(stemmers ${PROJECT_BINARY_DIR}/snowball)
file(GLOB sources ${snowball}/compiler/*.c)
add_executable(portable_snowball ${sources})
target_compile_options(portable_snowball PRIVATE -w)
set_target_properties(portable_snowball PROPERTIES UNITY_BUILD OFF)
file(WRITE ${stemmers}/libstemmer/modules.txt "english UTF_8 english,en,eng\nrussian UTF_8 russian,ru,rus\n")
execute_process(COMMAND perl ${snowball}/libstemmer/mkmodules.pl modules_utf8.h src_c modules.txt mkinc_utf8.mak utf8
  WORKING_DIRECTORY ${stemmers}/libstemmer COMMAND_ERROR_IS_FATAL ANY)
set(MODULES_H modules_utf8.h)
configure_file(${snowball}/libstemmer/libstemmer_c.in ${stemmers}/libstemmer/libstemmer_utf8.c @ONLY)
set(sources "")
foreach(language english russian)
  set(stem ${stemmers}/src_c/stem_UTF_8_${language})
  add_custom_command(OUTPUT ${stem}.c ${stem}.h
    COMMAND portable_snowball ${snowball}/algorithms/${language}.sbl -o ${stem} -eprefix ${language}_UTF_8_ -r ../runtime -u
    DEPENDS portable_snowball VERBATIM)
  list(APPEND sources ${stem}.c)
endforeach()
file(MAKE_DIRECTORY ${stemmers}/src_c)
file(COPY ${snowball}/include ${snowball}/runtime DESTINATION ${stemmers})
portable_library(stemmer STEMMER::STEMMER SOURCES ${sources} ${stemmers}/libstemmer/libstemmer_utf8.c ${stemmers}/runtime/api.c
  ${stemmers}/runtime/utilities.c INCLUDE ${stemmers}/include)
set(STEMMER_LIBRARY portable_stemmer)

# libgit2 reads repositories and nothing more: no HTTPS, no SSH, no credentials.
set(git ${portable}/libgit2/libgit2)
set(GIT_THREADS 1)
set(GIT_ARCH_64 1)
set(GIT_USE_NSEC 1)
set(GIT_USE_STAT_MTIM 1)
set(GIT_USE_FUTIMENS 1)
set(GIT_REGEX_REGCOMP 1)
set(GIT_QSORT_GNU 1)
set(GIT_HTTPPARSER_BUILTIN 1)
set(GIT_SHA1_COLLISIONDETECT 1)
set(GIT_SHA256_BUILTIN 1)
set(GIT_COMPRESSION_ZLIB 1)
set(GIT_RAND_GETENTROPY 1)
set(GIT_RAND_GETLOADAVG 1)
set(GIT_IO_POLL 1)
set(GIT_IO_SELECT 1)
configure_file(${git}/src/util/git2_features.h.in ${PROJECT_BINARY_DIR}/include/git2/git2_features.h)
file(GLOB sources ${git}/src/libgit2/*.c ${git}/src/libgit2/streams/*.c ${git}/src/libgit2/transports/*.c ${git}/src/util/*.c
  ${git}/src/util/allocators/failalloc.c ${git}/src/util/allocators/stdalloc.c ${git}/src/util/unix/*.c
  ${git}/src/util/hash/collisiondetect.c ${git}/src/util/hash/sha1dc/*.c ${git}/src/util/hash/builtin.c
  ${git}/src/util/hash/rfc6234/*.c ${git}/deps/xdiff/*.c ${git}/deps/llhttp/*.c)
portable_library(git2 PkgConfig::LIBGIT2 SOURCES ${sources} INCLUDE ${git}/include
  PRIVATE_INCLUDE ${PROJECT_BINARY_DIR}/include/git2 ${git}/src/libgit2 ${git}/src/util ${git}/deps/xdiff ${git}/deps/llhttp
  DEFINE _GNU_SOURCE SHA1DC_NO_STANDARD_INCLUDES=1 SHA1DC_CUSTOM_INCLUDE_SHA1_C="common.h" SHA1DC_CUSTOM_INCLUDE_UBC_CHECK_C="common.h")
target_link_libraries(portable_git2 PRIVATE portable_zlib Threads::Threads)

# OpenSSL has a build of its own. Its headers are made before anything is compiled, its libraries beside the rest.
set(openssl ${PROJECT_BINARY_DIR}/openssl)
set(make_openssl ${PROJECT_SOURCE_DIR}/packaging/openssl.sh ${KNAPSACK_TARGET} ${openssl})
execute_process(COMMAND ${make_openssl} headers COMMAND_ERROR_IS_FATAL ANY)
add_custom_command(OUTPUT ${openssl}/libcrypto.a ${openssl}/libssl.a COMMAND ${make_openssl} libraries VERBATIM)
add_custom_target(portable_openssl DEPENDS ${openssl}/libcrypto.a ${openssl}/libssl.a)
add_library(portable_crypto INTERFACE)
target_include_directories(portable_crypto SYSTEM INTERFACE ${openssl}/include ${portable}/openssl/openssl/include)
target_link_libraries(portable_crypto INTERFACE ${openssl}/libcrypto.a Threads::Threads)
add_library(PkgConfig::LIBCRYPTO ALIAS portable_crypto)
# All of cpp-httplib is in its header, which one file includes.
add_library(portable_httplib INTERFACE)
target_link_libraries(portable_httplib INTERFACE ${openssl}/libssl.a ${openssl}/libcrypto.a portable_zlib)
add_library(PkgConfig::HTTPLIB ALIAS portable_httplib)
set(HTTPLIB_CFLAGS_OTHER -DCPPHTTPLIB_OPENSSL_SUPPORT -DCPPHTTPLIB_ZLIB_SUPPORT "-isystem${portable}/cpp-httplib")
