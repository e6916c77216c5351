; What JavaScript and TypeScript share.

; Imports
(import_statement
  (import_clause
    [
      (identifier) @import.alias
      (namespace_import (identifier) @import.alias) @import.wildcard
      (named_imports
        (import_specifier name: (_) @import.name alias: (identifier)? @import.alias)*)
    ]*)?
  source: (string) @import.module) @import
(export_statement
  [
    (export_clause (export_specifier name: (_) @import.name alias: (_)? @import.alias)*)
    (namespace_export (_) @import.alias) @import.wildcard
    "*" @import.wildcard
  ]
  source: (string) @import.module) @import
(variable_declarator
  name: [
    (identifier) @import.alias
    (object_pattern
      [
        (shorthand_property_identifier_pattern) @import.name
        (pair_pattern key: (property_identifier) @import.name value: (identifier) @import.alias)
      ]*)
  ]
  value: (call_expression
    function: (identifier) @_require
    arguments: (arguments . (string) @import.module))
  (#eq? @_require "require")) @import.require
(variable_declarator
  value: (member_expression
    object: (call_expression
      function: (identifier) @_require
      arguments: (arguments . (string) @import.module))
    property: (property_identifier) @import.name)
  (#eq? @_require "require")) @import.require
(call_expression
  function: (identifier) @_require
  arguments: (arguments . (string) @import.module)
  (#eq? @_require "require")) @import.require
(call_expression function: (import) arguments: (arguments . (string) @import.module)) @import.dynamic

; Definitions
(function_declaration name: (identifier) @name body: (_) @body) @definition.function
(generator_function_declaration name: (identifier) @name body: (_) @body) @definition.function
(class_declaration name: (_) @name body: (_) @body) @definition.class
(method_definition name: (_) @name body: (_) @body) @definition.method
(variable_declarator
  name: (identifier) @name
  value: [
    (arrow_function body: (_) @body)
    (function_expression body: (_) @body)
    (generator_function body: (_) @body)
  ]) @definition.function
(variable_declarator name: (identifier) @name value: (class body: (_) @body)) @definition.class
(variable_declarator name: (identifier) @name) @definition.variable
(variable_declarator
  name: (object_pattern
    [
      (shorthand_property_identifier_pattern) @name
      (pair_pattern key: (_) @ignore value: (identifier) @name)
      (object_assignment_pattern left: (shorthand_property_identifier_pattern) @name)
      (rest_pattern (identifier) @name)
    ]*)) @definition.variable
(variable_declarator name: (array_pattern (identifier)* @name)) @definition.variable
(pair
  key: [(property_identifier) (string)] @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(lexical_declaration (variable_declarator)* @wrapped) @wrapper
(variable_declaration (variable_declarator)* @wrapped) @wrapper

; Assigned functions: exports.x = …, module.exports.x = …, Type.prototype.x = …, Type.x = …
(assignment_expression
  left: (member_expression object: (identifier) @_exports @ignore property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  (#eq? @_exports "exports")) @definition.function @exported
(assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @_module @ignore property: (property_identifier) @_exports @ignore)
    property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.function @exported
(assignment_expression
  left: (member_expression object: (identifier) @_module @ignore property: (property_identifier) @_exports @ignore)
  right: [
    (arrow_function body: (_) @body)
    (function_expression !name body: (_) @body)
    (function_expression name: (identifier) @name body: (_) @body)
  ]
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.function @exported
(assignment_expression
  left: (member_expression object: (identifier) @_module @ignore property: (property_identifier) @_exports @ignore)
  right: [(class !name body: (_) @body) (class name: (_) @name body: (_) @body)]
  (#eq? @_module "module")
  (#eq? @_exports "exports")) @definition.class @exported
(assignment_expression
  left: (member_expression
    object: (member_expression object: (identifier) @qualifier property: (property_identifier) @_prototype)
    property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]
  (#eq? @_prototype "prototype")) @definition.method
(assignment_expression
  left: (member_expression object: (identifier) @qualifier property: (property_identifier) @name)
  right: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.function

; Exports
(export_statement
  value: [(arrow_function body: (_) @body) (function_expression !name body: (_) @body)]) @definition.function @exported
(export_statement
  value: (function_expression name: (identifier) @name body: (_) @body)) @definition.function @exported
(export_statement value: (class !name body: (_) @body)) @definition.class @exported
(export_statement value: (class name: (_) @name body: (_) @body)) @definition.class @exported
(export_statement (decorator)* @annotation declaration: (_) @wrapped) @wrapper @exported
(export_statement !source (export_clause (export_specifier name: (_) @exported)*))
(export_statement value: (identifier) @exported)
(assignment_expression
  left: (member_expression object: (identifier) @_module @ignore property: (property_identifier) @_exports @ignore)
  right: [
    (identifier) @exported
    (object [(shorthand_property_identifier) @exported (pair value: (identifier) @exported)]*)
  ]
  (#eq? @_module "module")
  (#eq? @_exports "exports"))

(assignment_expression
  left: (member_expression object: (identifier) @_exports @ignore property: (property_identifier) @ignore)
  right: (identifier) @exported
  (#eq? @_exports "exports"))

; Tests
(call_expression
  function: [
    (identifier) @_test @ignore
    (member_expression object: (identifier) @_test @ignore property: (_) @ignore)
    (call_expression function: (member_expression object: (identifier) @_test @ignore property: (_) @ignore))
  ]
  arguments: (arguments
    . [(string) (template_string)] @name
    [(arrow_function body: (_) @body) (function_expression body: (_) @body)])
  (#any-of? @_test
    "describe" "it" "test" "context" "suite" "specify" "fit" "xit" "xtest" "fdescribe" "xdescribe")) @definition.test

; Registered by name: def('equal', function (a, b) {…}). Which of these calls define is said in code.
(expression_statement
  (call_expression
    function: [(identifier) (member_expression)]
    arguments: (arguments
      . (string) @name
      [(arrow_function body: (_) @body) (function_expression body: (_) @body)]))) @definition.registered

; Names of a function's own
(arrow_function parameter: (identifier) @local)
(for_statement
  initializer: [
    (lexical_declaration (variable_declarator name: (identifier) @local)*)
    (variable_declaration (variable_declarator name: (identifier) @local)*)
  ])
(for_in_statement
  left: [
    (identifier) @local
    (array_pattern (identifier)* @local)
    (object_pattern (shorthand_property_identifier_pattern)* @local)
  ])
(catch_clause parameter: (identifier) @local)
(array_pattern (identifier)* @local)
(pair_pattern value: (identifier) @local)
(assignment_pattern left: (identifier) @local)
(shorthand_property_identifier_pattern) @local
(function_expression name: (identifier) @local)

; References
(call_expression function: (identifier) @reference.call)
(call_expression
  function: (member_expression
    object: (_) @receiver
    property: [(property_identifier) (private_property_identifier)] @reference.call))
(new_expression constructor: (identifier) @reference.call)
(new_expression
  constructor: (member_expression object: (_) @receiver property: (property_identifier) @reference.call))
(decorator (identifier) @reference.call)
(member_expression
  object: (_) @receiver
  property: [(property_identifier) (private_property_identifier)] @reference.name)
(export_specifier alias: (_) @ignore)
(identifier) @reference.name
(shorthand_property_identifier) @reference.name

(comment) @comment
