(file_scoped_namespace_declaration name: (_) @package)

; Imports
(using_directive name: (identifier)? @import.alias [(identifier) (qualified_name)] @import.module) @import.use
(extern_alias_directive name: (identifier) @import.module) @import.use

; Tests
(method_declaration
  (attribute_list
    (attribute
      name: (identifier) @_test @test
      (#any-of? @_test "Fact" "Theory" "Test" "TestCase" "TestCaseSource" "TestMethod" "DataTestMethod" "Property")))
  name: (identifier) @name
  body: (_) @body) @definition.method

; Definitions
(namespace_declaration name: (_) @name body: (_) @body) @definition.module
(class_declaration name: (identifier) @name body: (_) @body) @definition.class
(interface_declaration name: (identifier) @name body: (_) @body) @definition.interface
(struct_declaration name: (identifier) @name body: (_) @body) @definition.struct
(record_declaration name: (identifier) @name body: (_)? @body) @definition.class
(record_declaration (parameter_list (parameter name: (identifier) @name)* @definition.field))
(enum_declaration name: (identifier) @name body: (_) @body) @definition.enum
(enum_member_declaration name: (identifier) @name) @definition.constant
(delegate_declaration name: (identifier) @name) @definition.type
(method_declaration name: (identifier) @name body: (_)? @body) @definition.method
(constructor_declaration name: (identifier) @name body: (_) @body) @definition.method
(destructor_declaration name: (identifier) @name body: (_) @body) @definition.method
(operator_declaration operator: _ @name body: (_)? @body) @definition.method
(conversion_operator_declaration type: (_) @name body: (_)? @body) @definition.method
(indexer_declaration "this" @name accessors: (_) @body) @definition.field
(local_function_statement name: (identifier) @name body: (_) @body) @definition.function
(property_declaration name: (identifier) @name accessors: (_) @body) @definition.field
(property_declaration name: (identifier) @name value: (_) @body) @definition.field
(event_declaration name: (identifier) @name) @definition.field
(field_declaration
  (modifier) @_const
  (variable_declaration (variable_declarator name: (identifier) @name)+)
  (#eq? @_const "const")) @definition.constant
(field_declaration (variable_declaration (variable_declarator name: (identifier) @name)+)) @definition.field
(event_field_declaration (variable_declaration (variable_declarator name: (identifier) @name)+)) @definition.field
(attribute_list) @annotation
(constructor_initializer) @annotation

; Names of a function's own
(variable_declarator name: (identifier) @local)
(parameter name: (identifier) @local)
(parameter_list name: (identifier) @local)
(foreach_statement left: (identifier) @local)
(catch_declaration name: (identifier) @local)
(declaration_pattern name: (identifier) @local)
(recursive_pattern name: (identifier) @local)
(var_pattern name: (identifier) @local)
(declaration_expression name: (identifier) @local)
(from_clause name: (identifier) @local)
(implicit_parameter) @local
(type_parameter name: (identifier) @local)
(type_parameter_constraints_clause . (identifier) @ignore)
(labeled_statement . (identifier) @ignore)

; References
(invocation_expression function: (identifier) @reference.call)
(invocation_expression function: (generic_name (identifier) @reference.call))
(invocation_expression
  function: (member_access_expression
    expression: (_) @receiver
    name: [(identifier) @reference.call (generic_name (identifier) @reference.call)]))
(invocation_expression
  function: (conditional_access_expression
    condition: (_) @receiver
    (member_binding_expression name: (identifier) @reference.call)))
(object_creation_expression type: (identifier) @reference.call)
(object_creation_expression type: (generic_name (identifier) @reference.call))
(object_creation_expression type: (qualified_name qualifier: (_) @receiver name: (identifier) @reference.call))
(attribute name: (identifier) @reference.type)
(base_list (identifier)* @reference.type)
(generic_name (identifier) @reference.type)
(type_argument_list (identifier)* @reference.type)
(variable_declaration type: (identifier) @reference.type)
(parameter type: (identifier) @reference.type)
(property_declaration type: (identifier) @reference.type)
(indexer_declaration type: (identifier) @reference.type)
(method_declaration returns: (identifier) @reference.type)
(local_function_statement type: (identifier) @reference.type)
(delegate_declaration type: (identifier) @reference.type)
(nullable_type type: (identifier) @reference.type)
(array_type type: (identifier) @reference.type)
(typeof_expression type: (identifier) @reference.type)
(cast_expression type: (identifier) @reference.type)
(as_expression right: (identifier) @reference.type)
(is_expression right: (identifier) @reference.type)
(catch_declaration type: (identifier) @reference.type)
(declaration_pattern type: (identifier) @reference.type)
(recursive_pattern type: (identifier) @reference.type)
(type_parameter_constraint type: (identifier) @reference.type)
(explicit_interface_specifier (identifier) @reference.type)
(foreach_statement type: (identifier) @reference.type)
(qualified_name qualifier: (_) @receiver name: (identifier) @reference.type)
(member_access_expression expression: (_) @receiver name: (identifier) @reference.name)
(identifier) @reference.name

(comment) @comment
