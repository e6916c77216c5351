; Imports
(import_declaration (identifier) @import.module) @import

; Tests
(function_declaration
  (modifiers (attribute (user_type (type_identifier) @_test @test (#eq? @_test "Test"))))
  name: _ @name
  body: (_) @body) @definition.function

; Definitions
(class_declaration declaration_kind: "extension" name: (_) @name body: (_) @body) @scope
(class_declaration declaration_kind: "struct" name: (_) @name body: (_) @body) @definition.struct
(class_declaration declaration_kind: "enum" name: (_) @name body: (_) @body) @definition.enum
(class_declaration name: (_) @name body: (_) @body) @definition.class
(protocol_declaration name: (_) @name body: (_) @body) @definition.interface
(enum_entry name: (simple_identifier)+ @name) @definition.constant
(function_declaration name: _ @name body: (_)? @body) @definition.function
(protocol_function_declaration name: _ @name) @definition.function
(init_declaration "init" @name body: (_)? @body) @definition.method
(deinit_declaration "deinit" @name body: (_) @body) @definition.method
(subscript_declaration "subscript" @name (computed_property)? @body) @definition.method
(property_declaration
  name: (pattern bound_identifier: (simple_identifier) @name)
  computed_value: (_)? @body) @definition.variable
(protocol_property_declaration name: (pattern bound_identifier: (simple_identifier) @name)) @definition.field
(typealias_declaration name: (type_identifier) @name) @definition.type
(associatedtype_declaration name: (type_identifier) @name) @definition.type
(operator_declaration (custom_operator) @name) @definition.macro
(attribute) @annotation

; Names of a function's own
(parameter external_name: (simple_identifier)? @ignore name: (simple_identifier) @local)
(lambda_parameter name: (simple_identifier) @local)
(guard_statement bound_identifier: (simple_identifier)* @local)
(if_statement bound_identifier: (simple_identifier)* @local)
(while_statement bound_identifier: (simple_identifier)* @local)
(pattern bound_identifier: (simple_identifier) @local)
(pattern (simple_identifier) @local)
(type_parameter . (type_identifier) @local)
(value_argument_label (simple_identifier) @ignore)
(enum_type_parameters (simple_identifier)* @ignore)

; References
(call_expression . (simple_identifier) @reference.call)
(call_expression
  . (navigation_expression
    target: (_) @receiver
    suffix: (navigation_suffix suffix: (simple_identifier) @reference.call)))
(call_expression . (prefix_expression target: (simple_identifier) @reference.call))
(macro_invocation . (simple_identifier) @reference.call)
(navigation_expression
  target: (_) @receiver
  suffix: (navigation_suffix suffix: (simple_identifier) @reference.name))
(type_identifier) @reference.type
(simple_identifier) @reference.name

(comment) @comment
(multiline_comment) @comment
