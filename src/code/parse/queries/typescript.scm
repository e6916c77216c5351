; TypeScript, on top of ecmascript.scm.

; Imports
(import_statement
  (import_require_clause (identifier) @import.alias source: (string) @import.module)) @import.require

; Definitions
(function_signature name: (identifier) @name) @definition.function
(abstract_class_declaration name: (_) @name body: (_) @body) @definition.class
(interface_declaration name: (_) @name body: (_) @body) @definition.interface
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_body
  [
    (property_identifier) @definition.constant @name
    (enum_assignment name: (_) @name) @definition.constant
  ]*)
(type_alias_declaration name: (_) @name) @definition.type
(internal_module name: (_) @name body: (_) @body) @definition.module
(module name: (_) @name body: (_) @body) @definition.module
(ambient_declaration (_) @wrapped) @wrapper @exported
(method_signature name: (_) @name) @definition.method
(abstract_method_signature name: (_) @name) @definition.method
(property_signature name: (_) @name) @definition.field
(public_field_definition
  (decorator)* @annotation
  name: (_) @name
  value: [(arrow_function body: (_) @body) (function_expression body: (_) @body)]) @definition.method
(public_field_definition (decorator)* @annotation name: (_) @name) @definition.field
(class_body (decorator)* @leading)
(class_declaration (decorator)* @annotation)
(abstract_class_declaration (decorator)* @annotation)
(export_statement "=" (identifier) @exported)

; Names of a function's own
(required_parameter
  pattern: [
    (identifier) @local
    (rest_pattern (identifier) @local)
    (object_pattern
      [
        (shorthand_property_identifier_pattern) @local
        (pair_pattern key: (_) @ignore value: (identifier) @local)
        (object_assignment_pattern left: (shorthand_property_identifier_pattern) @local)
      ]*)
    (array_pattern (identifier)* @local)
  ])
(optional_parameter pattern: (identifier) @local)
(type_parameter name: (type_identifier) @local)
(index_signature name: (identifier) @ignore)

; References
(extends_clause
  value: [
    (identifier) @reference.type
    (member_expression object: (_) @receiver property: (property_identifier) @reference.type)
  ])
(nested_type_identifier module: (_) @receiver name: (type_identifier) @reference.type)
(type_identifier) @reference.type
