; Everything is a call: what it means is in its target's name.

; Imports
(call
  target: (identifier) @_use
  (arguments . (alias) @import.module)
  (#eq? @_use "use")) @import.use
(call
  target: (identifier) @_require
  (arguments
    . (alias) @import.module
    (keywords (pair key: (keyword) @_as value: (alias) @import.alias (#eq? @_as "as: ")))?)
  (#eq? @_require "require")) @import.require
(call
  target: (identifier) @_import
  (arguments
    . (alias) @import.module
    (keywords (pair key: (keyword) @_as value: (alias) @import.alias (#eq? @_as "as: ")))?)
  (#any-of? @_import "import" "alias")) @import
(call
  target: (identifier) @_import
  (arguments . (dot left: (alias) @import.module right: (tuple (alias)* @import.name)))
  (#any-of? @_import "import" "alias" "require")) @import

; Tests
(call
  target: (identifier) @_test
  (arguments . (string) @name)
  (do_block) @body
  (#any-of? @_test "describe" "test" "property" "feature")) @definition.test

; Definitions
(call
  target: (identifier) @_module
  (arguments . (alias) @name)
  (do_block) @body
  (#eq? @_module "defmodule")) @definition.module
(call
  target: (identifier) @_protocol
  (arguments . (alias) @name)
  (do_block) @body
  (#eq? @_protocol "defprotocol")) @definition.interface
(call
  target: (identifier) @_implementation
  (arguments . (alias) @reference.type (keywords (pair value: (alias) @name)))
  (do_block) @body
  (#eq? @_implementation "defimpl")) @scope
(call
  target: (identifier) @_function
  (arguments
    . [
      (identifier) @name
      (call
        target: (identifier) @name
        (arguments [(identifier) @local (binary_operator (identifier)* @local) (tuple (identifier)* @local)]*)?)
      (binary_operator
        left: [
          (identifier) @name
          (call
            target: (identifier) @name
            (arguments [(identifier) @local (binary_operator (identifier)* @local) (tuple (identifier)* @local)]*)?)
        ]
        operator: "when")
      (binary_operator left: (identifier) @local operator: _ @name right: (identifier) @local)
    ]
    (keywords)? @body)
  (do_block)? @body
  (#any-of? @_function "def" "defp" "defdelegate" "defn" "defnp")) @definition.function
(call
  target: (identifier) @_macro
  (arguments
    . [
      (identifier) @name
      (call target: (identifier) @name (arguments (identifier)* @local)?)
      (binary_operator left: (call target: (identifier) @name (arguments (identifier)* @local)?) operator: "when")
    ]
    (keywords)? @body)
  (do_block)? @body
  (#any-of? @_macro "defmacro" "defmacrop" "defguard" "defguardp")) @definition.macro
(call
  target: (identifier) @_struct
  (arguments
    [
      (list [(atom) @name (keywords (pair key: (keyword) @name)*)]*)
      (keywords (pair key: (keyword) @name)*)
    ])
  (#any-of? @_struct "defstruct" "defexception")) @definition.field
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_type
    (arguments (binary_operator left: [(identifier) @name (call target: (identifier) @name)] operator: "::")))
  (#any-of? @_type "type" "typep" "opaque")) @definition.type
(unary_operator
  operator: "@"
  operand: (call
    target: (identifier) @_callback
    (arguments (binary_operator left: (call target: (identifier) @name) operator: "::")))
  (#any-of? @_callback "callback" "macrocallback")) @definition.function

; Documentation and what else stands before a function
(unary_operator
  operator: "@"
  operand: (call target: (identifier) @_doc (arguments . [(string) (sigil)] @docstring))
  (#any-of? @_doc "moduledoc" "shortdoc"))
(unary_operator
  operator: "@"
  operand: (call target: (identifier) @_doc (arguments . [(string) (sigil)] @docstring))
  (#any-of? @_doc "doc" "typedoc")) @leading
(unary_operator
  operator: "@"
  operand: (call target: (identifier) @_attribute)
  (#any-of? @_attribute "doc" "spec" "impl" "deprecated" "since" "tag")) @leading
(unary_operator
  operator: "@"
  operand: (call target: (identifier) @_known @ignore)
  (#any-of? @_known
    "moduledoc" "doc" "typedoc" "spec" "impl" "deprecated" "since" "tag" "moduletag" "describetag" "behaviour"
    "derive" "type" "typep" "opaque" "callback" "macrocallback" "optional_callbacks" "enforce_keys" "compile"
    "before_compile" "after_compile" "on_load" "dialyzer" "external_resource"))
(unary_operator
  operator: "@"
  operand: (call target: (identifier) @name (arguments))) @definition.constant

; Names of a function's own
(binary_operator left: (identifier) @local operator: ["=" "<-"])
(binary_operator left: (tuple (identifier)* @local) operator: ["=" "<-"])
(stab_clause left: (arguments [(identifier) @local (tuple (identifier)* @local)]*))

; References
(call target: (identifier) @reference.call)
(call target: (dot left: (_) @receiver right: (identifier) @reference.call))
(unary_operator operator: "@" operand: (identifier) @reference.name)
(alias) @reference.type
(identifier) @reference.name

(comment) @comment
