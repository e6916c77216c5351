(package_declaration [(identifier) (scoped_identifier)] @package)

; Imports
(import_declaration [(identifier) (scoped_identifier)] @import.module (asterisk)? @import.wildcard) @import

; Tests
(method_declaration
  (modifiers
    [
      (marker_annotation name: (identifier) @_test)
      (annotation name: (identifier) @_test)
    ] @test)
  name: (identifier) @name
  body: (_) @body
  (#any-of? @_test "Test" "ParameterizedTest" "RepeatedTest" "TestFactory" "Theory" "Property")) @definition.method

; Definitions
(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(annotation_type_declaration name: (identifier) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_constant name: (identifier) @name body: (_)? @body) @definition.constant
(record_declaration name: (identifier) @name body: (_) @body) @definition.class
(record_declaration
  parameters: (formal_parameters (formal_parameter name: (identifier) @name)* @definition.field))
(method_declaration name: (identifier) @name body: (_)? @body) @definition.method
(constructor_declaration name: (identifier) @name body: (_) @body) @definition.method
(compact_constructor_declaration name: (identifier) @name body: (_) @body) @definition.method
(annotation_type_element_declaration name: (identifier) @name) @definition.method
(field_declaration declarator: (variable_declarator name: (identifier) @name)+) @definition.field
(constant_declaration declarator: (variable_declarator name: (identifier) @name)+) @definition.constant
(modifiers [(annotation) (marker_annotation)]* @annotation)

; Names of a function's own
(local_variable_declaration declarator: (variable_declarator name: (identifier) @local)*)
(formal_parameter name: (identifier) @local)
(spread_parameter (variable_declarator name: (identifier) @local))
(catch_formal_parameter name: (identifier) @local)
(enhanced_for_statement name: (identifier) @local)
(resource name: (identifier) @local)
(lambda_expression parameters: (identifier) @local)
(inferred_parameters (identifier)* @local)
(instanceof_expression name: (identifier) @local)
(type_pattern (identifier) @local)
(type_parameter . (type_identifier) @local)
(element_value_pair key: (identifier) @ignore)
(labeled_statement . (identifier) @ignore)

; References
(method_invocation object: (_) @receiver name: (identifier) @reference.call)
(method_invocation name: (identifier) @reference.call)
(object_creation_expression type: (type_identifier) @reference.call)
(object_creation_expression type: (generic_type (type_identifier) @reference.call))
(method_reference . (_) @receiver (identifier) @reference.call)
(marker_annotation name: (identifier) @reference.type)
(annotation name: (identifier) @reference.type)
(field_access object: (_) @receiver field: (identifier) @reference.name)
(type_identifier) @reference.type
(identifier) @reference.name

(line_comment) @comment
(block_comment) @comment
