#include "code/imports/python_library.h"

#include <unordered_set>

#include "code/parse/language.h"

namespace knapsack::code {
namespace {

constexpr std::string_view kModules =
    "ConfigParser Queue StringIO __future__ abc aifc antigravity argparse array ast asynchat asyncio "
    "asyncore atexit audioop base64 bdb binascii bisect builtins bz2 cPickle cProfile cStringIO "
    "calendar cgi cgitb chunk cmath cmd code codecs codeop collections colorsys compileall concurrent "
    "configparser contextlib contextvars copy copyreg crypt csv ctypes curses dataclasses datetime "
    "dbm decimal difflib dis distutils doctest email encodings ensurepip enum errno faulthandler "
    "fcntl filecmp fileinput fnmatch fractions ftplib functools gc genericpath getopt getpass gettext "
    "glob graphlib grp gzip hashlib heapq hmac html http httplib idlelib imaplib imghdr imp importlib "
    "inspect io ipaddress itertools json keyword lib2to3 linecache locale logging lzma mailbox "
    "mailcap marshal math mimetypes mmap modulefinder msilib msvcrt multiprocessing netrc nis nntplib "
    "nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev pathlib pdb pickle "
    "pickletools pipes pkgutil platform plistlib poplib posix posixpath pprint profile pstats pty pwd "
    "py_compile pyclbr pydoc pydoc_data pyexpat queue quopri random re readline reprlib resource "
    "rlcompleter runpy sched secrets select selectors shelve shlex shutil signal site smtpd smtplib "
    "sndhdr socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat statistics "
    "string stringprep struct subprocess sunau symtable sys sysconfig syslog tabnanny tarfile "
    "telnetlib tempfile termios textwrap this threading time timeit tkinter token tokenize tomllib "
    "trace traceback tracemalloc tty turtle turtledemo types typing unicodedata unittest urllib "
    "urllib2 urlparse uu uuid venv warnings wave weakref webbrowser winreg winsound wsgiref xdrlib "
    "xml xmlrpc zipapp zipfile zipimport zlib zoneinfo ";

}  // namespace

bool is_python_library(std::string_view module) {
  static const std::unordered_set<std::string_view> kNames = [] {
    std::unordered_set<std::string_view> names;
    any_word(kModules, [&](std::string_view name) {
      names.insert(name);
      return false;
    });
    return names;
  }();
  return kNames.find(module) != kNames.end();
}

}  // namespace knapsack::code
