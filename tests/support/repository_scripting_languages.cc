#include "support/repository_languages.h"

namespace knapsack::testing {
namespace {

constexpr LanguageTemplate kScriptTemplates[] = {
    {"javascript", "web/src", ".js", false, false, Spelling::kCamel, "../@G@/@B@.js", "// @S@\n\n",
     "import { @O@, @F@ } from \"@M@\";\n",
     R"(
/** @S@ */
export class @T@ extends @O@ {
  constructor(@p@, options = {}) {
    super(@p@);
    this.@d@ = options.@d@ ?? @n@;
  }

  // @S@ See #@i@.
  async @m@(@p@) {
    const result = await @F@(@p@, this.@d@);
    if (!result) throw new Error(`@w@ ${@p@}`);
    return result.map((item) => item.@d@);
  }
}

export const @C@ = @n@;

export function @f@(@p@, limit = @C@) {
  // TODO: @w@
  return @F@(@p@).filter((entry) => entry > limit);
}
)",
     R"(
describe("@T@", () => {
  it("@w@", () => {
    expect(@f@(@n@)).toBe(@n@);
  });
});
)",
     ""},
    {"jsx", "web/components", ".jsx", true, false, Spelling::kCamel, "../@G@/@B@",
     "import React from \"react\";\n", "import { @O@ } from \"@M@\";\n",
     R"(
/** @S@ */
export function @T@({ @p@, @d@ }) {
  const [state, setState] = React.useState(@n@);
  // @S@ because @w@.
  const @m@ = () => setState(@p@ + state);
  return (
    <section className="@p@" onClick={@m@}>
      <@O@ @d@={state} />
      <p>@w@ {@p@}</p>
    </section>
  );
}

export const @f@ = (@p@) => @p@.slice(0, @n@);
)",
     "", ""},
    {"typescript", "web/lib", ".ts", false, false, Spelling::kCamel, "../@G@/@B@", "/* @S@ */\n",
     "import { @O@, @F@ } from \"@M@\";\n",
     R"(
export interface @T@Options {
  @d@: number;
  @p@?: string;
}

/** @S@ */
export class @T@ implements Iterable<@O@> {
  private readonly @d@: Map<string, @O@> = new Map();

  constructor(private readonly options: @T@Options) {}

  @m@(@p@: string): @O@ | undefined {
    // @S@
    const found = this.@d@.get(@p@) ?? @F@(@p@);
    return found as @O@;
  }

  *[Symbol.iterator](): Iterator<@O@> {
    yield* this.@d@.values();
  }
}

export type @T@Key = keyof @T@Options;

export function @f@<V extends object>(@p@: V, limit: number = @n@): V[] {
  return Array.from({ length: limit }, () => ({ ...@p@ }));
}
)",
     R"(
test("@w@", () => {
  expect(@f@({}, @n@)).toHaveLength(@n@);
});
)",
     ""},
    {"tsx", "web/pages", ".tsx", true, false, Spelling::kCamel, "../@G@/@B@",
     "import * as React from \"react\";\n", "import { @O@ } from \"@M@\";\n",
     R"(
type @T@Props = { @p@: string; @d@: number };

/** @S@ */
export const @T@: React.FC<@T@Props> = ({ @p@, @d@ }) => {
  const @m@ = React.useCallback((value: number) => value + @d@, [@d@]);
  return (
    <article>
      <h2>{@p@}</h2>
      {/* @w@ */}
      <@O@ @p@={@p@} @d@={@m@(@n@)} />
    </article>
  );
};

export function @f@(@p@: string): number {
  return @p@.length + @n@;
}
)",
     "", ""},
    {"ruby", "ruby/lib", ".rb", false, false, Spelling::kSnake, "../@G@/@B@",
     "# frozen_string_literal: true\n\n# @S@\n", "require_relative \"@M@\"\n",
     R"(
module Harbor
  # @S@
  class @T@ < @O@
    @C@ = @n@
    attr_reader :@d@

    def initialize(@p@, limit: @C@)
      @@d@ = @p@
      @limit = limit
    end

    # @S@ because @w@.
    def @m@(@p@)
      raise ArgumentError, "@w@ #{@p@}" if @p@.nil?

      @F@(@p@).map { |item| item + @limit }
    end

    def self.@f@(@p@)
      @p@.select(&:any?) # TODO: @w@
    end
  end
end
)",
     "", ""},
    {"php", "php/src", ".php", true, true, Spelling::kCamel, "Harbor\\@G@\\@B@",
     "<?php\n\ndeclare(strict_types=1);\n\nnamespace Harbor\\@G@;\n\n", "use @M@;\n",
     R"(
/** @S@ */
final class @T@ extends @O@
{
    public const @C@ = @n@;

    public function __construct(private array $@d@ = [])
    {
    }

    // @S@ See #@i@.
    public function @m@(string $@p@): ?int
    {
        if (!isset($this->@d@[$@p@])) {
            throw new \RuntimeException("@w@ {$@p@}");
        }
        return $this->@d@[$@p@] + self::@C@;
    }
}

function @f@(array $@p@): array
{
    return array_filter($@p@, fn ($item) => $item > @n@);
}
)",
     "", ""},
    {"bash", "scripts", ".sh", false, false, Spelling::kSnake, "../@G@/@B@.sh",
     "#!/usr/bin/env bash\n# @S@\nset -euo pipefail\n", "source \"@M@\"\n",
     R"(
@C@=@n@

# @S@
@m@() {
  local @p@="$1"
  if [[ -z "$@p@" ]]; then
    echo "@w@" >&2
    return 1
  fi
  @F@ "$@p@" | sort | head -n "$@C@"
}

# @S@ because @w@.
function @f@ {
  for item in "$@"; do
    @m@ "$item" || continue
  done
}
)",
     "", ""},
    {"lua", "lua", ".lua", false, false, Spelling::kSnake, "@G@.@B@", "-- @S@\n",
     "local @O@ = require(\"@M@\")\n",
     R"(
-- @S@
local @T@ = {}
@T@.__index = @T@

function @T@.new(@p@)
  return setmetatable({ @d@ = @p@ or @n@ }, @T@)
end

function @T@:@m@(@p@)
  -- @S@ because @w@.
  if not @p@ then
    error("@w@")
  end
  return @F@(@p@, self.@d@)
end

local function @f@(@p@)
  for key, value in pairs(@p@) do
    if value > @n@ then return key end
  end
end
)",
     "", ""},
    {"elixir", "elixir/lib", ".ex", false, false, Spelling::kSnake, "Harbor.@O@", "# @S@\n", "",
     R"(
defmodule Harbor.@T@ do
  @moduledoc "@S@"
  alias Harbor.@O@

  @limit @n@
  defstruct [:@d@, :@p@]

  @doc "@S@"
  def @m@(%__MODULE__{@d@: value}, @p@) when value > @limit do
    # @S@
    {:ok, @O@.@F@(@p@)}
  end

  def @m@(_, @p@), do: {:error, "@w@ #{@p@}"}

  defp @f@(@p@) do
    @p@ |> Enum.map(&(&1 + @limit)) |> Enum.sort()
  end
end
)",
     "", ""},
};

}  // namespace

std::span<const LanguageTemplate> scripting_language_templates() {
  return kScriptTemplates;
}

}  // namespace knapsack::testing
