#include "support/secret_corpus.h"

#include <fmt/format.h>

#include <array>

namespace knapsack::testing {
namespace {

constexpr std::string_view kSmall = "abcdefghijklmnopqrstuvwxyz";
constexpr std::string_view kCapitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr std::string_view kDigits = "0123456789";
const std::string kAlnum = std::string(kSmall) + std::string(kCapitals) + std::string(kDigits);

// Of the shapes that services publish.
constexpr std::string_view kPublished[] = {
    "AKIA{U16}",
    "ASIA{U16}",
    "ABIA{U16}",
    "ACCA{U16}",
    "ABSK{A120}",
    "ghp_{A36}",
    "gho_{A36}",
    "ghu_{A36}",
    "ghs_{A36}",
    "ghr_{A36}",
    "github_pat_{A22}_{A59}",
    "glpat-{W20}",
    "gldt-{W20}",
    "glffct-{W20}",
    "glft-{W20}",
    "glimt-{W25}",
    "glagent-{W50}",
    "gloas-{W64}",
    "glrt-{W20}",
    "glsoat-{W20}",
    "glptt-{H40}",
    "glcbt-{A2}_{W20}",
    "GR1348941{W20}",
    "_gitlab_session={H32}",
    "xoxb-{D12}-{D12}-{A24}",
    "xoxp-{D12}-{D12}-{D12}-{H32}",
    "xoxa-2-{A40}",
    "xoxr-{A40}",
    "xoxs-{D10}-{D10}-{D10}-{H10}",
    "xoxe-1-{A146}",
    "xapp-1-A{U10}-{D13}-{H64}",
    "https://hooks.slack.com/services/T{U8}/B{U8}/{A24}",
    "sk_live_{A24}",
    "sk_test_{A24}",
    "sk_prod_{A24}",
    "rk_live_{A24}",
    "rk_test_{A24}",
    "rk_prod_{A24}",
    "whsec_{A32}",
    "npm_{A36}",
    "pypi-AgEIcHlwaS5vcmc{W60}",
    "SG.{W22}.{W43}",
    "xkeysib-{H64}-{A16}",
    "xsmtpsib-{H64}-{A16}",
    "hf_{Z34}",
    "api_org_{Z34}",
    "hvs.{W95}",
    "hvb.{W140}",
    "dop_v1_{H64}",
    "doo_v1_{H64}",
    "dor_v1_{H64}",
    "shpat_{H32}",
    "shpca_{H32}",
    "shppa_{H32}",
    "shpss_{H32}",
    "AIza{W35}",
    "GOCSPX-{W28}",
    "ya29.{W60}",
    "1//0{W50}",
    "{W11}:APA91b{W134}",
    "sk-ant-api03-{W93}AA",
    "sk-ant-admin01-{W93}AA",
    "sk-or-v1-{H64}",
    "sk-proj-{A40}",
    "sk-{A20}T3BlbkFJ{A20}",
    "sk-lf-{G}",
    "gsk_{A52}",
    "xai-{A80}",
    "pplx-{A48}",
    "r8_{A37}",
    "pcsk_{A60}",
    "lsv2_pt_{H32}_{H10}",
    "jina_{A60}",
    "fc-{H32}",
    "sk_{H48}",
    "csk-{L48}",
    "nvapi-{W64}",
    "dapi{H32}",
    "sbp_{H40}",
    "sb_secret_{W32}",
    "pscale_tkn_{A43}",
    "pscale_oauth_{A43}",
    "pscale_pw_{A43}",
    "napi_{L64}",
    "rnd_{A32}",
    "vercel_blob_rw_{A16}_{A30}",
    "vcp_{W50}{A6}",
    "vck_{W50}{A6}",
    "AVNS_{W19}",
    "nfp_{A36}",
    "fo1_{W43}",
    "fm2_{A120}",
    "HRKU-AA{W58}",
    "dp.pt.{A43}",
    "dp.st.{A43}",
    "dp.sa.{A43}",
    "dp.ct.{A43}",
    "pul-{H40}",
    "{A14}.atlasv1.{W65}",
    "PMAK-{H24}-{H34}",
    "lin_api_{A40}",
    "lin_oauth_{H64}",
    "ntn_{D11}{A35}",
    "pat{A14}.{H64}",
    "pat-na1-{G}",
    "figd_{W40}",
    "ATATT3{W186}",
    "ATBB{A32}",
    "sntryu_{H64}",
    "NRAK-{U27}",
    "NRII-{A32}",
    "NRJS-{H19}",
    "glc_{A60}",
    "glsa_{A32}_{H8}",
    "eyJrIjoi{A80}",
    "dt0c01.{U24}.{U64}",
    "hcaik_{L58}",
    "xaat-{G}",
    "xapt-{G}",
    "key-{H32}",
    "{H32}-us12",
    "{D10}:AA{W33}",
    "https://discord.com/api/webhooks/{D18}/{W68}",
    "https://acme.webhook.office.com/webhookb2/{G}@{G}/IncomingWebhook/{H32}/{G}",
    "https://hooks.zapier.com/hooks/catch/{D7}/{L7}",
    "EAAC{A120}",
    "EAAA{A60}",
    "sq0atp-{W22}",
    "sq0csp-{W43}",
    "access_token$production${L16}${H32}",
    "rzp_live_{A14}",
    "FLWSECK_TEST-{H32}-X",
    "access-sandbox-{G}",
    "access-production-{G}",
    "EZAK{A54}",
    "EZTK{A54}",
    "shippo_live_{H40}",
    "shippo_test_{H40}",
    "duffel_live_{W43}",
    "p8e-{A32}",
    "LTAI{A20}",
    "AKID{A32}",
    "AQVN{W35}",
    "y0_{W55}",
    "AKCp{A69}",
    "cmVmd{A59}",
    "oy2{L43}",
    "rubygems_{H48}",
    "cio{A32}",
    "CLOJARS_{L60}",
    "dckr_pat_{W27}",
    "pnu_{A36}",
    "rdme_{L70}",
    "tk-us-{W48}",
    "s-s4t2ud-{H64}",
    "ico-{A32}",
    "fio-u-{W64}",
    "tfp_{W59}",
    "CFPAT-{W43}",
    "{A6}_{A29}_mmk",
    "sha256~{W43}",
    "sm_pat_{A16}",
    "sm_aat_{A16}",
    "sgp_{H40}",
    "A3-{U6}-{U11}-{U5}-{U5}-{U5}",
    "ops_eyJ{A260}",
    "sc_{L10}.{L4}.acc-{L16}.{A40}",
    "4b1d{A38}",
    "pat.{W22}.{A24}.{A20}",
    "tskey-auth-{A16}-{A32}",
    "v1.0-{H24}-{H146}",
    "bkua_{H40}",
    "CCIPAT_{A22}_{H40}",
    "squ_{H40}",
    "sqp_{H40}",
    "sdk-{G}",
    "api-{G}",
    "phx_{A43}",
    "00D{A12}!{A90}",
    "sl.B{W130}",
    "{A3}8Q~{A34}",
    "{A76}AZDO{A4}",
    "AccountKey={A86}==",
    "SharedAccessKey={A43}=",
    "eyJ{W30}.eyJ{W60}.{W43}",
    "redis://:{A16}@cache:6379/0",
    "postgres://app:{A16}@db/shop",
    "mongodb+srv://root:{A20}@cluster0.mongodb.net",
    "https://bot:{A30}@git.host/x.git",
    "amqp://worker:{A12}@queue:5672",
    "Authorization: Bearer {A40}",
    "Authorization: Basic {A31}4"};

// What stands around a secret whose own shape tells it. {} is the secret.
struct Around {
  const char* before;
  const char* behind;
  bool is_code;
};
constexpr Around kAround[] = {{"see ", " for this", false},     {"value = \"", "\"\n", true},
                              {"  place: ", "\n", false},       {"{\"x\": \"", "\", \"y\": 2}", false},
                              {"X=", "\nY=1\n", false},         {"call('", "', 3);", true},
                              {"line one\\n", "\\nmore", true}, {"", "", false}};

// The part of a pattern that must not be seen: behind what only leads to it.
std::string secret_part(const std::string& whole) {
  for (const std::string_view lead :
       {"Bearer ", "Basic ", "AccountKey=", "SharedAccessKey=", "_gitlab_session=", "/services/",
        "/webhooks/", "/webhookb2/", "/catch/"}) {
    if (const size_t at = whole.find(lead); at != std::string::npos) return whole.substr(at + lead.size());
  }
  const size_t scheme = whole.find("://");
  const size_t end = whole.find('@');
  if (scheme == std::string::npos || end == std::string::npos) return whole;
  const size_t colon = whole.find(':', scheme + 3);
  return whole.substr(colon + 1, end - colon - 1);
}

std::string wrapped(const std::string& block, const std::string& before, const std::string& behind) {
  std::string out;
  for (size_t at = 0; at < block.size();) {
    const size_t end = std::min(block.find('\n', at), block.size());
    out += before + block.substr(at, end - at) + behind;
    at = end + 1;
  }
  return out;
}

std::string escaped(const std::string& block) {
  std::string out;
  for (const char c : block) out += c == '\n' ? std::string("\\n") : std::string(1, c);
  return out;
}

}  // namespace

std::string SecretMaker::characters(std::string_view alphabet, size_t count) {
  std::string out;
  while (out.size() < count) out += alphabet[below(alphabet.size())];
  return out;
}

std::string SecretMaker::make(std::string_view pattern) {
  std::string out;
  for (size_t at = 0; at < pattern.size();) {
    const size_t close = pattern[at] == '{' ? pattern.find('}', at) : std::string_view::npos;
    if (close == std::string_view::npos) {
      out += pattern[at++];
      continue;
    }
    const char kind = pattern[at + 1];
    if (kind == 'G') {
      out += make("{H8}-{H4}-4{H3}-a{H3}-{H12}");
    } else {
      const size_t count = std::stoul(std::string(pattern.substr(at + 2, close - at - 2)));
      std::string alphabet = kAlnum;
      if (kind == 'H') alphabet = "0123456789abcdef";
      if (kind == 'D') alphabet = kDigits;
      if (kind == 'U') alphabet = std::string(kCapitals) + "234567";
      if (kind == 'L') alphabet = std::string(kSmall) + std::string(kDigits);
      if (kind == 'Z') alphabet = std::string(kSmall) + std::string(kCapitals);
      if (kind == 'W') alphabet = kAlnum + "_-";
      if (kind == 'B') alphabet = kAlnum + "+/";
      // The last one is a letter or a digit, as the end of a word is.
      out += characters(alphabet, count - 1);
      out += characters(kind == 'W' || kind == 'B' ? kAlnum : alphabet, 1);
    }
    at = close + 1;
  }
  return out;
}

std::string SecretMaker::block(const std::string& kind, size_t lines) {
  std::string out = "-----BEGIN " + kind + "-----\n";
  for (size_t i = 0; i < lines; ++i) out += make("{B64}") + "\n";
  return out + make("{B20}") + "==\n-----END " + kind + "-----\n";
}

std::vector<SecretSample> published_secrets() {
  SecretMaker maker(20'261);
  std::vector<SecretSample> samples;
  for (const std::string_view pattern : kPublished) {
    for (size_t i = 0; i < 2; ++i) {
      const Around& around = kAround[maker.below(std::size(kAround))];
      const std::string whole = maker.make(pattern);
      samples.push_back(
          {std::string(pattern), around.before + whole + around.behind, secret_part(whole), around.is_code});
    }
  }
  const std::string hyphen(1, '-');
  for (const char* kind : {"RSA PRIVATE KEY", "PRIVATE KEY", "EC PRIVATE KEY", "DSA PRIVATE KEY",
                           "OPENSSH PRIVATE KEY", "ENCRYPTED PRIVATE KEY", "PGP PRIVATE KEY BLOCK"}) {
    const auto add = [&](const std::string& block, const std::string& text, bool is_code) {
      // Any line of it: here the middle one.
      samples.push_back({kind, text, block.substr(block.size() / 2, 40), is_code});
    };
    std::string block = maker.block(kind, 24);
    add(block, "a: 1\nkey: |\n" + wrapped(block, "    ", "\n") + "b: 2\n", false);
    block = maker.block(kind, 12);
    add(block, "{\"private_key\": \"" + escaped(block) + "\", \"x\": 1}", false);
    block = maker.block(kind, 12);
    add(block, "const char* key =\n" + wrapped(block, "    \"", "\\n\"\n") + ";\nint x = 1;\n", true);
    block = maker.block(kind, 12);
    add(block, "cut off:\n" + block.substr(0, block.size() - 60), false);
  }
  const std::string age =
      "AGE-SECRET-KEY-" + std::string("1") + maker.characters("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58);
  samples.push_back({"age", "# created\n" + age + "\n", age, false});
  return samples;
}

namespace {

constexpr const char* kNames[] = {"password",
                                  "DB_PASSWORD",
                                  "db.password",
                                  "api_key",
                                  "apiKey",
                                  "API_KEY",
                                  "token",
                                  "access_token",
                                  "authToken",
                                  "client_secret",
                                  "secret",
                                  "SECRET_KEY",
                                  "jwt_secret",
                                  "smtp-password",
                                  "rootPassword",
                                  "auth_token",
                                  "aws_secret_access_key",
                                  "private_token",
                                  "encryption_key",
                                  "webhook_secret"};

std::string named_value(SecretMaker& maker, const std::string& name) {
  const bool password =
      name.find("assword") != std::string::npos || name.find("ASSWORD") != std::string::npos;
  constexpr std::string_view kSymbols = "!#%+.:=?@_-";
  switch (maker.below(password ? 6 : 4)) {
    case 0:
      return maker.make(fmt::format("{{A{}}}", 16 + maker.below(30)));
    case 1:
      return maker.make("{H32}");
    case 2:
      return maker.make("{B43}=");
    case 3:
      return maker.make(fmt::format("{{L{}}}", 20 + maker.below(20)));
    default:  // what a person's password manager makes
      return maker.make("{A6}") + maker.characters(kSymbols, 1) +
             maker.make(fmt::format("{{A{}}}", 3 + maker.below(8))) + maker.characters(kDigits, 1);
  }
}

}  // namespace

std::vector<SecretSample> named_secrets_in_configuration() {
  SecretMaker maker(20'262);
  const char* const forms[] = {
      "{0}: {1}\n",       "{0}: \"{1}\"\n",        "{0} = \"{1}\"\n", "{0}={1}\n",
      "export {0}={1}\n", "  \"{0}\": \"{1}\",\n", "{0} = '{1}'\n",   "    {0} = \"{1}\"  # theirs\n",
      "<{0}>{1}</{0}>\n", "- {0}: '{1}'\n"};
  std::vector<SecretSample> samples;
  for (int i = 0; i < 300; ++i) {
    const std::string name = kNames[maker.below(std::size(kNames))];
    const std::string value = named_value(maker, name);
    const char* form = forms[maker.below(std::size(forms))];
    samples.push_back(
        {name, "first: 1\n" + fmt::format(fmt::runtime(form), name, value) + "last: 2\n", value, false});
  }
  return samples;
}

std::vector<SecretSample> named_secrets_in_code() {
  SecretMaker maker(20'263);
  const char* const forms[] = {
      "{0} = \"{1}\"\n",          "const {0} = '{1}';\n", "String {0} = \"{1}\";\n",
      "  {0}: \"{1}\",\n",        "{0}: str = \"{1}\"\n", "config[\"{0}\"] = \"{1}\"\n",
      "set(\"{0}\", \"{1}\");\n", "'{0}' => '{1}',\n",    "var {0} := \"{1}\"\n"};
  std::vector<SecretSample> samples;
  for (int i = 0; i < 200; ++i) {
    const std::string name = kNames[maker.below(std::size(kNames))];
    const std::string value = named_value(maker, name);
    const char* form = forms[maker.below(std::size(forms))];
    samples.push_back(
        {name, "int x;\n" + fmt::format(fmt::runtime(form), name, value) + "int y;\n", value, true});
  }
  return samples;
}

std::vector<SecretSample> look_alikes() {
  SecretMaker maker(20'264);
  std::vector<SecretSample> samples;
  const auto text = [&](const std::string& shape, const std::string& line) {
    samples.push_back({shape, line + "\n", "", false});
  };
  const auto code = [&](const std::string& shape, const std::string& line) {
    samples.push_back({shape, line + "\n", "", true});
  };
  for (int i = 0; i < 10; ++i) {
    text("lock file", "  integrity sha512-" + maker.make("{B86}") + "==");
    text("lock file", "      \"resolved\": \"https://registry.example.org/left-pad/-/left-pad-1.3.0.tgz#" +
                          maker.make("{H40}") + "\",");
    text("go.sum", "github.com/pkg/errors v0.9.1 h1:" + maker.make("{B43}") + "=");
    text("cargo lock", "checksum = \"" + maker.make("{H64}") + "\"");
    text("poetry lock", "    {file = \"attrs-23.1.0.whl\", hash = \"sha256:" + maker.make("{H64}") + "\"},");
    text("git id", "commit " + maker.make("{H40}"));
    text("git id", "  rev: " + maker.make("{H40}"));
    text("digest", maker.make("{H32}") + "  archive.tar.gz");
    text("digest", "image: nginx@sha256:" + maker.make("{H64}"));
    text("uuid", "request_id: " + maker.make("{G}"));
    text("uuid", "  \"id\": \"" + maker.make("{G}") + "\",");
    code("uuid", "const ID = \"" + maker.make("{G}") + "\";");
    code("hash in code", "expected = \"" + maker.make("{H64}") + "\"");
    code("hash in code", "assert digest(data) == '" + maker.make("{H40}") + "'");
    code("image", "src=\"data:image/png;base64,iVBORw0KGgo" + maker.make("{B200}") + "\"");
    text("image", "background: url(data:image/gif;base64,R0lGODlh" + maker.make("{B120}") + ")");
    text("public key", "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ" + maker.make("{B300}") + " bob@host");
    text("public key", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + maker.make("{B43}") + " bob@host");
    text("certificate", maker.block("CERTIFICATE", 12));
    text("public key", maker.block("PUBLIC KEY", 6));
    text("public key", maker.block("PGP PUBLIC KEY BLOCK", 8));
    text("age", "age1" + maker.make("{L58}"));
    text("cache key", "cache_key: " + maker.make("{H40}"));
    text("key id", "key_id: " + maker.make("{U16}"));
    code("public", "public_key = \"" + maker.make("{B43}") + "=\"");
    text("etag", "ETag: \"" + maker.make("{H32}") + "\"");
    text("subresource", "<script src=\"/a.js\" integrity=\"sha384-" + maker.make("{B64}") + "\"></script>");
  }
  for (const char* name : {"password", "DB_PASSWORD", "api_key", "token", "client_secret", "authToken"}) {
    for (const char* value :
         {"your-api-key", "xxxxxxxxxxxxxxxx", "changeme", "${TOKEN}", "<token>", "{{ .Values.token }}",
          "$(cat /run/x)", "$SECRET", "YOUR_TOKEN_HERE", "********", "%DB_PASS%", "example",
          "<your-password-here>", "replace-me-with-real", "null", "true"}) {
      text("placeholder", fmt::format("{}: {}", name, value));
      text("placeholder", fmt::format("{}=\"{}\"", name, value));
    }
    for (const char* value : {"get_token()", "process.env.API_KEY", "os.environ[\"TOKEN\"]",
                              "request.headers.token", "self.password", "config.auth.token2", "None",
                              "new Token(value1)", "args[2]", "sha256(value)", "user1.password"}) {
      code("expression", fmt::format("{} = {}", name, value));
    }
  }
  for (const char* line : {"const token = tokens[i]; // next",
                           "if (password.length < 8) return;",
                           "tokenizer = \"cl100k_base_2024\"",
                           "max_tokens: 4096",
                           "next_page_token = \"CAoQAA12\"",
                           "eos_token: \"<|endoftext|>\"",
                           "token_type = \"bearer\"",
                           "password_field = \"login_password\"",
                           "def set_password(self, raw_password: str = \"\") -> None:",
                           "\"password\": \"Please enter your password\",",
                           "passwordLabel: 'Confirm password'",
                           "secret_name = \"prod/db/credentials\"",
                           "auth: \"oauth2\"",
                           "key: \"createdAt\"",
                           "primary_key = \"user_id_2\"",
                           "foreign_key: :account_id",
                           "api_key_header = \"X-API-Key\"",
                           "token_url = \"https://a.example/token\"",
                           "PASSWORD_HASHERS = ['django.contrib.auth.hashers.Argon2PasswordHasher']",
                           "class SecretKeyFactory2 {}",
                           "-----BEGIN PRIVATE KEY----- starts such a file",
                           "task-oriented-programming-language-2024",
                           "disk-usage-of-the-last-seven-days",
                           ".sk-folding-cube-container-of-spinner { }",
                           "http://localhost:8080/a@b",
                           "https://user@host.example/path",
                           "ssh://git@host/repo.git",
                           "postgres://user:password@localhost/db",
                           "https://${USER}:${PASS}@host/",
                           "mysql://root:<password>@db",
                           "version = \"1.2.3-beta.4\"",
                           "created: 2026-11-16T10:00:00Z",
                           "password: ",
                           "token:",
                           "secret: {}",
                           "api_key: ~",
                           "// TODO: token: rotate it monthly",
                           "The password is stored in the vault, ask the team.",
                           "Use token-based authentication (see RFC 6750).",
                           "Authorization: Bearer <token>",
                           "Authorization: Bearer $TOKEN",
                           "curl -u user:pass https://a.example",
                           "AKIA is how they begin",
                           "ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                           "sk_live_xxxxxxxxxxxxxxxxxxxxxxxx",
                           "sk-xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx",
                           "the_quick_brown_fox_jumps_over_the_lazy_dog_again",
                           "basic authentication-and-authorization",
                           "bearer authentication-and-authorization",
                           "kubernetes.io/service-account-token",
                           "secretKeyRef:",
                           "tokenReviewStatus: authenticatedUser",
                           "csrf_token = form.csrf_token",
                           "input[type=password]:focus",
                           "passwordless: enabled",
                           "key-value-store-with-many-replicas-and-shards"}) {
    text("prose or setting", line);
    code("prose or setting", line);
  }
  return samples;
}

}  // namespace knapsack::testing
