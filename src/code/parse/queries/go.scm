(package_clause (package_identifier) @package)

; Imports
(import_spec
  name: [
    (package_identifier) @import.alias
    (blank_identifier) @import.alias
    (dot) @import.wildcard
  ]?
  path: (_) @import.module) @import

; Definitions
(function_declaration name: (identifier) @name body: (_)? @body) @definition.function
(method_declaration
  receiver: (parameter_list
    (parameter_declaration
      type: [
        (type_identifier) @qualifier
        (pointer_type (type_identifier) @qualifier)
        (generic_type type: (type_identifier) @qualifier)
        (pointer_type (generic_type type: (type_identifier) @qualifier))
        (parenthesized_type (pointer_type (type_identifier) @qualifier))
      ]))
  name: (field_identifier) @name
  body: (_)? @body) @definition.method
(type_spec name: (_) @name type: (struct_type (field_declaration_list) @body)) @definition.struct
(type_spec name: (_) @name type: (interface_type "{" @body)) @definition.interface
(type_spec name: (_) @name) @definition.type
(type_alias name: (_) @name) @definition.type
(method_elem name: (field_identifier) @name) @definition.method
(field_declaration name: (field_identifier)+ @name) @definition.field
(const_spec name: (identifier)+ @name) @definition.constant
(var_spec name: (identifier)+ @name) @definition.variable
((type_declaration . [(type_spec) (type_alias)] @wrapped) @wrapper (#not-starts-with? @wrapper "type ("))
((const_declaration . (const_spec) @wrapped) @wrapper (#not-starts-with? @wrapper "const ("))
(var_declaration . (var_spec) @wrapped) @wrapper

; Tests: subtests; functions by their names and signatures.
(call_expression
  function: (selector_expression operand: (identifier) @_t field: (field_identifier) @_run @ignore)
  arguments: (argument_list . [(interpreted_string_literal) (raw_string_literal)] @name (func_literal body: (_) @body))
  (#any-of? @_t "t" "b")
  (#eq? @_run "Run")) @definition.test

; Names of a function's own
(parameter_declaration name: (identifier)* @local)
(variadic_parameter_declaration name: (identifier) @local)
(type_parameter_declaration name: (identifier)* @local)
(short_var_declaration left: (expression_list (identifier)* @local))
(range_clause left: (expression_list (identifier)* @local))
(type_switch_statement alias: (expression_list (identifier)* @local))
(receive_statement left: (expression_list (identifier)* @local))
(label_name) @ignore

; References
(call_expression function: (identifier) @reference.call)
(call_expression function: (selector_expression operand: (_) @receiver field: (field_identifier) @reference.call))
(call_expression function: (type_instantiation_expression type: (type_identifier) @reference.call))
(selector_expression operand: (_) @receiver field: (field_identifier) @reference.name)
(qualified_type package: (_) @receiver name: (type_identifier) @reference.type)
(keyed_element key: (literal_element (identifier) @reference.name))
(type_identifier) @reference.type
(identifier) @reference.name

(comment) @comment
