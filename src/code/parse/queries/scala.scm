(package_clause name: (_) @package)

; Imports: a path is a run of siblings, so the hook in hooks_scala.cc reads it.
(import_declaration) @import

; Tests: ScalaTest, munit
(call_expression
  function: (call_expression
    function: (identifier) @_test @ignore
    arguments: (arguments . (string) @name))
  arguments: (block) @body
  (#any-of? @_test "test" "it" "describe" "property" "feature" "scenario" "testAsync")) @definition.test
(infix_expression
  left: [(string) @name (infix_expression right: (string) @name)]
  operator: (identifier) @_in @ignore
  right: (block) @body
  (#any-of? @_in "in" "should" "when" "must")) @definition.test
(infix_expression
  left: [(identifier) (field_expression) (call_expression) (parenthesized_expression) (instance_expression) (block)]
  operator: (identifier) @_check @ignore
  (#any-of? @_check
    "should" "must" "shouldBe" "shouldEqual" "mustBe" "mustEqual" "shouldNot" "mustNot")) @assertion

; Definitions
(class_definition name: (_) @name body: (_)? @body) @definition.class
(class_definition
  "case"
  class_parameters: (class_parameters (class_parameter name: (identifier) @name)* @definition.field))
(class_definition
  class_parameters: (class_parameters (class_parameter ["val" "var"] name: (identifier) @name)* @definition.field))
(object_definition name: (_) @name body: (_)? @body) @definition.class
(package_object name: (_) @name body: (_)? @body) @definition.module
(trait_definition name: (_) @name body: (_)? @body) @definition.trait
(enum_definition name: (_) @name body: (_)? @body) @definition.enum
(simple_enum_case name: (identifier) @name) @definition.constant
(full_enum_case name: (identifier) @name) @definition.constant
(function_definition name: (_) @name body: (_) @body) @definition.function
(function_declaration name: (_) @name) @definition.function
(val_definition pattern: (identifier) @name) @definition.variable
(val_definition pattern: (tuple_pattern (identifier)* @name)) @definition.variable
(var_definition pattern: (identifier) @name) @definition.variable
(val_declaration name: (identifier) @name) @definition.variable
(var_declaration name: (identifier) @name) @definition.variable
(given_definition name: (identifier) @name body: (_)? @body) @definition.variable
(type_definition name: (_) @name) @definition.type
(extension_definition
  parameters: (parameters . (parameter type: [(type_identifier) @name (generic_type type: (_) @name)]))
  body: (_) @body) @scope
(annotation) @annotation

; Names of a function's own
(parameter name: (identifier) @local)
(class_parameter name: (identifier) @local)
(binding name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(enumerator . (identifier) @local)
(enumerator . (tuple_pattern (identifier)* @local))
(typed_pattern pattern: (identifier) @local)
(case_class_pattern pattern: (identifier)* @local)
(case_clause pattern: (identifier) @local (#not-capital? @local))
(capture_pattern name: (identifier) @local)
(type_parameters name: (identifier)* @local)
(self_type . (identifier) @ignore)

; References
(call_expression function: (identifier) @reference.call)
(call_expression function: (field_expression value: (_) @receiver field: (identifier) @reference.call))
(call_expression function: (generic_function function: (identifier) @reference.call))
(call_expression
  function: (generic_function function: (field_expression value: (_) @receiver field: (identifier) @reference.call)))
(instance_expression (type_identifier) @reference.call)
(instance_expression (generic_type type: (type_identifier) @reference.call))
(field_expression value: (_) @receiver field: (identifier) @reference.name)
(stable_type_identifier (_) @receiver (type_identifier) @reference.type)
(type_identifier) @reference.type
(identifier) @reference.name

(comment) @comment
(block_comment) @comment
