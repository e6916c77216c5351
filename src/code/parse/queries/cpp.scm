; C++, before c.scm.

; Tests: googletest, then Catch2 and doctest, whose block is a statement of its own.
(function_definition
  !type
  declarator: (function_declarator
    declarator: (identifier) @_test @ignore
    parameters: (parameter_list
      . (parameter_declaration type: (type_identifier) @qualifier)
      (parameter_declaration type: (type_identifier) @name)))
  body: (_) @body
  (#any-of? @_test "TEST" "TEST_F" "TEST_P" "TYPED_TEST" "TYPED_TEST_P")) @definition.test
(expression_statement
  (call_expression
    function: (identifier) @_test @ignore
    arguments: (argument_list . [(string_literal) (concatenated_string)] @name))
  (#any-of? @_test "TEST_CASE" "SCENARIO" "SECTION" "SUBCASE" "GIVEN" "WHEN" "THEN")) @definition.test @followed

; Definitions
(namespace_definition name: (_) @name body: (_) @body) @definition.module
(namespace_definition !name body: (_) @body) @scope
(class_specifier name: (_) @name body: (_) @body) @definition.class
(struct_specifier name: (_) @name body: (_) @body) @definition.struct
(union_specifier name: (_) @name body: (_) @body) @definition.struct
(template_declaration
  [
    (alias_declaration)
    (class_specifier)
    (concept_definition)
    (declaration)
    (friend_declaration)
    (function_definition)
    (struct_specifier)
    (template_declaration)
    (union_specifier)
  ] @wrapped) @wrapper
(function_definition declarator: (_) @declarator [(default_method_clause) (delete_method_clause)]) @definition.function
(function_definition declarator: (_) @declarator body: (_) @body) @definition.function
(declaration
  declarator: [
    (function_declarator
      declarator: [(identifier) (qualified_identifier) (destructor_name) (operator_name)])
    (reference_declarator (function_declarator))
    (operator_cast)
  ] @declarator) @definition.function
(field_declaration
  declarator: [
    (function_declarator declarator: [(field_identifier) (destructor_name) (operator_name)])
    (pointer_declarator declarator: (function_declarator declarator: [(field_identifier) (operator_name)]))
    (reference_declarator (function_declarator))
    (operator_cast)
  ] @declarator) @definition.method
(alias_declaration name: (type_identifier) @name) @definition.type
(concept_definition name: (identifier) @name) @definition.type
(using_declaration "namespace" (_) @import.module) @import.use
(using_declaration (qualified_identifier) @import.module) @import.use
(attribute_declaration) @annotation
(field_initializer_list) @annotation
(base_class_clause (access_specifier)* @ignore)
(access_specifier) @access

; Names of a function's own
(optional_parameter_declaration declarator: (_) @local.declarator)
(for_range_loop declarator: (_) @local.declarator)
(type_parameter_declaration (type_identifier) @local)
(optional_type_parameter_declaration name: (type_identifier) @local)
(structured_binding_declarator (identifier)* @local)

; References
(call_expression
  function: (template_function name: (identifier) @_cast @ignore)
  (#any-of? @_cast "static_cast" "const_cast" "dynamic_cast" "reinterpret_cast"))
(call_expression function: (qualified_identifier scope: (_)? @receiver name: (identifier) @reference.call))
(call_expression
  function: (qualified_identifier scope: (_)? @receiver name: (template_function name: (identifier) @reference.call)))
(call_expression
  function: (qualified_identifier
    name: (qualified_identifier
      scope: (_) @receiver
      name: [(identifier) @reference.call (template_function name: (identifier) @reference.call)])))
(call_expression
  function: (qualified_identifier
    name: (qualified_identifier
      name: (qualified_identifier
        scope: (_) @receiver
        name: [(identifier) @reference.call (template_function name: (identifier) @reference.call)]))))
(call_expression function: (template_function name: (identifier) @reference.call))
(call_expression
  function: (field_expression
    argument: (_) @receiver
    field: (template_method name: (field_identifier) @reference.call)))
(qualified_identifier scope: (_) @receiver name: (type_identifier) @reference.type)
(qualified_identifier scope: (_) @receiver name: (template_type name: (type_identifier) @reference.type))
(qualified_identifier scope: (_) @receiver name: (identifier) @reference.name)
(attribute name: (identifier) @ignore)
(field_initializer (field_identifier) @reference.name)
