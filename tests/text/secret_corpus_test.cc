// Figures for redaction: how many of the secrets of each kind are found, and how many of their look-alikes
// are taken for one.
#include "support/secret_corpus.h"

#include <re2/re2.h>

#include <iostream>
#include <set>

#include "support/support.h"
#include "text/secrets/redact.h"
#include "text/secrets/secret_shapes.h"

namespace knapsack {
namespace {

using testing::SecretSample;

std::string redacted(const SecretSample& sample) {
  std::string text = sample.text;
  redact_secrets(text, sample.is_code ? SecretContext::kCode : SecretContext::kText);
  return text;
}

bool is_gone(const SecretSample& sample) {
  const std::string text = redacted(sample);
  const std::string& secret = sample.secret;
  const size_t half = secret.size() / 2;
  return text.find(secret.substr(0, half + 1)) == std::string::npos &&
         text.find(secret.substr(half)) == std::string::npos;
}

struct Figure {
  size_t right = 0, all = 0;
  std::string wrong;  // the first few
  double share() const { return static_cast<double>(right) / static_cast<double>(all); }
};

template <class IsRight>
Figure measure(const std::string& what, const std::vector<SecretSample>& samples, IsRight is_right) {
  Figure figure;
  for (const SecretSample& sample : samples) {
    ++figure.all;
    if (is_right(sample)) {
      ++figure.right;
    } else if (figure.all - figure.right <= 20) {
      figure.wrong +=
          sample.shape + ": " + sample.text.substr(0, 200) + " => " + redacted(sample).substr(0, 200) + "\n";
    }
  }
  std::cout << what << ": " << figure.right << " of " << figure.all << "\n";
  return figure;
}

TEST(SecretShapes, HavePatternsThatCompileAndBeginWithTheirMarks) {
  EXPECT_GE(secret_shapes().size() + named_shapes().size(), 150U);
  for (const SecretShape& shape : secret_shapes()) {
    const RE2 pattern(shape.pattern, RE2::Quiet);
    EXPECT_TRUE(pattern.ok()) << shape.kind << ": " << pattern.error();
    EXPECT_LE(pattern.NumberOfCapturingGroups(), 1) << shape.pattern;
    EXPECT_GE(shape.mark.size(), 3U);
  }
}

TEST(SecretCorpus, PublishedShapesAreFound) {
  const auto samples = testing::published_secrets();
  std::set<std::string> shapes;
  for (const SecretSample& sample : samples) shapes.insert(sample.shape);
  EXPECT_GE(samples.size(), 400U);
  EXPECT_GE(shapes.size(), 150U);
  const Figure figure = measure("published shapes found", samples, is_gone);
  EXPECT_GE(figure.share(), 0.99) << figure.wrong;
}

TEST(SecretCorpus, NamedValuesAreFoundInConfiguration) {
  const Figure figure =
      measure("named values found in configuration", testing::named_secrets_in_configuration(), is_gone);
  EXPECT_GE(figure.share(), 0.85) << figure.wrong;
}

TEST(SecretCorpus, NamedLiteralsAreFoundInCode) {
  const Figure figure = measure("named literals found in code", testing::named_secrets_in_code(), is_gone);
  EXPECT_GE(figure.share(), 0.85) << figure.wrong;
}

TEST(SecretCorpus, LookAlikesStay) {
  const auto samples = testing::look_alikes();
  EXPECT_GE(samples.size(), 400U);
  const Figure figure = measure("look-alikes left alone", samples,
                                [](const SecretSample& sample) { return redacted(sample) == sample.text; });
  EXPECT_GE(figure.share(), 0.99) << figure.wrong;
}

TEST(SecretCorpus, WhatWasReplacedIsNoSecret) {
  for (const auto& samples : {testing::published_secrets(), testing::named_secrets_in_configuration(),
                              testing::named_secrets_in_code()}) {
    for (const SecretSample& sample : samples) {
      std::string text = redacted(sample);
      const std::string once = text;
      EXPECT_EQ(redact_secrets(text, sample.is_code ? SecretContext::kCode : SecretContext::kText), 0U)
          << text;
      EXPECT_EQ(text, once);
    }
  }
}

TEST(SecretCorpus, LinesStayAsManyAsTheyWere) {
  for (const SecretSample& sample : testing::published_secrets()) {
    std::string text = sample.text;
    redact_secrets_by_line(text);
    EXPECT_EQ(std::count(text.begin(), text.end(), '\n'),
              std::count(sample.text.begin(), sample.text.end(), '\n'));
  }
}

}  // namespace
}  // namespace knapsack
