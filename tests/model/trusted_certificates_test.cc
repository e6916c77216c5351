#include "model/trusted_certificates.h"

#include <gtest/gtest.h>
#include <openssl/x509.h>

#include <map>
#include <set>

namespace knapsack::model {
namespace {

std::string chosen(const std::set<std::string>& files,
                   const std::map<std::string, const char*>& variables = {}) {
  return trusted_certificate_file([&](const std::string& file) { return files.contains(file); },
                                  [&](const char* name) -> const char* {
                                    const auto found = variables.find(name);
                                    return found == variables.end() ? nullptr : found->second;
                                  });
}

constexpr const char* kRedHat = "/etc/pki/tls/certs/ca-bundle.crt";

TEST(TrustedCertificates, AreReadFromTheBundleWhereOpenSslWouldFindNone) {
  EXPECT_EQ(chosen({kRedHat}), kRedHat);
  EXPECT_EQ(chosen({"/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem"}),
            "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem");
}

TEST(TrustedCertificates, AreLeftToOpenSslWhereItFindsThem) {
  EXPECT_EQ(chosen({"/etc/ssl/certs/ca-certificates.crt", kRedHat}), "");
  EXPECT_EQ(chosen({X509_get_default_cert_file(), kRedHat}), "");
  EXPECT_EQ(chosen({}), "");
}

TEST(TrustedCertificates, AreThoseThatTheUserChose) {
  EXPECT_EQ(chosen({kRedHat}, {{"SSL_CERT_FILE", "/my/certificates.pem"}}), "");
  EXPECT_EQ(chosen({kRedHat}, {{"SSL_CERT_DIR", "/my/certificates"}}), "");
}

}  // namespace
}  // namespace knapsack::model
