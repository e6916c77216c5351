(namespace_definition !body name: (namespace_name) @package)

; Imports
(namespace_use_declaration
  (namespace_use_clause [(qualified_name) (name)] @import.module alias: (name)? @import.alias)+) @import.use
(namespace_use_declaration
  (namespace_name) @import.module
  body: (namespace_use_group
    (namespace_use_clause [(qualified_name) (name)] @import.name alias: (name)? @import.alias)*)) @import.use
(require_expression [(string) (encapsed_string)] @import.module) @import.require
(require_once_expression [(string) (encapsed_string)] @import.module) @import.require
(include_expression [(string) (encapsed_string)] @import.module) @import.include
(include_once_expression [(string) (encapsed_string)] @import.module) @import.include
(require_expression
  (binary_expression left: (name) @import.relative right: (string) @import.module)) @import.require
(require_once_expression
  (binary_expression left: (name) @import.relative right: (string) @import.module)) @import.require
(include_expression
  (binary_expression left: (name) @import.relative right: (string) @import.module)) @import.include
(include_once_expression
  (binary_expression left: (name) @import.relative right: (string) @import.module)) @import.include

; Tests
(method_declaration
  attributes: (attribute_list (attribute_group (attribute (name) @_test @test (#eq? @_test "Test"))))
  name: (name) @name
  body: (_) @body) @definition.method
(function_call_expression
  function: (name) @_test @ignore
  arguments: (arguments
    . (argument (string) @name)
    (argument [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)]))
  (#any-of? @_test "it" "test" "describe")) @definition.test

; Definitions
(namespace_definition name: (namespace_name) @name body: (_) @body) @definition.module
(class_declaration name: (name) @name body: (_) @body) @definition.class
(interface_declaration name: (name) @name body: (_) @body) @definition.interface
(trait_declaration name: (name) @name body: (_) @body) @definition.trait
(enum_declaration name: (name) @name body: (_) @body) @definition.enum
(enum_case name: (name) @name) @definition.constant
(function_definition name: (name) @name body: (_) @body) @definition.function
(method_declaration name: (name) @name body: (_)? @body) @definition.method
(property_declaration (property_element name: (variable_name (name) @name))+) @definition.field
(const_declaration (const_element . (name) @name)+) @definition.constant
(function_call_expression
  function: (name) @_define @ignore
  arguments: (arguments . (argument (string) @name))
  (#eq? @_define "define")) @definition.constant
(assignment_expression
  left: (variable_name (name) @name)
  right: [(anonymous_function body: (_) @body) (arrow_function body: (_) @body)]) @definition.function
(assignment_expression left: (variable_name (name) @name)) @definition.variable
(attribute_list) @annotation

; A variable is a function's own.
(variable_name (name) @ignore)
(argument name: (name) @ignore)
(namespace_name (name)* @ignore)
(use_as_clause (name)* @ignore)

; References
(function_call_expression function: (name) @reference.call)
(function_call_expression function: (qualified_name prefix: (_)? @receiver (name) @reference.call))
(member_call_expression object: (_) @receiver name: (name) @reference.call)
(nullsafe_member_call_expression object: (_) @receiver name: (name) @reference.call)
(scoped_call_expression scope: (_) @receiver name: (name) @reference.call)
(object_creation_expression (name) @reference.call)
(object_creation_expression (qualified_name prefix: (namespace_name)? @receiver (name) @reference.call))
(named_type (name) @reference.type)
(base_clause (name)* @reference.type)
(class_interface_clause (name)* @reference.type)
(use_declaration (name)* @reference.type)
(attribute (name) @reference.type)
(qualified_name prefix: (namespace_name)? @receiver (name) @reference.type)
(scoped_call_expression scope: (name) @reference.type)
(class_constant_access_expression . (name) @reference.type (name) @reference.name)
(member_access_expression object: (_) @receiver name: (name) @reference.name)
(nullsafe_member_access_expression object: (_) @receiver name: (name) @reference.name)
(name) @reference.name

; Names in strings: routes, the container
(array_creation_expression
  . (array_element_initializer (class_constant_access_expression . (_) @receiver))
  (array_element_initializer (string) @reference.text.name))
(string) @reference.text
(encapsed_string) @reference.text

(comment) @comment
