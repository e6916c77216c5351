#include "support/repository_languages.h"

namespace knapsack::testing {
namespace {

constexpr LanguageTemplate kTemplates[] = {
    {"go", "services", ".go", false, false, Spelling::kPascal, "example.org/harbor/services/@G@",
     "// Package @G@: @w@.\npackage @G@\n\nimport (\n\t\"errors\"\n\t\"fmt\"\n)\n", "import \"@M@\"\n",
     R"(
// @T@ is @w@.
type @T@ struct {
	@d@ map[string]int
	next *@T@
}

// New@T@ makes one. @S@
func New@T@() *@T@ {
	return &@T@{@d@: make(map[string]int)}
}

func (receiver *@T@) @m@(@p@ string) (int, error) {
	// @S@ because @w@ (#@i@).
	value, ok := receiver.@d@[@p@]
	if !ok {
		return 0, fmt.Errorf("@w@: %s", @p@)
	}
	return value + @n@, nil
}

const @T@Limit = @n@

func @f@(@p@ []int) ([]int, error) {
	if len(@p@) > @T@Limit {
		return nil, errors.New("@w@")
	}
	return append(@p@, @H@.@F@(@p@)...), nil
}
)",
     R"(
func Test@T@(t *testing.T) {
	got, err := @f@([]int{@n@})
	if err != nil || len(got) == 0 {
		t.Errorf("@w@: %v", err)
	}
}
)",
     ""},
    {"rust", "rust/src", ".rs", false, false, Spelling::kSnake, "crate::@G@::@B@",
     "//! @S@\n\nuse std::collections::HashMap;\n", "use @M@::{@F@, @O@};\n",
     R"(
/// @S@
#[derive(Debug, Clone)]
pub struct @T@ {
    @d@: HashMap<String, u64>,
    other: Option<Box<@O@>>,
}

impl @T@ {
    pub const @C@: u64 = @n@;

    // @S@
    pub fn @m@(&mut self, @p@: &str) -> Result<u64, String> {
        let value = self.@d@.get(@p@).copied().unwrap_or(Self::@C@);
        if value == 0 {
            return Err(format!("@w@ {}", @p@));
        }
        Ok(@F@(value))
    }
}

impl Default for @T@ {
    fn default() -> Self {
        Self { @d@: HashMap::new(), other: None }
    }
}

pub fn @f@<I: Iterator<Item = u64>>(@p@: I) -> Vec<u64> {
    // TODO: @w@
    @p@.filter(|item| item % @n@ != 0).collect()
}
)",
     R"(
#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn @m@_@p@() {
        assert_eq!(@f@(vec![1].into_iter()).len(), 1, "@w@");
    }
}
)",
     ""},
    {"java", "java/src/main/java/harbor", ".java", true, false, Spelling::kCamel, "harbor.@G@.@B@",
     "package harbor.@G@;\n\nimport java.util.List;\nimport java.util.Map;\n", "import @M@;\n",
     R"(
/** @S@ */
class @T@ extends @O@ {
  private static final int @C@ = @n@;
  private final Map<String, Integer> @d@ = Map.of();

  /** @S@ */
  public int @m@(String @p@, int limit) {
    // @S@ because @w@.
    Integer value = @d@.get(@p@);
    if (value == null || value > limit) {
      throw new IllegalArgumentException("@w@ " + @p@);
    }
    return value + @C@;
  }

  static <V> List<V> @f@(List<V> @p@) {
    return @p@.stream().limit(@C@).toList();
  }
}
)",
     R"(
class @T@Test {
  @Test
  void @m@() {
    assertEquals(@n@, new @T@().@m@("@w@", @n@));
  }
}
)",
     ""},
    {"c", "native/c", ".c", false, false, Spelling::kSnake, "../@G@/@B@.c",
     "/* @S@ */\n#include <stddef.h>\n#include <string.h>\n", "#include \"@M@\"\n",
     R"(
#define @C@ @n@

/* @S@ */
struct @T@ {
  size_t @d@;
  const char *@p@;
  struct @T@ *next;
};

typedef int (*@m@_callback)(struct @T@ *, size_t);

/* @S@ See #@i@. */
static size_t @m@(const struct @T@ *self, const char *@p@) {
  if (self == NULL || strcmp(self->@p@, @p@) == 0) {
    return @C@;
  }
  return @F@(self->@d@) + @n@;
}

int @f@(struct @T@ *list, size_t @p@) {
  int count = 0;
  /* @w@ */
  for (struct @T@ *at = list; at != NULL; at = at->next) {
    if (at->@d@ > @p@) ++count;
  }
  return count;
}
)",
     "", ""},
    {"cpp", "native/cpp", ".hpp", false, false, Spelling::kSnake, "../@G@/@B@.hpp",
     "// @S@\n#pragma once\n\n#include <map>\n#include <string>\n#include <vector>\n", "#include \"@M@\"\n",
     R"(
namespace harbor {

// @S@
class @T@ : public @O@ {
 public:
  explicit @T@(int @p@) : @d@_(@p@) {}

  // @S@ because @w@.
  int @m@(const std::string& @p@) const {
    const auto found = entries_.find(@p@);
    return found == entries_.end() ? @F@(@d@_) : found->second;
  }

 private:
  static constexpr int k@T@ = @n@;
  int @d@_;
  std::map<std::string, int> entries_;
};

template <class Value>
std::vector<Value> @f@(const std::vector<Value>& @p@) {
  std::vector<Value> kept;
  // TODO: @w@
  for (const Value& value : @p@) {
    if (value != Value{}) kept.push_back(value);
  }
  return kept;
}

}  // namespace harbor
)",
     R"(
TEST(@T@, @O@) {
  EXPECT_EQ(harbor::@T@(@n@).@m@("@w@"), @n@);
}
)",
     ""},
    {"csharp", "dotnet", ".cs", true, true, Spelling::kPascal, "Harbor.@G@",
     "using System;\nusing System.Collections.Generic;\n", "using @M@;\n",
     R"(
namespace Harbor.@G@
{
    /// <summary>@S@</summary>
    public class @T@ : @O@
    {
        private readonly Dictionary<string, int> @d@ = new();

        public int Limit { get; set; } = @n@;

        // @S@
        public int @m@(string @p@)
        {
            if (!@d@.TryGetValue(@p@, out var value))
            {
                throw new ArgumentException($"@w@ {@p@}");
            }
            return value + Limit;
        }

        public static IEnumerable<V> @f@<V>(IEnumerable<V> @p@) where V : class
        {
            foreach (var item in @p@) yield return item;
        }
    }
}
)",
     "", ""},
    {"kotlin", "kotlin/src/main/kotlin/harbor", ".kt", true, false, Spelling::kCamel, "harbor.@G@.@O@",
     "package harbor.@G@\n\n", "import @M@\n",
     R"(
/** @S@ */
data class @T@(val @d@: Int, private val @p@: String = "@w@") {
    // @S@
    fun @m@(@p@: String): Int {
        val value = @p@.length + @d@
        require(value < LIMIT) { "@w@ $@p@" }
        return when {
            value > @n@ -> value
            else -> @F@(value)
        }
    }

    companion object {
        const val LIMIT = @n@
    }
}

fun <V> @f@(@p@: List<V>): List<V> = @p@.filter { it != null }
)",
     "", ""},
    {"swift", "swift/Sources", ".swift", true, false, Spelling::kCamel, "@G@", "// @S@\nimport Foundation\n",
     "import @M@\n",
     R"swift(
/// @S@
public final class @T@: @O@ {
    private var @d@: [String: Int] = [:]
    let limit = @n@

    // @S@ because @w@.
    public func @m@(_ @p@: String) throws -> Int {
        guard let value = @d@[@p@] else {
            throw HarborError.missing("@w@ \(@p@)")
        }
        return value + limit
    }
}

extension @T@ {
    func @f@(_ @p@: [Int]) -> [Int] {
        return @p@.filter { $0 > limit }
    }
}
)swift",
     "", ""},
    {"scala", "scala/src/main/scala/harbor", ".scala", true, false, Spelling::kCamel, "harbor.@G@.@O@",
     "package harbor.@G@\n\n", "import @M@\n",
     R"(
/** @S@ */
class @T@(val @d@: Int) extends @O@ {
  private val entries = Map.empty[String, Int]

  // @S@
  def @m@(@p@: String): Option[Int] = {
    entries.get(@p@) match {
      case Some(value) if value > @n@ => Some(value + @d@)
      case _ => None
    }
  }
}

object @T@ {
  val Limit = @n@

  def @f@[A](@p@: List[A]): List[A] = @p@.take(Limit) // TODO: @w@
}
)",
     "", ""},
    {"haskell", "haskell/src/Harbor", ".hs", true, true, Spelling::kCamel, "Harbor.@G@.@B@",
     "-- | @S@\nmodule Harbor.@G@.@B@ where\n\nimport qualified Data.Map as Map\n", "import @M@ (@O@, @F@)\n",
     R"(
-- | @S@
data @T@ = @T@
  { @d@@T@ :: Int
  , @p@@T@ :: Map.Map String Int
  } deriving (Show, Eq)

-- @S@ because @w@.
@m@@T@ :: @T@ -> String -> Maybe Int
@m@@T@ self name = case Map.lookup name (@p@@T@ self) of
  Just value | value > @n@ -> Just (value + @d@@T@ self)
  _ -> Nothing

@f@ :: [Int] -> [Int]
@f@ = filter (> @n@) . map (+ 1)
)",
     "", ""},
    {"zig", "zig/src", ".zig", false, false, Spelling::kCamel, "../@G@/@B@.zig",
     "//! @S@\nconst std = @import(\"std\");\n", "const @O@ = @import(\"@M@\").@O@;\n",
     R"(
/// @S@
pub const @T@ = struct {
    @d@: usize = @n@,
    allocator: std.mem.Allocator,

    // @S@
    pub fn @m@(self: *@T@, @p@: []const u8) !usize {
        if (@p@.len == 0) return error.Empty;
        self.@d@ += @p@.len;
        return self.@d@;
    }
};

pub fn @f@(@p@: []const u32) u32 {
    var total: u32 = 0;
    for (@p@) |value| total += value;
    return total;
}
)",
     R"(
test "@w@" {
    try std.testing.expectEqual(@f@(&.{@n@}), @n@);
}
)",
     ""},
};

}  // namespace

std::span<const LanguageTemplate> compiled_language_templates() {
  return kTemplates;
}

}  // namespace knapsack::testing
