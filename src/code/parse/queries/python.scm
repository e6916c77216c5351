; Definitions
(function_definition name: (identifier) @name body: (block) @body) @definition.function
(class_definition name: (identifier) @name body: (block) @body) @definition.class
(decorated_definition (decorator)* @annotation definition: (_) @wrapped) @wrapper
(assignment left: (identifier) @name) @definition.variable
(assignment left: (pattern_list [(identifier) @name (list_splat_pattern (identifier) @name)]*)) @definition.variable
(assignment left: (tuple_pattern (identifier)* @name)) @definition.variable
(type_alias_statement left: (type [(identifier) @name (generic_type (identifier) @name)])) @definition.type

; Documentation
(module . (expression_statement (string) @docstring))
(class_definition body: (block . (expression_statement (string) @docstring)))
(function_definition body: (block . (expression_statement (string) @docstring)))
(comment) @comment

; Imports
(import_statement
  name: [
    (dotted_name) @import.module
    (aliased_import name: (dotted_name) @import.module alias: (identifier) @import.alias)
  ]*) @import
(import_from_statement
  module_name: [(dotted_name) @import.module (relative_import) @import.module]
  name: [
    (dotted_name) @import.name
    (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias)
  ]*
  (wildcard_import)? @import.wildcard) @import
(future_import_statement
  "__future__" @import.module
  name: [
    (dotted_name) @import.name
    (aliased_import name: (dotted_name) @import.name alias: (identifier) @import.alias)
  ]*) @import
(call
  function: (identifier) @_import
  arguments: (argument_list . (string) @import.module)
  (#eq? @_import "__import__")) @import.dynamic
(call
  function: (attribute object: (identifier) @_importlib attribute: (identifier) @_import)
  arguments: (argument_list . (string) @import.module)
  (#eq? @_importlib "importlib")
  (#eq? @_import "import_module")) @import.dynamic

; Names of a function's own
(parameters
  [
    (identifier) @local
    (typed_parameter . [(identifier) @local (_ (identifier) @local)])
    (default_parameter name: (identifier) @local)
    (typed_default_parameter name: (identifier) @local)
    (list_splat_pattern (identifier) @local)
    (dictionary_splat_pattern (identifier) @local)
  ]*)
(lambda_parameters
  [
    (identifier) @local
    (default_parameter name: (identifier) @local)
    (list_splat_pattern (identifier) @local)
    (dictionary_splat_pattern (identifier) @local)
  ]*)
(for_statement left: [(identifier) @local (pattern_list (identifier)* @local) (tuple_pattern (identifier)* @local)])
(for_in_clause left: [(identifier) @local (pattern_list (identifier)* @local) (tuple_pattern (identifier)* @local)])
(function_definition type_parameters: (type_parameter (type (identifier) @local)*))
(class_definition type_parameters: (type_parameter (type (identifier) @local)*))
(type_alias_statement left: (type (generic_type (type_parameter (type (identifier) @local)*))))
(keyword_pattern . (identifier) @ignore (dotted_name (identifier) @local))
(as_pattern_target (identifier) @local)
(named_expression name: (identifier) @local)

; References
(call function: (identifier) @reference.call)
(call function: (attribute object: (_) @receiver attribute: (identifier) @reference.call))
(decorator (identifier) @reference.call)
(decorator (attribute object: (_) @receiver attribute: (identifier) @reference.call))
(class_definition
  superclasses: (argument_list
    [
      (identifier) @reference.type
      (attribute object: (_) @receiver attribute: (identifier) @reference.type)
      (subscript value: (identifier) @reference.type)
      (keyword_argument value: (identifier) @reference.type)
    ]*))
(type
  [
    (identifier) @reference.type
    (attribute object: (_) @receiver attribute: (identifier) @reference.type)
    (binary_operator (identifier)* @reference.type)
    (subscript value: (identifier) @reference.type)
  ])
(generic_type (identifier) @reference.type)
(keyword_argument name: (identifier) @ignore)
(keyword_pattern . (identifier) @ignore)
(attribute object: (_) @receiver attribute: (identifier) @reference.name)
(identifier) @reference.name

; Names in strings: Django's models, views, settings
(call
  function: [(identifier) @_relation (attribute attribute: (identifier) @_relation)]
  arguments: (argument_list . (string) @reference.text.name)
  (#any-of? @_relation "ForeignKey" "OneToOneField" "ManyToManyField" "get_model"))
(string) @reference.text

; Tests
(assert_statement) @assertion
