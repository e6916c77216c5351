#include "code/walk/sensitive_file.h"

#include "support/support.h"

namespace knapsack::code {
namespace {

TEST(SensitiveFile, IsToldByItsName) {
  for (const char* path : {".env",
                           ".env.production",
                           "app/.env.local",
                           "prod.env",
                           ".netrc",
                           ".pypirc",
                           "keys/id_rsa",
                           ".ssh/id_ed25519",
                           "server.p12",
                           "a.pfx",
                           "release.jks",
                           "debug.keystore",
                           "kubeconfig",
                           "home/.kube/config",
                           "terraform.tfstate",
                           "terraform.tfstate.backup",
                           "default.tfstate",
                           "state/default.tfstate.backup",
                           "template.kdbx",
                           "sample-release.jks",
                           ".aws/credentials",
                           "home/.docker/config.json",
                           ".htpasswd",
                           ".git-credentials",
                           "ID_RSA",
                           ".pgpass",
                           "x.kdbx"})
    EXPECT_TRUE(is_sensitive_path(path)) << path;
  for (const char* path : {".env.example", ".env.sample", ".env.template", ".env.dist", "id_rsa.pub",
                           "environment.py", "jest.env.js", "src/credentials.cc", "config.json",
                           "docker/config.json", "keystore.md", "envelope.go", ".npmrc", "cert.pem"})
    EXPECT_FALSE(is_sensitive_path(path)) << path;
}

TEST(SensitiveFile, IsToldByItsContentWhereItsNameIsShared) {
  const std::string key = "-----BEGIN PRIVATE KEY-----\n", certificate = "-----BEGIN CERTIFICATE-----\n";
  EXPECT_TRUE(is_sensitive_file("tls/server.pem", key));
  EXPECT_TRUE(is_sensitive_file("tls/server.key", key));
  EXPECT_FALSE(is_sensitive_file("tls/server.pem", certificate));
  EXPECT_FALSE(is_sensitive_file("src/pem.cc", key));
  EXPECT_TRUE(is_sensitive_file(".npmrc", "//registry.example.org/:_authToken=abc\n"));
  EXPECT_FALSE(is_sensitive_file(".npmrc", "save-exact=true\n"));
  EXPECT_TRUE(is_sensitive_file(
      "cluster.yaml", "apiVersion: v1\nkind: Config\nusers:\n- user:\n    client-key-data: eA==\n"));
  EXPECT_FALSE(is_sensitive_file("deployment.yaml", "apiVersion: v1\nkind: ConfigMap\n"));
}

TEST(SensitiveFile, IsAllowedByNameOrPath) {
  EXPECT_TRUE(is_allowed({".env.ci"}, "ci/.env.ci"));
  EXPECT_TRUE(is_allowed({"ci/.env"}, "ci/.env"));
  EXPECT_FALSE(is_allowed({"ci/.env"}, "other/.env"));
  EXPECT_FALSE(is_allowed({}, ".env"));
}

}  // namespace
}  // namespace knapsack::code
