#include "support/repository_mixed.h"

#include <algorithm>
#include <cstring>
#include <set>
#include <string>
#include <string_view>

#include "support/repository_languages.h"

namespace knapsack::testing {
namespace {

constexpr size_t kFilesOfPackage = 9;

struct PlannedFile {
  const LanguageTemplate* language = nullptr;
  size_t subject = 0;
  std::string package, base, type, function;
};

std::string spelled(Spelling spelling, const std::string& snake) {
  if (spelling == Spelling::kSnake) return snake;
  return spelling == Spelling::kCamel ? camel_case(snake) : pascal_case(snake);
}

class MixedFiles {
 public:
  explicit MixedFiles(Random& random) : random_(random), words_(random) {}

  PlannedFile plan(const LanguageTemplate& language, size_t subject, std::set<std::string>& taken) {
    words_.set_subject(subject);
    PlannedFile file;
    file.language = &language;
    file.subject = subject;
    // The same word for every file of the package, whatever else was drawn before.
    Random of_package(subject);
    Words package_words(of_package);
    const std::string package = package_words.snake(1);
    file.package = language.pascal_package ? pascal_case(package) : package;
    std::string type = words_.snake(2);
    while (!taken.insert(file.package + "/" + type).second) type = words_.snake(3);
    file.base = language.pascal_file ? pascal_case(type) : type;
    file.type = pascal_case(type);
    file.function = spelled(language.functions, words_.action(1));
    return file;
  }

  GeneratedFile write(const PlannedFile& file, const std::vector<PlannedFile>& of_language, size_t bytes) {
    words_.set_subject(file.subject);
    const LanguageTemplate& language = *file.language;
    std::vector<const PlannedFile*> imported;
    std::string out;
    Unit unit{.file = &file};
    fill(out, language.opening, unit);
    for (size_t i = 1 + random_.below(4); i > 0; --i) {
      const PlannedFile& other = random_.pick(of_language);
      const bool seen = std::any_of(imported.begin(), imported.end(), [&](const PlannedFile* before) {
        return before->type == other.type || before->package == other.package;
      });
      if (&other == &file || other.type == file.type || seen) continue;
      imported.push_back(&other);
      unit.imported = &other;
      fill(out, language.import, unit);
    }
    bool first = true;
    do {
      unit = new_unit(file, imported, first);
      first = false;
      fill(out, language.unit, unit);
    } while (out.size() < bytes);
    if (random_.one_in(3)) fill(out, language.test, unit);
    fill(out, language.closing, unit);
    return {std::string(language.folder) + "/" + file.package + "/" + file.base + language.extension, out};
  }

 private:
  struct Unit {
    const PlannedFile* file = nullptr;
    const PlannedFile* imported = nullptr;  // none: there is none to use
    std::string type = {}, method = {}, function = {}, field = {}, parameter = {}, constant = {};
  };

  Unit new_unit(const PlannedFile& file, const std::vector<const PlannedFile*>& imported, bool first) {
    const Spelling functions = file.language->functions;
    const Spelling others = functions == Spelling::kSnake ? Spelling::kSnake : Spelling::kCamel;
    // Names of two words: none of them is a keyword of any language.
    return {&file,
            imported.empty() ? nullptr : random_.pick(imported),
            first ? file.type : words_.pascal(2),
            spelled(functions, words_.action(1)),
            first ? file.function : spelled(functions, words_.action(2)),
            spelled(others, words_.snake(2)),
            spelled(others, words_.snake(2)),
            words_.upper(2)};
  }

  // Appends a template with everything between two @ filled in.
  void fill(std::string& out, std::string_view text, const Unit& unit) {
    for (size_t at = 0; at < text.size(); ++at) {
      const bool filled_in = text[at] == '@' && at + 2 < text.size() && text[at + 2] == '@' &&
                             std::strchr("TmfdpCnwSiGBOFHM", text[at + 1]) != nullptr;
      if (!filled_in) {
        out += text[at];
        continue;
      }
      out += value(text[at + 1], unit);
      at += 2;
    }
  }

  std::string value(char what, const Unit& unit) {
    const PlannedFile* imported = unit.imported;
    switch (what) {
      case 'T':
        return unit.type;
      case 'm':
        return unit.method;
      case 'f':
        return unit.function;
      case 'd':
        return unit.field;
      case 'p':
        return unit.parameter;
      case 'C':
        return unit.constant;
      case 'n':
        return std::to_string(1 + random_.below(500));
      case 'w':
        return words_.phrase(3, 8);
      case 'S':
        return words_.sentence(5, 11);
      case 'i':
        return std::to_string(1 + random_.below(4000));
      case 'G':
        return unit.file->package;
      case 'B':
        return unit.file->base;
      case 'O':
        return imported == nullptr ? "Base" : imported->type;
      case 'F':
        return imported == nullptr ? "helper" : imported->function;
      case 'H':
        return imported == nullptr ? "base" : imported->package;
      default:
        return imported == nullptr ? "base" : module_name(*imported);
    }
  }

  std::string module_name(const PlannedFile& of) {
    std::string name;
    fill(name, of.language->module, Unit{.file = &of, .imported = &of});
    return name;
  }

  Random& random_;
  Words words_;
};

}  // namespace

std::vector<GeneratedFile> make_mixed_files(Random& random, size_t files, size_t bytes) {
  std::vector<LanguageTemplate> languages;
  for (const auto& some : {compiled_language_templates(), scripting_language_templates()}) {
    languages.insert(languages.end(), some.begin(), some.end());
  }
  MixedFiles maker(random);
  std::vector<std::vector<PlannedFile>> planned(languages.size());
  std::vector<std::set<std::string>> taken(languages.size());
  for (size_t i = 0; i < files; ++i) {
    const size_t language = i % languages.size();
    const size_t package = planned[language].size() / kFilesOfPackage;
    planned[language].push_back(maker.plan(languages[language], package, taken[language]));
  }
  std::vector<GeneratedFile> made;
  const size_t average = files == 0 ? 0 : bytes / files;
  for (const auto& of_language : planned) {
    for (const PlannedFile& file : of_language) {
      // From half to one and a half of the average; a unit more is written than fits.
      const size_t size = average / 2 + random.below(average + 1);
      made.push_back(maker.write(file, of_language, size - std::min<size_t>(size, 350)));
    }
  }
  return made;
}

}  // namespace knapsack::testing
