(header module: (module) @package)
(export variable: (variable) @exported)
(export type: (name) @exported)

; Imports
(import module: (module) @import.module "hiding" @import.wildcard alias: (module)? @import.alias) @import
(import
  module: (module) @import.module
  alias: (module)? @import.alias
  names: (import_list name: (import_name . (_) @import.name)*)?) @import

; Tests: hspec, tasty
(infix
  left_operand: (apply function: (variable) @_test @ignore argument: (literal (string) @name))
  right_operand: (_) @body
  (#any-of? @_test
    "describe" "context" "it" "specify" "prop" "testCase" "testProperty" "testGroup")) @definition.test

(infix operator: (operator) @_check (#any-of? @_check "@?=" "@=?" "@?" "===" "==>")) @assertion

; Definitions: a function's type and its clauses are one symbol.
(data_type name: (_) @name constructors: (_)? @body) @definition.struct
(newtype name: (_) @name constructor: (_) @body) @definition.struct
(type_synomym name: (_) @name) @definition.type
(type_family name: (_) @name) @definition.type
(class name: (_) @name declarations: (_)? @body) @definition.trait
(instance patterns: (type_patterns . (_) @name) declarations: (_)? @body) @scope
(data_constructor
  constructor: [(prefix name: (constructor) @name) (record name: (constructor) @name)]) @definition.constant
(newtype_constructor name: (constructor) @name) @definition.constant
(field name: (field_name (variable) @name)) @definition.field
(local_binds decl: (bind name: (variable) @local)*)
(signature name: [(variable) @name (prefix_id (operator) @name)]) @definition.function
(function name: [(variable) @name (prefix_id (operator) @name)] match: (_) @body) @definition.function
(function (infix operator: (operator) @name) match: (_) @body) @definition.function
(function (infix operator: (infix_id (variable) @name)) match: (_) @body) @definition.function
(bind name: (variable) @name match: (_) @body) @definition.function
(pattern_synonym (signature synonym: (constructor) @name)) @definition.function

; Names of a function's own
(patterns (variable)* @local)
(patterns (parens pattern: (apply argument: (variable) @local)))
(patterns (parens pattern: (apply function: (apply argument: (variable) @local) argument: (variable) @local)))
(alternative pattern: (variable) @local)
(alternative pattern: (apply argument: (variable) @local))
(alternative pattern: (apply function: (apply argument: (variable) @local) argument: (variable) @local))
(bind pattern: (variable) @local)
(bind pattern: (tuple element: (variable)* @local))

; References
(apply function: (variable) @reference.call)
(apply function: (qualified module: (_) @receiver id: (variable) @reference.call))
(infix_id (variable) @reference.call)
(qualified module: (_) @receiver id: (variable) @reference.name)
(qualified module: (_) @receiver id: (name) @reference.type)
(variable) @reference.name
(constructor) @reference.name
(name) @reference.type

(comment) @comment
(haddock) @comment
