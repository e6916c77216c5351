#include "model/trusted_certificates.h"

#include <openssl/x509.h>

namespace knapsack::model {
namespace {

// Debian and its relatives, Arch and SUSE keep a file for each certificate in /etc/ssl/certs, named so that OpenSSL finds it;
// these two are there only where that is so.
constexpr const char* kServed[] = {"/etc/ssl/certs/ca-certificates.crt", "/etc/ssl/ca-bundle.pem"};
// Fedora, Red Hat and their relatives keep one file with all of them.
constexpr const char* kBundles[] = {"/etc/pki/tls/certs/ca-bundle.crt",
                                    "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem"};

}  // namespace

std::string trusted_certificate_file(const std::function<bool(const std::string&)>& exists,
                                     const std::function<const char*(const char*)>& environment) {
  if (environment(X509_get_default_cert_file_env()) != nullptr) return "";
  if (environment(X509_get_default_cert_dir_env()) != nullptr) return "";
  if (exists(X509_get_default_cert_file())) return "";
  for (const char* file : kServed) {
    if (exists(file)) return "";
  }
  for (const char* file : kBundles) {
    if (exists(file)) return file;
  }
  return "";
}

}  // namespace knapsack::model
