// Where the machine keeps the certificates that it trusts. OpenSSL looks where its build was told to, which for a program
// that runs on many systems is right for some of them. Stateless; any thread may ask.
// Private to model/.
#pragma once

#include <functional>
#include <string>

namespace knapsack::model {

// The file to read in place of OpenSSL's own choice, or empty where that choice serves: it has files, or the user chose
// with SSL_CERT_FILE or SSL_CERT_DIR.
std::string trusted_certificate_file(const std::function<bool(const std::string&)>& exists,
                                     const std::function<const char*(const char*)>& environment);

}  // namespace knapsack::model
